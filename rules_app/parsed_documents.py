"""Parsed documents, kept on disk by content hash.

Reading a long document as YAML, with the place of each part for the sake of errors, takes a second or two; reading it
back as JSON takes milliseconds. Only documents that were in order are kept, so nothing needs their places again.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from django.conf import settings
from pydantic import ValidationError

from rules_app.engine import Document, load_document
from rules_app.models import Revision

_documents: dict[str, Document] = {}


def document_of(revision: Revision) -> Document:
    """The parsed document of a revision.

    :raises rules_app.engine.DocumentFaults: for a draft that is not in order.
    """
    known = _documents.get(revision.content_hash)
    if known is None:
        known = _read(revision.content_hash)
        if known is None:
            known = load_document(revision.document)
            keep_document(revision.content_hash, known)
        _documents[revision.content_hash] = known
    return known


def _place(content_hash: str) -> Path:
    return Path(settings.VAR_DIR) / "documents" / f"{content_hash}.json"


def _read(content_hash: str) -> Document | None:
    try:
        return Document.model_validate_json(_place(content_hash).read_bytes())
    except (OSError, ValidationError):
        return None  # Not kept yet, or kept by a version that knew another form.


def keep_document(content_hash: str, document: Document) -> None:
    """Keep a document that is in order, so that no process has to read it as YAML again."""
    place = _place(content_hash)
    unfinished = place.with_suffix(f".{os.getpid()}")
    with contextlib.suppress(OSError):  # Without a folder to write in it is only slower.
        place.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_text(document.model_dump_json(by_alias=True, exclude_defaults=True), encoding="utf-8")
        unfinished.replace(place)
