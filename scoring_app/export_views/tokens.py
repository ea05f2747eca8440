"""Personal tokens under the account: make one, see them, take one back."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from rules_app.languages import page_language
from scoring_app.api_tokens import SCOPES, create_token, revoke_token
from scoring_app.club_views.asking import problem_of, see, whole
from scoring_app.club_views.visits import private
from scoring_app.errors import Refused
from scoring_app.models import ApiToken


@require_http_methods(["GET", "POST"])
@login_required
def tokens(request: HttpRequest) -> HttpResponse:
    """The tokens of the account; a POST makes one, whose secret this answer shows and no other."""
    account: Any = request.user
    secret, problem, status = "", None, 200
    if request.method == "POST":
        try:
            days = whole(request.POST, "days", default=365)
            made = create_token(
                account=account, name=str(request.POST.get("name", "")), scopes=request.POST.getlist("scopes"), days=days or None
            )
            secret = made.secret
        except Refused as error:
            problem = problem_of(error)
            status = problem.status
    context = {
        "tokens": [(token, _allowed(token)) for token in ApiToken.objects.filter(account=account, revoked_at=None)],
        "scopes": [(scope, words.in_language(page_language())) for scope, words in SCOPES.items()],
        "chosen": request.POST.getlist("scopes") if problem else ["read"],
        "name": request.POST.get("name", "") if problem else "",
        "secret": secret,
        "problem": problem,
    }
    return private(request, render(request, "scoring_app/exports/tokens.html", context, status=status))


@require_POST
@login_required
def revoke(request: HttpRequest, public_id: str) -> HttpResponse:
    account: Any = request.user
    revoke_token(token=get_object_or_404(ApiToken, account=account, public_id=public_id))
    messages.success(request, _("The token no longer works."))
    return see(reverse("exports:tokens"))


def _allowed(token: ApiToken) -> str:
    """What it may do, in words."""
    language = page_language()
    words = [text.in_language(language) for scope, text in SCOPES.items() if scope in token.scopes]
    return ("；" if language == "zh" else "; ").join(words)
