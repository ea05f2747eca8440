"""The rulesets that a club keeps: adopted or forked, and who may edit them."""

from __future__ import annotations

from django.db.models import Prefetch, QuerySet
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from rules_app.engine.text import Text
from rules_app.languages import page_language
from rules_app.models import Revision, Ruleset
from rules_app.publishing import free_slug
from rules_app.results import rule_url
from scoring_app.club_views.asking import Problem, attempt, games
from scoring_app.club_views.visits import ClubVisit, in_club
from scoring_app.clubs import ClubError, adopt_ruleset, fork_for_club, set_editors
from scoring_app.models import ClubRuleset, Member


@require_safe
@in_club("view_club")
def rulesets(visit: ClubVisit) -> HttpResponse:
    """What the club keeps, and what it may fork or adopt."""
    return page(visit)


def page(visit: ClubVisit, problem: Problem | None = None) -> HttpResponse:
    english = page_language() == "en"
    links = (
        ClubRuleset.objects.filter(club=visit.club).select_related("ruleset__forked_from__ruleset").defer("ruleset__forked_from__document")
    )
    links = links.prefetch_related("editors", Prefetch("ruleset__revisions", Revision.objects.defer("document")))
    manager = visit.may("edit_rulesets")
    lines = []
    for link in links:
        revisions = list(link.ruleset.revisions.all())
        published = max((one.number for one in revisions if one.status == Revision.Status.PUBLISHED), default=None)
        draft = next((one for one in revisions if one.status == Revision.Status.DRAFT), None)
        editors = list(link.editors.all())
        may_edit = manager or any(member.account_id == visit.user.pk for member in editors)
        lines.append(
            {
                "link": link,
                "name": link.ruleset.name_en if english else link.ruleset.name_zh,
                "source": link.ruleset.forked_from,
                "published": published,
                "draft": draft,
                "editors": editors,
                "editor_ids": {member.pk for member in editors},
                "rule_url": rule_url(link.ruleset.slug) if published else "",
                "edit_url": _editor_url(link.ruleset, draft) if may_edit else "",
            }
        )
    own = list(Ruleset.objects.filter(shipped=False, owner=visit.user, club_link=None))
    context = {
        "lines": lines,
        "games": games(),
        "own": own,
        "members": list(Member.objects.active().filter(club=visit.club).exclude(account=None)),
        "problem": problem,
        "data": visit.request.POST,
    }
    return visit.page("club/rulesets.html", context, status=problem.status if problem else 200, tab="rulesets")


def _editor_url(ruleset: Ruleset, draft: Revision | None) -> str:
    """Where the document is edited."""
    if draft is not None:
        return reverse("admin:rules_app_revision_change", args=[draft.pk])
    return reverse("admin:rules_app_ruleset_change", args=[ruleset.pk])


@require_POST
@in_club("edit_rulesets")
def fork(visit: ClubVisit) -> HttpResponse:
    """House rules of the club, from a published game; a slug is made where none was thought of."""
    data = visit.request.POST
    problem = attempt(
        lambda: fork_for_club(
            club=visit.club,
            ruleset=_chosen(Ruleset.objects.filter(slug=str(data.get("game") or "")), "game"),
            slug=str(data.get("slug") or "").strip() or free_slug(str(data.get("game") or "")),
            name_zh=str(data.get("name_zh") or ""),
            name_en=str(data.get("name_en") or ""),
            by=visit.user,
        )
    )
    return page(visit, problem) if problem else visit.done(_("Forked: a draft that only the club sees until it is published."), "rulesets")


@require_POST
@in_club("edit_rulesets")
def adopt(visit: ClubVisit) -> HttpResponse:
    """A ruleset of one's own becomes the club's."""
    own = Ruleset.objects.filter(slug=str(visit.request.POST.get("ruleset") or ""), owner=visit.user, shipped=False)
    problem = attempt(lambda: adopt_ruleset(club=visit.club, ruleset=_chosen(own, "ruleset"), by=visit.user))
    return page(visit, problem) if problem else visit.done(_("The club keeps it from now on."), "rulesets")


def _chosen(rulesets: QuerySet[Ruleset], path: str) -> Ruleset:
    """:raises ClubError: it is none of those that can be chosen."""
    found = rulesets.first()
    if found is None:
        raise ClubError("bad_input", Text(zh="请从列表中选一套规则。", en="Choose one of the rulesets in the list."), path)
    return found


@require_POST
@in_club("edit_rulesets")
def editors(visit: ClubVisit, ruleset: str) -> HttpResponse:
    """Who may edit it beside owners and rule keepers."""
    link = ClubRuleset.objects.filter(club=visit.club, ruleset__slug=ruleset).first()
    if link is None:
        raise Http404(ruleset)
    chosen = Member.objects.active().filter(club=visit.club, public_id__in=visit.request.POST.getlist("member"))
    problem = attempt(lambda: set_editors(club_ruleset=link, members=chosen))
    return page(visit, problem) if problem else visit.done(_("Saved."), "rulesets")
