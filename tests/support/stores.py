"""A store opened with a model of two dimensions, and documents put into it."""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

import numpy as np

from pincite.model.chunk import Chunk, ChunkKind
from pincite.model.search import NO_FILTER
from pincite.model.store import UNTRUSTED, DocumentRow, NewDocument
from pincite.store.matching import KeywordLimits
from pincite.store.sqlite.store import SqliteStore
from pincite.text.embed_text import embed_hash

VECTOR = np.array([1, 0], np.float32)


def open_store(
    path: Path,
    *,
    embedder: str = "m",
    busy_timeout: float = 10,
    log_rows: int = 1000,
    keyword_limits: KeywordLimits | None = None,
) -> SqliteStore:
    return SqliteStore(
        path,
        embedder=embedder,
        source="/docs",
        busy_timeout=busy_timeout,
        log_rows=log_rows,
        keyword_limits=keyword_limits,
        revisions=3,
    )


def written(row: DocumentRow, chunks: Sequence[Chunk] = ()) -> NewDocument:
    """A document whose text the chunks make up, one after the other."""
    ends = list(accumulate(len(chunk.text) for chunk in chunks))
    placed = [replace(chunk, start=end - len(chunk.text), end=end) for chunk, end in zip(chunks, ends, strict=True)]
    hashes = [embed_hash(chunk) for chunk in chunks]
    return NewDocument(row, "".join(chunk.text for chunk in chunks), placed, hashes)


def put(store: SqliteStore, name: str, *texts: str, revision: str = "r1") -> None:
    chunks = [
        Chunk(n, f"h{n}-c1", ChunkKind.TEXT, (f"H{n}",), 1, 1, 1, 0, len(text), text, "")
        for n, text in enumerate(texts)
    ]
    row = DocumentRow(name, None, UNTRUSTED, 1, f"{revision}{texts}", revision)
    store.replace([written(row, chunks)], is_current=lambda row: bool(row.name))


def is_gone(name: str) -> bool:
    return bool(name)


def remove(store: SqliteStore, *names: str) -> None:
    store.remove(names, is_deleted=is_gone)


def query(path: Path, statement: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    rows = connection.execute(statement).fetchall()
    connection.close()
    return rows


def nearest(store: SqliteStore) -> list[int]:
    with store.snapshot() as snapshot:
        return [hit.chunk_id for hit in snapshot.nearest(VECTOR, NO_FILTER, 100)]
