"""Names as people type them."""

from __future__ import annotations

from rules_app.engine.text import Text
from scoring_app.errors import Refused

MAX_NAME = 40


def tidy_name(text: object, path: str, *, error: type[Refused] = Refused, longest: int = MAX_NAME) -> str:
    """A name without needless blanks.

    :raises Refused: (as ``error``) it is empty, too long, or holds what cannot be seen.
    """
    name = " ".join(str(text).split())
    if not 0 < len(name) <= longest or not name.isprintable():
        message = Text(zh=f"名字须有 1 到 {longest} 个字。", en=f"A name needs 1 to {longest} characters.")
        raise error("bad_input", message, path)
    return name
