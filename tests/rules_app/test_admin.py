"""Rulesets in the admin."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.urls import reverse

from rules_app.models import Revision, Ruleset
from tests.factories import publish

pytestmark = pytest.mark.django_db


@pytest.fixture
def ruleset() -> Ruleset:
    return publish("pocket", (Path(__file__).parent / "documents/pocket.yaml").read_text()).ruleset


def act(client, action: str, ruleset: Ruleset, **more: str):
    data = {"action": action, "_selected_action": [ruleset.pk], **more}
    return client.post(reverse("admin:rules_app_ruleset_changelist"), data, follow=True, headers={"accept-language": "en"})


def submit(client, draft: Revision, document: str, button: str = "_continue"):
    url = reverse("admin:rules_app_revision_change", args=[draft.pk])
    return client.post(url, {"document": document, "note": "n", button: "1"}, follow=True, headers={"accept-language": "en"})


@pytest.fixture
def draft(admin_client, ruleset) -> Revision:
    act(admin_client, "fork", ruleset, slug="ours")
    return Revision.objects.select_related("ruleset").get(ruleset__slug="ours")


def test_forking_leads_to_the_draft(admin_client, ruleset):
    response = act(admin_client, "fork", ruleset)

    draft = Revision.objects.get(ruleset__slug="pocket_house")
    assert response.redirect_chain[-1][0] == reverse("admin:rules_app_revision_change", args=[draft.pk])
    assert "No faults, and every example is right." in response.text
    assert 'class="document-text"' in response.text


def test_fork_under_a_taken_slug_says_so(admin_client, ruleset, draft):
    assert "The slug ours is taken." in act(admin_client, "fork", ruleset, slug="ours").text


def test_draft_is_kept_with_its_faults_shown(admin_client, draft):
    response = submit(admin_client, draft, draft.document + "nonsense: 1\n")

    line = len(draft.document.splitlines()) + 1
    assert f"line {line}, column" in response.text
    assert "there is no key nonsense here" in response.text
    draft.refresh_from_db()
    assert draft.document.endswith("nonsense: 1\n")


def test_faulty_draft_is_not_published(admin_client, draft):
    response = submit(admin_client, draft, draft.document + "nonsense: 1\n", "_publish")

    assert "before this can be published" in response.text
    draft.refresh_from_db()
    assert not draft.is_published


def test_draft_is_published_and_then_only_read(admin_client, draft):
    response = submit(admin_client, draft, draft.document, "_publish")

    draft.refresh_from_db()
    assert draft.is_published
    assert draft.author.username == "admin"
    assert 'name="document"' not in response.text
    assert submit(admin_client, draft, "x").status_code == 403


def test_next_draft_starts_from_the_ruleset(admin_client, draft):
    submit(admin_client, draft, draft.document, "_publish")
    act(admin_client, "edit_draft", draft.ruleset)

    assert draft.ruleset.draft.number == 2


def test_shipped_ruleset_has_to_be_forked(admin_client, ruleset):
    Ruleset.objects.update(shipped=True)

    assert "fork it first" in act(admin_client, "edit_draft", ruleset).text


def test_lists_and_pages_open(admin_client, draft):
    for name, arguments in (
        ("ruleset_changelist", []),
        ("ruleset_change", [draft.ruleset_id]),
        ("revision_changelist", []),
    ):
        assert admin_client.get(reverse(f"admin:rules_app_{name}", args=arguments)).status_code == 200


def test_the_page_of_a_draft_is_chinese_for_who_reads_chinese(admin_client, draft):
    url = reverse("admin:rules_app_revision_change", args=[draft.pk])
    page = admin_client.get(url, headers={"accept-language": "zh-CN"}).content.decode()

    assert all(f"{words}：" in page or f"{words}:" in page for words in ("玩法", "版次", "状态", "内容校验值", "作者", "改了什么", "文档"))
    assert "规则</a>" in page
