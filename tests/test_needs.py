"""The table of needs in the documentation names every need once, and tests that exist."""

from __future__ import annotations

import re

from django.conf import settings


def test_every_need_has_a_screen_and_a_test_that_exists():
    text = (settings.BASE_DIR / "docs/needs.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("|")]
    needs = [int(found[1]) for row in rows if (found := re.match(r" G(\d+) ", row[0]))]

    assert needs == list(range(1, 30))
    for need, screen, tests in rows[2:]:
        assert screen.strip(), need
        path = ""
        named = re.findall(r"`([^`]+)`", tests)
        assert named, need
        for name in named:
            file, _, test = name.partition("::")
            path = path if file == "…" else file
            assert (settings.BASE_DIR / path).exists(), name
            assert not test or f"def {test}(" in (settings.BASE_DIR / path).read_text(encoding="utf-8"), name
