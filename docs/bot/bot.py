"""A bot in one file, with nothing but Python: opens an evening, records a round, prints the standings.

    python docs/bot/bot.py http://127.0.0.1:8000 mr_… demo

The token is made at /accounts/tokens/ and needs the scopes read and play; the last argument is the address of the club.
"""

from __future__ import annotations

import json
import sys
import urllib.error
import urllib.request
import uuid
from typing import Any


class Api:
    """The API of a site, as one account."""

    def __init__(self, site: str, token: str) -> None:
        self.site = site.rstrip("/")
        self.token = token

    def get(self, path: str) -> Any:
        return self._call("GET", path, None, {})

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """A write.  Its key stays the same when the network fails and it is sent again, so that it is done once."""
        key = str(uuid.uuid4())
        for attempt in range(3):
            try:
                return self._call("POST", path, body, {"Idempotency-Key": key})
            except urllib.error.HTTPError:
                raise
            except OSError:
                if attempt == 2:
                    raise
        raise AssertionError("never reached")

    def _call(self, method: str, path: str, body: dict[str, Any] | None, headers: dict[str, str]) -> Any:
        data = None if body is None else json.dumps(body).encode()
        sent = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", "Accept-Language": "en", **headers}
        request = urllib.request.Request(f"{self.site}/api/v1/{path}", data, sent, method=method)  # noqa: S310
        with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310
            return json.load(answer)


def play(api: Api, club: str) -> None:
    """One evening of four with one round."""
    session = api.post(f"clubs/{club}/sessions/", {"title": "Bot"})["id"]
    about = api.get(f"clubs/{club}/")
    print(f"A session of {about['name']} in {about['variant']}: {session}")
    for name in ("Anna", "Bo", "Chen", "Dora"):
        api.post(f"sessions/{session}/players/", {"name": name})
    api.post(f"sessions/{session}/seating/", {"method": "lot"})
    table = api.get(f"sessions/{session}/tables/")[0]
    here = api.get(f"tables/{table['id']}/")
    recorded = record_something(api, table["id"], here)
    print(f"Round {recorded['entry']['number']}: {recorded['entry']['payments']}")
    correct(api, table["id"], recorded)
    for place, line in enumerate(api.get(f"sessions/{session}/statistics/")["standings"], start=1):
        print(f"{place}. {line['person']['name']:<6} {line['points']:+}")
    for line in api.get(f"sessions/{session}/settlement/")["transfers"]:
        payment = {"payer": line["payer"]["key"], "payee": line["payee"]["key"], "amount": line["amount"]}
        api.post(f"sessions/{session}/settlement/", payment)
        print(f"{line['payer']['name']} pays {line['payee']['name']} {line['amount']}")
    api.post(f"sessions/{session}/end/", {})


def record_something(api: Api, table: str, here: dict[str, Any]) -> Any:
    """A win with the first pattern that the table takes: a bot that knows no game can still play one."""
    game = api.get(f"variants/{here['variant']}/")["document"]
    for name, pattern in game["patterns"].items():
        if pattern.get("on", "win") != "win":
            continue
        win = {"type": "win", "seat": 0, "by": "self_draw", "declared": [name]}
        # Some games go on after a win; this bot stops there all the same.
        payload = {"round": {"events": [win]}, "table": {"dealer": 0}, "unfinished": True}
        try:
            return api.post(f"tables/{table}/entries/", {"payload": payload, "expected_version": here["version"]})
        except urllib.error.HTTPError as refused:
            if refused.code != 422:
                raise
            print(f"not {name}: {json.load(refused)['error']['message']}")
    raise SystemExit("The table took no pattern of its game.")


def correct(api: Api, table: str, recorded: Any) -> None:
    """Put the round right: another won it.  What that changes is looked at first, then done, as it was looked at."""
    seq, payload = recorded["entry"]["seq"], recorded["entry"]["payload"]
    payload["round"]["events"][0]["seat"] = 1
    seen = api.post(f"tables/{table}/entries/{seq}/preview/", {"payload": payload})["changes"]
    correction = {"payload": payload, "reason": "seat 1 had won", "expected_version": recorded["version"]}
    done = api.post(f"tables/{table}/entries/{seq}/correct/", correction)["changes"]
    for change in done:
        print(f"Corrected {change['seq']}: {change['before']['payments']} -> {change['after']['payments']}")
    if seen != done:
        raise SystemExit("Somebody was at the table between looking and correcting.")


if __name__ == "__main__":
    try:
        play(Api(sys.argv[1], sys.argv[2]), sys.argv[3])
    except urllib.error.HTTPError as refused:
        sys.exit(f"{refused.code}: {refused.read().decode()}")
