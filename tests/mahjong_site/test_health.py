"""What an operator's monitor asks."""

from __future__ import annotations

import pytest
from django.test import Client


def test_healthz_answers_without_any_service(client: Client):
    answer = client.get("/healthz")

    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
def test_readyz_names_each_part(client: Client):
    answer = client.get("/readyz")

    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "parts": {"database": "ok", "migrations": "ok", "cache": "ok"}}


@pytest.mark.django_db
def test_readyz_fails_on_pending_migrations_and_says_the_command(client: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("mahjong_site.health.MigrationExecutor.migration_plan", lambda self, targets: ["one"])

    answer = client.get("/readyz")

    assert answer.status_code == 503
    assert answer.json()["parts"]["migrations"] == "1 pending: run manage.py migrate"


@pytest.mark.django_db
def test_readyz_fails_when_the_cache_is_away(client: Client, settings):
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1"}}

    answer = client.get("/readyz")

    assert answer.status_code == 503
    assert answer.json()["parts"]["cache"] == "ConnectionError"
