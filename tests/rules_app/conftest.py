from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def pocket() -> str:
    """The document of a small game."""
    return (Path(__file__).parent / "documents" / "pocket.yaml").read_text(encoding="utf-8")
