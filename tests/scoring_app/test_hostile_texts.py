"""A rule keeper who publishes hostile texts, and players with hostile names: every page shows them as text."""

from __future__ import annotations

import datetime
import json
from collections import deque
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urldefrag, urlsplit

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.urls import resolve, reverse
from ruamel.yaml import YAML

from rules_app.models import Ruleset
from rules_app.publishing import publish_revision, save_draft
from scoring_app.clubs import add_member, adopt_ruleset, create_club, open_season
from scoring_app.ledger import raise_dispute, record_note, record_round
from scoring_app.models import Session
from scoring_app.sessions import add_player, open_session, seat_players
from tests.factories import UserFactory
from tests.scoring_app.rounds import discard_win, kong, payload, self_draw

pytestmark = pytest.mark.django_db

EVIL = '"><img src=x onerror=alert(1) data-evil>'
"""40 characters, as long as a name may be."""
MORE = f"{EVIL}<script data-evil>alert(1)</script> [here](javascript:alert(1)) <javascript:alert(1)> `{EVIL}` <!-- {{{{ 7|add:7 }}}}"
LEFT_ALONE = ("/admin/", "/i18n/", "/static/", "/accounts/", "/api/docs", "/api/schema")


class Finder(HTMLParser):
    """Finds links, and whatever a hostile text would have become if it were taken for markup."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        facts = {name: value or "" for name, value in attrs}
        evil = [name for name in facts if name.startswith("on") or name == "data-evil" or facts[name].strip().startswith("javascript:")]
        if evil or (tag == "script" and "src" not in facts):
            self.faults.append(self.get_starttag_text() or tag)
        if tag == "a":
            self.links.append(facts.get("href", ""))

    def handle_comment(self, data: str) -> None:
        if "7" in data:
            self.faults.append(data)


def made_evil(part: Any, key: str = "") -> Any:
    """The document with every word of it followed by something hostile."""
    if isinstance(part, dict):
        if key == "aliases":
            return {name: [*words, MORE] if name in {"zh", "en"} else words for name, words in part.items()}
        if part and set(part) <= {"zh", "en"} and all(isinstance(words, str) for words in part.values()):
            return {name: f"{words} {MORE}" for name, words in part.items()}
        return {name: made_evil(value, str(name)) for name, value in part.items()}
    if isinstance(part, list):
        return [made_evil(value) for value in part]
    return part


@pytest.fixture
def place(db):
    """A club whose rules and people are hostile, with an evening at which much has happened."""
    owner = UserFactory.create(username="owner")
    club = create_club(name=f"会 {EVIL}"[:60], owner=owner, slug="hui")
    document = YAML(typ="safe").load((settings.BASE_DIR / "rules_app/definitions/sichuan.yaml").read_text())
    text = json.dumps(made_evil(document) | {"slug": "evil_rules"}, ensure_ascii=False)  # JSON is YAML
    ruleset = Ruleset.objects.create(slug="evil_rules", name_zh=MORE[:100], name_en=MORE[:100], owner=owner)
    revision = publish_revision(revision=save_draft(ruleset=ruleset, text=text), note=MORE[:300])
    adopt_ruleset(club=club, ruleset=ruleset, by=owner)
    season = open_season(club=club, name=EVIL, starts=datetime.date(2020, 1, 1))
    session = open_session(club=club, season=season, revision=revision, options={"mode": "single"}, title=EVIL, table_fee=3)
    for name in (EVIL, *(f"<b data-evil onclick=x>{number}" for number in range(4))):
        member = add_member(club=club, name=name)
        add_player(session=session, name=name, member=member)
    seat_players(session=session, seed="x")
    table = session.tables.get()
    rounds = [payload(self_draw(0)), payload(kong(1), discard_win(1, payer=3)), payload(discard_win(2, payer=0))]
    for version, round_ in enumerate(rounds):
        record_round(table=table, payload=round_, expected_version=version, idempotency_key=f"{version}")
    record_note(table=table, text=MORE, expected_version=3, idempotency_key="n")
    raise_dispute(table=table, seq=1, text=MORE[:500])
    table.refresh_from_db()
    return session


def crawl(client: Any, starts: list[str]) -> tuple[dict[str, list[str]], set[str]]:
    """From some pages by links, one page of each kind: the faults of each, and which showed a hostile text as text."""
    faults: dict[str, list[str]] = {}
    shown: set[str] = set()
    seen: set[str] = set()
    waiting = deque(starts)
    while waiting:
        url = waiting.popleft()
        kind = resolve(urlsplit(url).path).view_name
        if url in seen or (kind in faults and url not in starts):
            continue
        seen.add(url)
        answer = client.get(url, follow=True)
        finder = Finder()
        if answer["Content-Type"].startswith("text/html"):
            page = answer.content.decode()
            finder.feed(page)
            if "&lt;img src=x" in page or "&lt;b data-evil" in page:
                shown.add(kind)
        faults.setdefault(kind, []).extend(finder.faults)
        for link in finder.links:
            here = urlsplit(urldefrag(link)[0])
            if not here.netloc and here.path.startswith("/") and not here.path.startswith(LEFT_ALONE):
                waiting.append(here.geturl())
    return faults, shown


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_no_page_takes_a_text_for_markup(client, place: Session, language):
    client.force_login(User.objects.get(username="owner"))
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    table = place.tables.get()
    at = [table.public_id, table.scorer_token]
    starts = [
        "/",
        "/rules/evil_rules/",
        "/rules/search/?q=script",
        "/rules/search/?q=img",
        "/tables/new/evil_rules/",
        "/score/evil_rules/",
        reverse("scoring:table", args=at),
        reverse("scoring:middle", args=at),
        reverse("scoring:record", args=at),
        reverse("scoring:entry", args=[*at, 1]),
        reverse("scoring:entry", args=[*at, 2]),
        reverse("clubs:hall", args=[place.public_id, place.watch_token]),
        reverse("clubs:session", args=[place.public_id]),
        reverse("clubs:club", args=["hui"]),
        reverse("exports:table", args=at),
    ]

    faults, shown = crawl(client, starts)

    assert {kind: found for kind, found in faults.items() if found} == {}
    assert len(faults) > 40
    assert len(shown) > 30
    assert {"rules:game", "rules:search", "scoring:record", "scoring:table", "clubs:hall", "clubs:standings", "clubs:player"} <= shown
