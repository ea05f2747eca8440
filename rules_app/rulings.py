"""Scoring by a stored revision: the one door from the database to the engine.

A compiled ruleset is kept per content hash and process, an outcome per ruleset and request: a page that
explains a round again does not score it again, and the document need not be read to score.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rules_app.engine import Outcome, Ruleset, compile_ruleset, load_ruleset
from rules_app.engine.parsing import parse_round
from rules_app.models import Revision
from rules_app.parsed_documents import document_of

KEPT_RULESETS = 64

_rulesets: dict[str, Ruleset] = {}


def ruleset_of(revision: Revision) -> Ruleset:
    """The compiled ruleset of a revision.

    :raises rules_app.engine.DocumentFaults: for a draft that is not in order.
    """
    known = _rulesets.get(revision.content_hash)
    if known is not None:
        return known
    ruleset = compile_ruleset(document_of(revision)) if revision.is_published else load_ruleset(revision.document)
    if len(_rulesets) >= KEPT_RULESETS:
        _rulesets.pop(next(iter(_rulesets)), None)
    _rulesets[revision.content_hash] = ruleset
    return ruleset


def score(revision: Revision, request: Mapping[str, Any]) -> Outcome:
    """What a round comes to: ``request`` holds ``options``, ``table`` and ``round`` (and ``ask``).

    :raises rules_app.engine.Refusal: when the round cannot be scored.
    """
    text = json.dumps(request, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return _outcome(ruleset_of(revision), text)


@lru_cache(maxsize=512)
def _outcome(ruleset: Ruleset, request: str) -> Outcome:
    outcome: Outcome = ruleset.score(json.loads(request))
    return outcome


def check_table(revision: Revision, request: Mapping[str, Any]) -> None:
    """Whether the rules know these ``options`` and this ``table``, before any round is played.

    :raises rules_app.engine.Refusal: they do not.
    """
    parse_round(ruleset_of(revision), {**request, "round": {}})
