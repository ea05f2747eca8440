"""The search on a real PostgreSQL server: the same tests, in a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

pytestmark = pytest.mark.postgres

HERE = Path(__file__).parent
URL = os.environ.get("POSTGRES_URL", "postgres://postgres@127.0.0.1:5432/mahjong_search")


@pytest.fixture
def server() -> str:
    base = URL.rpartition("/")[0]
    try:
        psycopg.connect(f"{base}/postgres", connect_timeout=3).close()
    except psycopg.OperationalError as error:
        if os.environ.get("CI"):
            pytest.fail(f"CI needs a PostgreSQL server at {URL}: {error}")
        pytest.skip(f"no PostgreSQL server at {URL}")
    return base


def test_the_search_finds_the_same_on_postgresql(server: str):
    environment = {**os.environ, "DATABASE_URL": f"{server}/mahjong_search_{os.getpid()}", "PYTEST_ADDOPTS": ""}
    environment.pop("PYTEST_XDIST_WORKER", None)
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--create-db", "-p", "no:xdist", str(HERE / "test_finding.py"), str(HERE / "test_pages.py")],
        cwd=HERE.parents[2],
        env=environment,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )

    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-2000:]
    assert "skipped" not in run.stdout
