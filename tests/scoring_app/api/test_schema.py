"""What the OpenAPI document allows, the server answers: whatever is sent, never with a fault of ours."""

from __future__ import annotations

from typing import Any

import pytest
import requests
import schemathesis
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings

from tests.scoring_app.api.world import World, make_world

pytestmark = pytest.mark.django_db

EXAMPLES = 5


@pytest.fixture
def world(revision) -> World:
    return make_world(revision)


def test_nothing_that_the_schema_allows_is_a_fault_of_ours(world, settings_for_jobs):
    schema = schemathesis.openapi.from_dict(Client().get("/api/schema/?format=json").json())
    secret = world.secrets["owner"]
    asked: set[tuple[str, int]] = set()
    real = {
        "slug": "hui", "member": world.member.public_id, "job": world.job.public_id,
        "table": world.table.public_id, "number": 1, "seq": 1, "index": 0, "form": "csv",
        "code": world.session.join_code, "token": world.invitation.token,
        "invitation": world.invitation.pk, "ruleset": "hui_rules", "game": world.session.revision.ruleset.slug, "role": "viewer",
        "season": world.season.public_id, "dispute": world.dispute.pk,
    }  # fmt: skip

    for found in schema.get_all_operations():
        operation: Any = found.ok()  # type: ignore[union-attr]
        if "/variants/" in operation.path or "/search/" in operation.path:
            continue  # they have tests of their own, with hostile requests
        here = world.table.public_id if "/tables/{public_id}" in operation.path else world.session.public_id

        grant = world.table_grant if "/tables/{public_id}" in operation.path else world.grant
        probe(operation, {**real, "public_id": here, "grant": grant.public_id}, secret, asked)

    assert len({label for label, _ in asked}) > 100
    assert any(status == 200 for _, status in asked)


def test_the_schema_is_valid_and_says_everything(capsys):
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", "/dev/null")

    assert "Warning" not in capsys.readouterr().err


def probe(operation: Any, real: dict[str, Any], secret: str, asked: set[tuple[str, int]]) -> None:
    """Send some of what an operation allows, each taken back afterwards."""

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
        derandomize=True,
    )
    @given(case=operation.as_strategy())
    def answers(case: Any) -> None:
        # Reach the view: what is guessed at random in an address finds nothing.
        case.path_parameters = {name: real.get(name, value) for name, value in (case.path_parameters or {}).items()}
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {secret}"}
        sid = transaction.savepoint()
        answer = sent(case)
        transaction.savepoint_rollback(sid)
        asked.add((operation.label, answer.status_code))
        assert answer.status_code < 500, (operation.label, case.body, answer.content[:300])

    answers()


def sent(case: Any) -> Any:
    """The answer to a case, by Django's client: it stays within the transaction of the test."""
    request = requests.Request(**case.as_transport_kwargs(base_url="http://testserver")).prepare()
    headers: dict[str, Any] = {name: value for name, value in request.headers.items() if name.lower() != "content-length"}
    content_type = headers.pop("Content-Type", "application/json")
    client = Client(raise_request_exception=False)
    return client.generic(request.method or "GET", request.path_url, request.body or b"", content_type=content_type, headers=headers)


@pytest.fixture
def settings_for_jobs(settings) -> None:
    settings.JOBS_IN_PROCESS = "later"
