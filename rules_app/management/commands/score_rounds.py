"""Scores rounds: JSON lines in, JSON lines out."""

from __future__ import annotations

import functools
import json
import sys
import traceback
from typing import Any, TextIO

from django.core.management.base import BaseCommand, CommandParser

from rules_app.catalogue import UnknownGame, scoring_ruleset, shipped_files
from rules_app.engine import DocumentFaults, Refusal

LONGEST_LINE = 2_000_000

ruleset_of_game = functools.cache(scoring_ruleset)


class Command(BaseCommand):
    help = "Reads a round as JSON from each line of standard input and writes what it comes to, or why it is refused, as one line."
    requires_system_checks: list[str] = []
    stealth_options = ("stdin",)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--language", choices=["zh", "en"], default="zh", help="language of the sentences (zh)")
        parser.add_argument("--bare", action="store_true", help="only what the contract asks for: no readings, no arithmetic, no transfers")

    def handle(self, *args: Any, language: str, bare: bool, **options: Any) -> None:
        out: TextIO = options.get("stdout") or sys.stdout
        lines: TextIO = options.get("stdin") or sys.stdin
        for number, line in enumerate(lines, start=1):
            if line.strip():
                out.write(json.dumps(answer(line, number, language, explain=not bare), ensure_ascii=True) + "\n")
                out.flush()


def answer(line: str, number: int, language: str, *, explain: bool) -> dict[str, Any]:
    """The answer to one line; a line that cannot be read or scored is answered with an error."""
    zh = language == "zh"
    if len(line) > LONGEST_LINE:
        return error("bad_input", f"第 {number} 行太长" if zh else f"line {number} is too long")
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        return error("bad_input", f"第 {number} 行不是 JSON" if zh else f"line {number} is not JSON")
    if not isinstance(request, dict):
        return error("bad_input", f"第 {number} 行应为一个对象" if zh else f"line {number} must be an object")
    slug = request.get("variant")
    try:
        if not isinstance(slug, str):
            raise UnknownGame(slug)
        ruleset = ruleset_of_game(slug)
        found: dict[str, Any] = ruleset.score(request).answer(language, explain=explain)
    except UnknownGame:
        known = ", ".join(shipped_files())
        return error("bad_input", f"没有这种玩法；可用：{known}" if zh else f"there is no such game; known: {known}", "variant")
    except DocumentFaults as faults:
        return error("bad_input", f"规则文件有误：{faults}" if zh else f"the ruleset is faulty: {faults}", "variant")
    except Refusal as refusal:
        return error(refusal.code, refusal.message.in_language(language), refusal.path)
    except Exception:  # noqa: BLE001 - the lines that follow must still be answered; the fault is told on standard error
        traceback.print_exc()
        return error("server_error", "裁判程序出错" if zh else "the scorer failed")
    return found


def error(code: str, message: str, path: str = "") -> dict[str, Any]:
    """An error in the shape of the API."""
    return {"error": {"code": code, "message": message, "path": path}}
