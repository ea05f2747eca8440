"""Devices that were let in: to all tables of a session, or to one table."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from scoring_app.api.acts import changes, reads, writes
from scoring_app.api.base import CREATED, ApiView, SessionView, TableView
from scoring_app.api.schema import sessions as schema
from scoring_app.models import DeviceGrant
from scoring_app.sessions import Issued, grants_of, issue_grant, other_writers, rename_grant, revoke_grant, take_over

A_DAY = 24 * 60


class Place(ApiView):
    """Where devices are let in."""

    reading = writing = "manage"

    @abstractmethod
    def place(self, public_id: str) -> dict[str, Any]:
        """The table or the session, once the caller may manage its devices."""

    def grant_for(self, public_id: str, grant: str) -> DeviceGrant:
        place = self.place(public_id)
        # The devices of a session are not those of one of its tables, though they come there too.
        own = [one for one in grants_of(**place, revoked=True) if "session" in place or one.table_id == place["table"].pk]
        found = next((one for one in own if one.public_id == grant), None)
        if found is None:
            raise Http404
        return found


class Devices(Place):
    @reads("list_devices", "Devices that may come", schema.GrantBody(many=True))
    def get(self, _request: Request, public_id: str) -> Response:
        return Response(schema.GrantBody(grants_of(**self.place(public_id)), many=True).data)

    @writes("let_device_in", "Let a device in", schema.NewGrant, schema.IssuedGrant)
    def post(self, _request: Request, public_id: str) -> Response:
        return Response(describe_issued(issue_grant(**self.place(public_id), **self.body(schema.NewGrant))), status=CREATED)


class DeviceDetail(Place):
    @changes("rename_device", "Rename a device", schema.GrantChange, schema.GrantBody)
    def patch(self, _request: Request, public_id: str, grant: str) -> Response:
        found = self.grant_for(public_id, grant)
        return Response(schema.GrantBody(rename_grant(grant=found, **self.body(schema.GrantChange))).data)

    @changes("revoke_device", "Shut a device out", None, schema.GrantBody)
    def delete(self, _request: Request, public_id: str, grant: str) -> Response:
        return Response(schema.GrantBody(revoke_grant(grant=self.grant_for(public_id, grant))).data)


class TakeOver(Place):
    @writes("take_over_device", "Another device takes the place of one that died", schema.TakeOver, schema.IssuedGrant)
    def post(self, _request: Request, public_id: str, grant: str) -> Response:
        return Response(describe_issued(take_over(grant=self.grant_for(public_id, grant), **self.body(schema.TakeOver))), status=CREATED)


class OfSession(SessionView):
    def place(self, public_id: str) -> dict[str, Any]:
        return {"session": self.session_for(public_id, "manage_devices")}


class OfTable(TableView):
    def place(self, public_id: str) -> dict[str, Any]:
        return {"table": self.table_for(public_id, "manage_devices")}


def as_of(place: str, **ids: str) -> Any:
    """The same endpoints at another address, under names of their own in the OpenAPI document."""
    return extend_schema_view(**{method: extend_schema(operation_id=f"{name}_of_{place}") for method, name in ids.items()})


@as_of("session", get="list_devices", post="let_device_in")
class SessionDevices(OfSession, Devices):
    pass


@as_of("session", patch="rename_device", delete="revoke_device")
class SessionDevice(OfSession, DeviceDetail):
    pass


@as_of("session", post="take_over_device")
class SessionTakeOver(OfSession, TakeOver):
    pass


class TableDevices(OfTable, Devices):
    pass


class TableDevice(OfTable, DeviceDetail):
    pass


class TableTakeOver(OfTable, TakeOver):
    pass


class Writers(TableView):
    @reads("list_writers", "Other devices that have written at the table within a day", schema.WriterBody(many=True))
    def get(self, _request: Request, public_id: str) -> Response:
        found = other_writers(self.table_for(public_id, "record_round"), self.caller.origin.device_id, minutes=A_DAY)
        return Response(schema.WriterBody(found, many=True).data)


def describe_issued(issued: Issued) -> dict[str, Any]:
    """A grant with the token that only its device will know."""
    return {**schema.GrantBody(issued.grant).data, "token": issued.token}
