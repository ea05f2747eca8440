"""Statistics of what was played: `facts` and `calculation` are pure, `selectors` read, `settling` settles."""

from __future__ import annotations

from scoring_app.statistics.calculation import Biggest, Matrix, PatternCount, Series, SeriesPoint, StandingLine, Statistics
from scoring_app.statistics.facts import Fact, Flow, Person, Sitting, Win
from scoring_app.statistics.selectors import (
    Evening,
    Facts,
    PlayerPage,
    club_statistics,
    player_page,
    read_facts,
    season_statistics,
    session_statistics,
    table_statistics,
)
from scoring_app.statistics.settling import EXACT_LIMIT, Transfer, settle_up

__all__ = [
    "EXACT_LIMIT",
    "Biggest",
    "Evening",
    "Fact",
    "Facts",
    "Flow",
    "Matrix",
    "PatternCount",
    "Person",
    "PlayerPage",
    "Series",
    "SeriesPoint",
    "Sitting",
    "StandingLine",
    "Statistics",
    "Transfer",
    "Win",
    "club_statistics",
    "player_page",
    "read_facts",
    "season_statistics",
    "session_statistics",
    "settle_up",
    "table_statistics",
]
