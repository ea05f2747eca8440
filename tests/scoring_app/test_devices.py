"""Devices: grants that outlive a bad network, listed, renamed, revoked, taken over (G2, G28)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from scoring_app.errors import SessionError
from scoring_app.ledger import Origin, record_round
from scoring_app.models import DeviceGrant
from scoring_app.sessions import (
    grant_of,
    grants_of,
    issue_grant,
    open_session,
    other_writers,
    rename_grant,
    revoke_grant,
    role_at,
    take_over,
)
from tests.scoring_app.evenings import table_of
from tests.scoring_app.rounds import discard_win, payload

pytestmark = pytest.mark.django_db


def test_a_grant_lasts_and_only_its_device_knows_the_token(table):
    # G2
    issued = issue_grant(table=table, role="scorer", label=" 桌上 平板 ")
    assert issued.token not in str(DeviceGrant.objects.values().get())
    DeviceGrant.objects.update(created_at=timezone.now() - timedelta(days=300), last_seen=timezone.now() - timedelta(days=300))

    grant = grant_of(issued.token)

    assert grant is not None
    assert (grant.label, role_at(grant, table)) == ("桌上 平板", "scorer")
    assert grant.last_seen is not None
    assert timezone.now() - grant.last_seen < timedelta(minutes=1)
    assert grant_of("guess") is None


def test_seeing_a_device_again_writes_nothing(table, django_assert_num_queries):
    issued = issue_grant(table=table, role="viewer")
    with django_assert_num_queries(1):
        grant_of(issued.token)


def test_a_grant_is_for_its_table_or_all_tables_of_its_session(table, revision):
    session = open_session(revision=revision, options={"mode": "single"})
    mine = table_of(session, "甲乙丙丁")
    one = issue_grant(table=mine, role="viewer").grant
    whole = issue_grant(session=session, role="scorer").grant

    assert (role_at(one, mine), role_at(one, table)) == ("viewer", None)
    assert (role_at(whole, mine), role_at(whole, table)) == ("scorer", None)
    assert grants_of(table=mine) == [whole, one]
    assert grants_of(session=session) == [whole, one]
    with pytest.raises(SessionError):
        issue_grant(table=mine, role="owner")


def test_a_dead_phone_is_replaced(table):
    # G28
    old = issue_grant(table=table, role="scorer", label="旧手机")
    new = take_over(grant=old.grant, label="新手机")

    assert grant_of(old.token) is None
    grant = grant_of(new.token)
    assert grant is not None
    assert (grant.role, grant.label, grant.taken_over_from) == ("scorer", "新手机", old.grant)
    with pytest.raises(SessionError) as refusal:
        take_over(grant=old.grant)
    assert refusal.value.code == "grant_ended"
    rename_grant(grant=grant, label="裁判")
    revoke_grant(grant=grant)
    assert grant_of(new.token) is None
    assert grants_of(table=table) == []
    assert [one.label for one in grants_of(table=table, revoked=True)] == ["裁判", "旧手机"]


def test_two_devices_that_write_know_of_each_other(table):
    # G28
    for version, device in enumerate(["a", "b"]):
        record_round(
            table=table,
            payload=payload(discard_win(version, payer=3)),
            expected_version=version,
            idempotency_key=device,
            origin=Origin(device_id=device, device_label=f"手机{device}"),
        )
    assert [(writer.device_id, writer.device_label) for writer in other_writers(table, "a")] == [("b", "手机b")]
    assert [writer.device_id for writer in other_writers(table, "c")] == ["b", "a"]
