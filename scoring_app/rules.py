"""The permission table as rules of Django: ``user.has_perm("scoring_app.edit_members", club)``.

The object is a club, or a session, table, member, season or ruleset link, whose club then counts.
"""

from __future__ import annotations

from typing import Any

from rules.permissions import add_perm
from rules.predicates import predicate as predicate_of

from scoring_app.clubs.permissions import PERMISSIONS, may, may_at_table, may_in_session
from scoring_app.models import Club, Session, Table

APP = "scoring_app"


def predicate(action: str) -> Any:
    """Whether a user may do this with the object he asks for."""

    def holds(user: Any, thing: Any) -> bool:
        if isinstance(thing, Table):
            return may_at_table(action, table=thing, user=user)
        if isinstance(thing, Session):
            return may_in_session(action, session=thing, user=user)
        club = thing if isinstance(thing, Club) else getattr(thing, "club", None)
        return isinstance(club, Club) and may(user, action, club)

    return predicate_of(holds, name=action)  # type: ignore[no-untyped-call]


for _action in PERMISSIONS:
    add_perm(f"{APP}.{_action}", predicate(_action))  # type: ignore[no-untyped-call]
