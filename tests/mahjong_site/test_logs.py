"""The log says what happened and never who may write at a table."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from mahjong_site import urls

handler404 = urls.handler404
handler500 = urls.handler500


def broken(request: HttpRequest, secret: str) -> HttpResponse:
    raise RuntimeError("the engine fell over")


urlpatterns = [path("broken/<slug:secret>/", broken), *urls.urlpatterns]


@contextmanager
def captured(logger: str) -> Iterator[io.StringIO]:
    """What the handler of a logger writes meanwhile."""
    written = io.StringIO()
    handler = next(entry for entry in logging.getLogger(logger).handlers if type(entry) is logging.StreamHandler)
    before = handler.setStream(written)
    yield written
    handler.setStream(before)


@pytest.mark.django_db
@pytest.mark.urls("tests.mahjong_site.test_logs")
def test_a_fault_is_logged_by_its_route_without_the_secret_in_its_path():
    client = Client(raise_request_exception=False)
    with captured("django.request") as written:
        answer = client.get("/broken/abcdef123456/")

    line = json.loads(written.getvalue().splitlines()[0])
    assert answer.status_code == 500
    assert line["event"] == "Internal Server Error: broken/<slug:secret>/"
    assert "the engine fell over" in line["exception"]
    assert line["request_id"] == answer["X-Request-ID"]
    assert "abcdef123456" not in written.getvalue()


@pytest.mark.django_db
@pytest.mark.urls("tests.mahjong_site.test_logs")
def test_a_form_refused_for_its_token_is_logged_by_its_route_too():
    client = Client(enforce_csrf_checks=True)
    with captured("") as written:
        answer = client.post("/broken/abcdef123456/")

    line = json.loads(written.getvalue().splitlines()[0])
    assert answer.status_code == 403
    assert line["event"] == "Forbidden (CSRF cookie not set.): broken/<slug:secret>/"
    assert "abcdef123456" not in written.getvalue()
