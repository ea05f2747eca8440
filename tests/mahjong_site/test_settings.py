"""The environment decides: embedded by default, strict in production."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

from mahjong_site.secret import read_or_create_secret

PRODUCTION = {
    "PRODUCTION": "1",
    "SECRET_KEY": "a-secret-for-this-test-only-that-is-longer-than-fifty-characters",
    "ALLOWED_HOSTS": "mahjong.example",
    "CSRF_TRUSTED_ORIGINS": "https://mahjong.example",
    "DATABASE_URL": "postgres://mahjong@db.example/mahjong",
    "REDIS_URL": "redis://cache.example/0",
}
SHOWN = """
import json
from django.conf import settings as s
print(json.dumps({
    "debug": s.DEBUG, "eager": s.CELERY_TASK_ALWAYS_EAGER, "engine": s.DATABASES["default"]["ENGINE"],
    "secure": getattr(s, "SESSION_COOKIE_SECURE", False), "cache": s.CACHES["default"]["BACKEND"], "hosts": s.ALLOWED_HOSTS,
}))
"""


def run(*arguments: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A Python process with only this environment, its var/ in ``folder``."""
    inherited = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return subprocess.run(
        [sys.executable, *arguments],
        env={**inherited, "DJANGO_SETTINGS_MODULE": "mahjong_site.settings", "VAR_DIR": str(folder), **environment},
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_without_any_variable_the_site_needs_nothing_else(tmp_path: Path):
    done = run("-c", SHOWN, folder=tmp_path)

    assert json.loads(done.stdout) == {
        "debug": False,
        "eager": True,
        "engine": "django.db.backends.sqlite3",
        "secure": False,
        "cache": "django.core.cache.backends.locmem.LocMemCache",
        "hosts": ["127.0.0.1", "localhost", "[::1]"],
    }
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600


def test_production_takes_its_services_from_the_environment(tmp_path: Path):
    done = run("-c", SHOWN, folder=tmp_path, **PRODUCTION)

    assert json.loads(done.stdout) == {
        "debug": False,
        "eager": False,
        "engine": "django.db.backends.postgresql",
        "secure": True,
        "cache": "django.core.cache.backends.redis.RedisCache",
        "hosts": ["mahjong.example"],
    }
    assert not (tmp_path / "secret_key").exists()


def test_production_without_a_secret_refuses_to_start(tmp_path: Path):
    done = run("-c", SHOWN, folder=tmp_path, PRODUCTION="1")

    assert done.returncode != 0
    assert "PRODUCTION=1 needs SECRET_KEY" in done.stderr


def test_production_on_sqlite_without_redis_is_warned_of(tmp_path: Path):
    environment = {name: value for name, value in PRODUCTION.items() if name not in {"DATABASE_URL", "REDIS_URL"}}

    done = run("manage.py", "check", "--deploy", "--fail-level", "WARNING", folder=tmp_path, **environment)

    assert done.returncode != 0
    assert "mahjong_site.W001" in done.stderr
    assert "mahjong_site.W002" in done.stderr


def test_every_file_that_our_style_sheets_name_exists(settings, tmp_path: Path):
    """The manifest of production refuses a name that it cannot find."""
    settings.STATIC_ROOT = tmp_path
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"}}

    call_command("collectstatic", "--noinput", verbosity=0)

    manifest = json.loads((tmp_path / "staticfiles.json").read_text())
    assert {"css/base.css", "js/app.js", "tiles/tiles.svg", "vendor/htmx/htmx.min.js"} <= manifest["paths"].keys()


def test_sqlite_waits_for_its_turn_to_write():
    options = settings.DATABASES["default"].get("OPTIONS", {})
    if settings.DATABASES["default"]["ENGINE"] != "django.db.backends.sqlite3":
        pytest.skip("runs on another database")

    assert options["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in options["init_command"]


def test_the_secret_is_made_once(tmp_path: Path):
    first = read_or_create_secret(tmp_path / "new" / "secret_key")

    assert len(first) >= 50
    assert read_or_create_secret(tmp_path / "new" / "secret_key") == first
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["secret_key"]
