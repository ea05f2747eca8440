"""What happened at the tables.

`table` holds what a table is, `ledger` what is written there for good, `marks` what others say of it, `draft` the round
in progress; `club` and `session` who plays, `device` on which phones;
`job` long work, `api` how programs come in.
"""

from __future__ import annotations

from scoring_app.models.api import ApiAnswer, ApiToken
from scoring_app.models.club import Club, ClubRuleset, Invitation, Member, Membership, Role, Season
from scoring_app.models.device import DeviceGrant
from scoring_app.models.draft import OpenRound
from scoring_app.models.job import Job, JobFile, Provenance
from scoring_app.models.ledger import Content, Entry, Posting, Standing
from scoring_app.models.marks import Confirmation, Dispute, DisputeAnswer, Seal
from scoring_app.models.session import ExtraTime, SeatDraw, Session, SessionPlayer
from scoring_app.models.table import ConfirmationPolicy, LengthKind, Participant, Table

__all__ = [
    "ApiAnswer",
    "ApiToken",
    "Club",
    "ClubRuleset",
    "Confirmation",
    "ConfirmationPolicy",
    "Content",
    "DeviceGrant",
    "Dispute",
    "DisputeAnswer",
    "Entry",
    "ExtraTime",
    "Invitation",
    "Job",
    "JobFile",
    "LengthKind",
    "Member",
    "Membership",
    "OpenRound",
    "Participant",
    "Posting",
    "Provenance",
    "Role",
    "Seal",
    "Season",
    "SeatDraw",
    "Session",
    "SessionPlayer",
    "Standing",
    "Table",
]
