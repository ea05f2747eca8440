"""The shipped rulesets, compiled once for the whole test run."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from rules_app.engine import Ruleset, load_ruleset

DEFINITIONS = Path(__file__).parents[2] / "rules_app" / "definitions"
CASES = Path(__file__).parents[1] / "cases"


def slugs() -> list[str]:
    """The slugs of all shipped documents."""
    return sorted(path.stem for path in DEFINITIONS.glob("*.yaml"))


@cache
def shipped(slug: str) -> Ruleset:
    """A shipped ruleset."""
    return load_ruleset((DEFINITIONS / f"{slug}.yaml").read_text(encoding="utf-8"))
