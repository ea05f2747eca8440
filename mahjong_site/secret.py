"""The secret key of an embedded installation, made at the first start."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def read_or_create_secret(path: Path) -> str:
    """The key stored at ``path``; a new one, readable by its owner only, if there is none yet.

    Several processes may start at once: the key is complete before it takes its name, and the first
    one to name it wins.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(48))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text(encoding="ascii").strip()
