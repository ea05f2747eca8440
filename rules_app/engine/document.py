"""Reading a document's text: YAML to a checked `Document`, with the line and column of every fault."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedBase, CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import CollectionEndEvent, CollectionStartEvent, ScalarEvent

from .errors import DocumentFaults, Fault
from .schema import Document
from .text import Text

MAX_LENGTH = 400_000
MAX_DEPTH = 40
MAX_EVENTS = 40_000
"""Several times what the longest shipped document has; reading takes about 0.1 ms an event."""


class Places:
    """Lines and columns (from 1) of the paths of a parsed document."""

    def __init__(self, root: Any) -> None:
        self.root = root

    def __call__(self, path: str) -> tuple[int, int]:
        """The place of a path such as ``patterns.pure_suit.when`` or ``payments[2].amount``; else of its nearest part."""
        node, place = self.root, (1, 1)
        for key in _keys(path):
            if isinstance(node, CommentedMap) and key in node:
                line, column = node.lc.value(key)
                place = (line + 1, column + 1)
                node = node[key]
            elif isinstance(node, CommentedSeq) and key.isdigit() and int(key) < len(node):
                line, column = node.lc.item(int(key))
                place = (line + 1, column + 1)
                node = node[int(key)]
            elif isinstance(node, CommentedMap):
                match = next((other for other in node if str(other).startswith(key)), None)
                if match is None:
                    break
                line, column = node.lc.value(match)
                return line + 1, column + 1
            else:
                break
        return place


def _keys(path: str) -> list[str]:
    if path.startswith("facts."):
        return ["facts", path[6:]]
    keys: list[str] = []
    for part in path.split("."):
        name, _, rest = part.partition("[")
        keys.append(name)
        keys += [index for index in rest.replace("]", "").split("[") if index]
    return keys


def parse_document(text: str) -> tuple[Document, Places]:
    """The document and where its parts stand.

    :raises DocumentFaults: with every fault of form found.
    """
    if len(text) > MAX_LENGTH:
        raise DocumentFaults(
            [Fault(1, 1, "", Text(f"文档太长，最多 {MAX_LENGTH} 字", f"the document is longer than {MAX_LENGTH} characters"))]
        )
    yaml = YAML(typ="rt", pure=True)
    yaml.allow_duplicate_keys = False
    try:
        _check_events(yaml.parse(text))
        root = yaml.load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        problem = str(error.problem or error.context or "YAML")
        raise DocumentFaults([Fault(line, column, "", Text(f"YAML 写法有误：{problem}", f"this is no valid YAML: {problem}"))]) from None
    except (YAMLError, ValueError, RecursionError) as error:
        raise DocumentFaults([Fault(1, 1, "", Text("YAML 写法有误", f"this is no valid YAML: {type(error).__name__}"))]) from None
    if not isinstance(root, CommentedMap):
        raise DocumentFaults([Fault(1, 1, "", Text("文档应为一个映射", "a document is one mapping of keys"))])
    places = Places(root)
    try:
        return Document.model_validate(_plain(root)), places
    except ValidationError as error:
        raise DocumentFaults([_fault(places, item) for item in error.errors()]) from None


def _check_events(events: Iterable[Any]) -> None:
    """Refuse, while it is read, what would take long to read or is no plain data.

    :raises DocumentFaults: anchors, tags, merge keys, too many parts, or parts too deep in one another.
    """
    depth = 0
    for number, event in enumerate(events):
        message = None
        if isinstance(event, CollectionStartEvent):
            depth += 1
        elif isinstance(event, CollectionEndEvent):
            depth -= 1
        if getattr(event, "anchor", None) is not None:
            message = Text("不能用锚点与别名", "anchors and aliases are not allowed")
        elif getattr(event, "tag", None) is not None:
            message = Text("不能用类型标记 !", "tags (!) are not allowed")
        elif isinstance(event, ScalarEvent) and event.value == "<<" and event.implicit[0]:
            message = Text("不能用合并键 <<", "merge keys (<<) are not allowed")
        elif depth > MAX_DEPTH:
            message = Text(f"层次太深，最多 {MAX_DEPTH} 层", f"this is nested deeper than {MAX_DEPTH} levels")
        elif number > MAX_EVENTS:
            message = Text("文档的项太多", "the document has too many parts")
        if message is not None:
            mark = event.start_mark
            raise DocumentFaults([Fault(mark.line + 1, mark.column + 1, "", message)])


def _plain(node: Any) -> Any:
    """Plain Python data of a round-trip node."""
    if isinstance(node, CommentedMap):
        return {str(key): _plain(value) for key, value in node.items()}
    if isinstance(node, CommentedSeq):
        return [_plain(value) for value in node]
    if isinstance(node, bool) or node is None:
        return node
    if isinstance(node, CommentedBase):
        return str(node)
    if isinstance(node, str):
        return str(node)
    if isinstance(node, int):
        return int(node)
    return node


def _fault(places: Places, error: Any) -> Fault:
    path = ""
    for part in error["loc"]:
        path += f"[{part}]" if isinstance(part, int) else (f".{part}" if path else str(part))
    line, column = places(path)
    kind, context = error["type"], error.get("ctx") or {}
    match kind:
        case "missing":
            name = str(error["loc"][-1])
            message = Text(f"缺少 {name}", f"{name} is missing")
        case "extra_forbidden":
            name = str(error["loc"][-1])
            message = Text(f"没有 {name} 这个键", f"there is no key {name} here")
        case "literal_error":
            expected = str(context.get("expected", ""))
            message = Text(f"应为其中之一：{expected}", f"this must be one of {expected}")
        case "value_error":
            reason = str(context.get("error", error["msg"]))
            message = Text(f"不合规定：{reason}", reason)
        case _:
            message = Text(f"写法不对（{error['msg']}）", str(error["msg"]))
    return Fault(line, column, path, message)
