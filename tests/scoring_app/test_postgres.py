"""The ledger on a real PostgreSQL server: its triggers, locks and random evenings; sessions, exports, jobs.

The tests themselves are those that run on SQLite; they run here in a process of their own whose DATABASE_URL
names the server. Without a server this is skipped, but fails where CI is set.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

pytestmark = pytest.mark.postgres

HERE = Path(__file__).parent
URL = os.environ.get("POSTGRES_URL", "postgres://postgres@127.0.0.1:5432/mahjong_ledger")
MODULES = [
    "test_append_only",
    "test_at_the_table",
    "test_clubs",
    "test_correct_pages",
    "test_corrections",
    "test_devices",
    "test_evenings_property",
    "test_jobs",
    "test_json_exports",
    "test_marks",
    "test_old_results",
    "test_open_rounds",
    "test_property",
    "test_races",
    "test_recording",
    "test_reseating",
    "test_rule_changes",
    "test_session_ends",
    "test_sessions",
    "test_settle_up",
    "test_statistics",
    "test_taking_back",
    "test_verification",
]


@pytest.fixture
def server() -> str:
    try:
        psycopg.connect(URL.rpartition("/")[0] + "/postgres", connect_timeout=3).close()
    except psycopg.OperationalError as error:
        if os.environ.get("CI"):
            pytest.fail(f"CI needs a PostgreSQL server at {URL}: {error}")
        pytest.skip(f"no PostgreSQL server at {URL}")
    return URL


def test_ledger_holds_on_postgresql(server):
    modules = [str(HERE / f"{name}.py") for name in MODULES]
    name = f"{server.rpartition('/')[2]}_{os.getpid()}"
    environment = {**os.environ, "DATABASE_URL": f"{server.rpartition('/')[0]}/{name}", "PYTEST_ADDOPTS": ""}
    environment.pop("PYTEST_XDIST_WORKER", None)
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--create-db", "-p", "no:xdist", *modules],
        cwd=HERE.parent.parent,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )

    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-2000:]
    assert "skipped" not in run.stdout
