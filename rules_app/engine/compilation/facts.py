"""The facts of a document: each at the first level that knows its names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules_app.engine.compiled import Fact
from rules_app.engine.environment import EventEnv, RoundEnv
from rules_app.engine.expressions import INT, KIND, SEAT, Type
from rules_app.engine.hand import HandEnv
from rules_app.engine.naming import lazy
from rules_app.engine.reading import ReadingEnv
from rules_app.engine.records import EVENT, SUIT_TEXT, TEXT
from rules_app.engine.scopes import LEVELS
from rules_app.engine.text import Text

from .compiler import Compiler

PARAMETER_TYPES: Mapping[str, Type] = {
    "seat": SEAT, "tile": KIND, "number": INT, "suit": SUIT_TEXT, "event": EVENT, "text": TEXT,
}  # fmt: skip


def compile_facts(compiler: Compiler) -> None:
    """Compile the facts in order and make the environments that compute them."""
    document, ruleset = compiler.document, compiler.ruleset
    members: dict[str, dict[str, Any]] = {level: {} for level in LEVELS}
    for signature, source in document.facts.items():
        path = f"facts.{signature}"
        name, _, rest = signature.partition("(")
        variables: dict[str, Type] = {}
        for parameter in filter(None, (part.strip() for part in rest.rstrip(")").split(","))):
            variable, _, kind = (part.strip() for part in parameter.partition(":"))
            if kind and kind not in PARAMETER_TYPES:
                known = ", ".join(PARAMETER_TYPES)
                compiler.fault(path, Text(f"参数类型应为其中之一：{known}", f"a parameter is one of {known}"))
            variables[variable] = PARAMETER_TYPES.get(kind, SEAT)
        if compiler.scopes["scored"].find(name) is not None:
            compiler.fault(path, Text(f"{name} 已有别的意思", f"{name} means something else already"))
            continue
        levels = ("round", "event", "hand", "reading")
        level, (expression,) = compiler.leveled(path, [(source, None)], variables, levels)
        params = tuple(variables.values()) if rest else None
        doc = Text("这份规则自定的量", "a fact of this document")
        try:
            compiler.scopes.add(level, name, expression.type, doc, params, expression.steps)
        except ValueError:
            compiler.fault(path, Text(f"{name} 不能用作名字", f"{name} cannot be a name"))
            continue
        ruleset.facts.append(Fact(name, level, expression))
        if rest:
            members[level][name] = expression.function
        else:
            cached = lazy(expression.function)
            cached.name = name
            members[level][name] = cached
    event, hand = members["event"], members["hand"]
    ruleset.round_class = type("RoundEnv", (RoundEnv,), members["round"])
    ruleset.event_class = type("EventEnv", (EventEnv,), event)
    ruleset.hand_class = type("HandEnv", (HandEnv,), {**event, **hand})
    ruleset.reading_class = type("ReadingEnv", (ReadingEnv,), members["reading"])
