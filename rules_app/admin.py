"""Rulesets in the admin: fork one, edit its draft as text, see what is wrong, publish."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db.models import QuerySet
from django.forms.widgets import Script
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rules_app.engine import Fault
from rules_app.language_page import reference
from rules_app.languages import page_language
from rules_app.models import Revision, Ruleset
from rules_app.publishing import PublishingError, check_document, fork_ruleset, free_slug, publish_revision, start_draft

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    RulesetBase = admin.ModelAdmin[Ruleset]
    RevisionBase = admin.ModelAdmin[Revision]
else:  # Django's class takes no parameter when it runs
    RulesetBase = RevisionBase = admin.ModelAdmin


class ForkForm(ActionForm):
    """The slug of a new fork, beside the choice of the action."""

    slug = forms.SlugField(required=False, label=gettext_lazy("slug of the fork"), max_length=40)


@admin.register(Ruleset)
class RulesetAdmin(RulesetBase):
    list_display = ["slug", "name_zh", "name_en", "shipped", "owner", "published", "draft_link"]
    list_filter = ["shipped"]
    search_fields = ["slug", "name_zh", "name_en"]
    fields = ["slug", "name_zh", "name_en", "owner", "forked_from", "shipped", "published", "draft_link"]
    readonly_fields = ["slug", "name_zh", "name_en", "forked_from", "shipped", "published", "draft_link"]
    actions = ["fork", "edit_draft"]
    action_form = ForkForm

    def has_add_permission(self, request: HttpRequest) -> bool:
        """A ruleset starts as a fork."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Ruleset | None = None) -> bool:
        return False

    @admin.display(description=gettext_lazy("published"))
    def published(self, ruleset: Ruleset) -> str:
        latest = ruleset.latest
        return f"#{latest.number}" if latest else "–"

    @admin.display(description=gettext_lazy("draft"))
    def draft_link(self, ruleset: Ruleset) -> str:
        draft = ruleset.draft
        return format_html('<a href="{}">#{}</a>', revision_url(draft), draft.number) if draft else "–"

    @admin.action(description=gettext_lazy("Fork as a ruleset of one’s own"), permissions=["change"])
    def fork(self, request: HttpRequest, queryset: QuerySet[Ruleset]) -> HttpResponse | None:
        ruleset = self.only_one(request, queryset)
        if ruleset is None:
            return None
        slug = request.POST.get("slug") or free_slug(ruleset.slug)
        return self.attempt(request, lambda: fork_ruleset(ruleset=ruleset, slug=slug, owner=keeper(request)).draft)

    @admin.action(description=gettext_lazy("Edit the draft"), permissions=["change"])
    def edit_draft(self, request: HttpRequest, queryset: QuerySet[Ruleset]) -> HttpResponse | None:
        ruleset = self.only_one(request, queryset)
        if ruleset is None:
            return None
        return self.attempt(request, lambda: start_draft(ruleset=ruleset, author=keeper(request)))

    def only_one(self, request: HttpRequest, queryset: QuerySet[Ruleset]) -> Ruleset | None:
        if len(queryset) == 1:
            return queryset[0]
        self.message_user(request, _("Choose one ruleset."), messages.ERROR)
        return None

    def attempt(self, request: HttpRequest, make: Any) -> HttpResponse | None:
        """Go to the draft that ``make`` gives, or say why there is none."""
        try:
            return redirect(revision_url(make()))
        except PublishingError as error:
            self.message_user(request, error.message.in_language(page_language()), messages.ERROR)
            return None


LABELS = {
    "ruleset": gettext_lazy("Game"),
    "number": gettext_lazy("number of the revision"),
    "status": gettext_lazy("state"),
    "content_hash": gettext_lazy("content hash"),
    "published_at": gettext_lazy("published"),
    "author": gettext_lazy("author"),
    "note": gettext_lazy("what has changed"),
}


@admin.register(Revision)
class RevisionAdmin(RevisionBase):
    list_display = ["__str__", "status", "published_at", "author", "note"]
    list_filter = ["status", "ruleset"]
    list_select_related = ["ruleset", "author"]
    fields = ["ruleset", "number", "status", "content_hash", "published_at", "author", "note", "check_result", "document"]
    readonly_fields = ["ruleset", "number", "status", "content_hash", "published_at", "author", "check_result"]
    change_form_template = "admin/rules_app/revision/change_form.html"

    class Media:
        css: ClassVar = {"all": ["css/admin_document.css", "css/language.css"]}
        js: ClassVar = [Script("js/language.js", defer=True)]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """A draft is started from its ruleset."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Revision | None = None) -> bool:
        return super().has_change_permission(request, obj) and not (obj and obj.is_published)

    def has_delete_permission(self, request: HttpRequest, obj: Revision | None = None) -> bool:
        return super().has_delete_permission(request, obj) and bool(obj and not obj.is_published)

    def get_form(self, request: HttpRequest, obj: Revision | None = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change, labels=LABELS, **kwargs)
        if "document" in form.base_fields:
            attributes = {"class": "document-text", "rows": 40, "cols": 120, "spellcheck": "false"}
            form.base_fields["document"] = forms.CharField(label=_("document"), widget=forms.Textarea(attrs=attributes), strip=False)
        return form

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> HttpResponse:
        obj = kwargs.get("obj")
        if obj is not None and not obj.is_published:
            context["reference"] = reference(page_language())
        return super().render_change_form(request, context, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Revision, form: Any, change: bool) -> None:
        obj.author = keeper(request)
        super().save_model(request, obj, form, change)

    def response_change(self, request: HttpRequest, obj: Revision) -> HttpResponse:
        if "_publish" not in request.POST:
            return super().response_change(request, obj)
        try:
            publish_revision(revision=obj, author=keeper(request), note=obj.note)
        except PublishingError as error:
            self.message_user(request, error.message.in_language(page_language()), messages.ERROR)
        else:
            self.message_user(request, _("%(revision)s is published.") % {"revision": obj}, messages.SUCCESS)
        return redirect(revision_url(obj))

    @admin.display(description=gettext_lazy("what the engine says"))
    def check_result(self, revision: Revision) -> SafeString:
        if revision.is_published:
            return format_html("<p>{}</p>", _("Published: every example was right."))
        check = check_document(revision.document, slug=revision.ruleset.slug)
        if check.ok:
            return format_html("<p>{}</p>", _("No faults, and every example is right."))
        count = len(check.faults)
        parts = []
        if count:
            heading = ngettext("%(count)s fault", "%(count)s faults", count) % {"count": count}
            parts.append((heading, fault_list(check.faults)))
        if check.broken_examples:
            count = len(check.broken_examples)
            heading = ngettext("%(count)s example disagrees", "%(count)s examples disagree", count) % {"count": count}
            parts.append((heading, fault_list(check.broken_examples)))
        return format_html_join("", "<h3>{}</h3>{}", parts)


def fault_list(faults: tuple[Fault, ...]) -> SafeString:
    """Each fault with its line, place and sentence."""
    place = _("line %(line)s, column %(column)s")
    rows = (
        (place % {"line": fault.line, "column": fault.column}, fault.path, fault.message.in_language(page_language())) for fault in faults
    )
    return format_html('<ul class="document-faults">{}</ul>', format_html_join("", "<li><b>{}</b> <code>{}</code> {}</li>", rows))


def keeper(request: HttpRequest) -> User | None:
    """The signed-in person, as an author."""
    return request.user if request.user.is_authenticated else None


def revision_url(revision: Revision) -> str:
    return reverse("admin:rules_app_revision_change", args=[revision.pk])
