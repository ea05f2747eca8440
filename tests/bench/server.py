"""Prints how long a score request takes in the server: part of ``make bench``.

A server of its own is started on the loopback with its data in a folder of its own, and ends with the measurement.
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.run import requests

ROOT = Path(__file__).parents[2]
GAMES = ("sichuan", "wenzhou", "two_player")
MANY = 300


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_up(port: int, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1):
                return
        except OSError:
            time.sleep(0.2)
    raise SystemExit("the server did not start")


def ask(connection: http.client.HTTPConnection, slug: str, body: bytes) -> float:
    """One request; the time in milliseconds."""
    start = time.perf_counter()
    connection.request("POST", f"/api/v1/variants/{slug}/score/", body, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    answer.read()
    if answer.status != 200:
        raise SystemExit(f"{slug}: status {answer.status}")
    return (time.perf_counter() - start) * 1000


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "VAR_DIR": folder}
        manage = [sys.executable, "manage.py"]
        subprocess.run([*manage, "migrate", "--verbosity", "0"], cwd=ROOT, env=environment, check=True)
        subprocess.run([*manage, "load_rulesets"], cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
        port = free_port()
        server = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "mahjong_site.wsgi", "--bind", f"127.0.0.1:{port}", "--threads", "4"],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_until_up(port)
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            for slug in GAMES:
                bodies = [json.dumps(request).encode() for request in requests(slug)]
                for body in bodies[:20]:
                    ask(connection, slug, body)
                times = sorted(ask(connection, slug, bodies[turn % len(bodies)]) for turn in range(MANY))
                high = times[int(len(times) * 0.95)]
                name = f"{slug}, a score request in the server"
                median = statistics.median(times)
                print(f"{name:52} median {median:8.1f} ms   p95 {high:8.1f} ms   ({MANY} asked)")
        finally:
            server.terminate()
            server.wait(timeout=20)


if __name__ == "__main__":
    main()
