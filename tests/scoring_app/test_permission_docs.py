"""The permission table in the documentation is the one that counts."""

from __future__ import annotations

import re

from django.conf import settings

from scoring_app.clubs import PERMISSIONS, ROLES


def rendered() -> str:
    roles = list(ROLES)
    head = ["| may | " + " | ".join(ROLES[role].en for role in roles) + " |", "| --- |" + " --- |" * len(roles)]
    rows = [
        f"| {row.label.en} (`{row.action}`) | " + " | ".join("yes" if role in row.roles else "" for role in roles) + " |"
        for row in PERMISSIONS.values()
    ]
    return "\n".join([*head, *rows])


def test_the_documentation_shows_the_permission_table():
    text = (settings.BASE_DIR / "docs/clubs.md").read_text()
    match = re.search(r"<!-- permissions -->\n(.*?)\n<!-- /permissions -->", text, re.DOTALL)
    assert match is not None
    assert match[1] == rendered(), "paste this between the marks in docs/clubs.md:\n" + rendered()
