"""Chunks with all their tags, as `pincite ingest --dry-run --json` shows them."""

from collections.abc import Iterator
from typing import Any

from pincite.model.status import iso
from pincite.model.store import NewDocument
from pincite.services.library.chunk_ids import chunk_uuid, content_hash
from pincite.services.library.downloads import origin_of
from pincite.services.library.ingestion import DOCUMENT_TYPE, INGESTED_AT


def chunk_records(document: NewDocument, model: str, seconds: float) -> Iterator[dict[str, Any]]:
    """Yield each chunk of a document with the fields of contract 2, without its vector.

    Args:
        document: As it would be written.
        model: The name of the embedding model.
        seconds: The time of its ingestion, seconds since 1970.
    """
    row = document.row
    first_ids: dict[tuple[str, ...], str] = {}
    for chunk in document.chunks:
        identifier = chunk_uuid(row.name, chunk.locator, chunk.text)
        path = chunk.heading_path
        parent = _enclosing(first_ids, path)
        if chunk.part == 1:
            first_ids[path] = identifier
        # Of a section whose heading it carries, and of those that are joined to its own, it is the first chunk, too.
        for section in (
            *(path[:n] for n in range(1, len(path))),
            *((*path[:-1], last) for last in chunk.tags.headings),
        ):
            first_ids.setdefault(section, identifier)
        yield {
            "id": identifier,
            "document_id": row.name,
            "document_title": row.title,
            "document_type": row.properties.get(DOCUMENT_TYPE, "custom"),
            "content": chunk.text,
            "content_hash": content_hash(chunk.text),
            "token_count": chunk.tokens,
            "section_hierarchy": list(path),
            "section_title": chunk.heading or row.title,
            "parent_chunk_id": parent,
            "chunk_type": chunk.tags.chunk_type or "overview",
            "normative": bool(chunk.tags.normative),
            "page_numbers": list(chunk.pages),
            "clause_number": chunk.tags.clause or None,
            "clauses": list(chunk.tags.numbers),
            "table_header": chunk.tags.table_header or None,
            "references": list(chunk.tags.references),
            "source_path": origin_of(row.source_key),
            "embedding_model": model,
            "created_at": iso(seconds),
            "updated_at": iso(seconds),
        }


def published_fields(document: NewDocument, model: str) -> Iterator[dict[str, Any]]:
    """Yield the fields of contract 2 of each chunk of a library's document, as a mirror holds them."""
    ingested = document.row.properties.get(INGESTED_AT, "")
    for record in chunk_records(document, model, 0.0):
        yield {**record, "created_at": ingested, "updated_at": ingested}


def _enclosing(first_ids: dict[tuple[str, ...], str], path: tuple[str, ...]) -> str | None:
    """Return the first chunk of the nearest section around one that has text; None at the top."""
    return next((first_ids[path[:n]] for n in range(len(path) - 1, 0, -1) if path[:n] in first_ids), None)
