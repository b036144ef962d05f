"""Values in the form of PostgreSQL's columns."""

import struct
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from pincite.model.search import Filter
from pincite.model.store import NewDocument, State
from pincite.store.filters import clause_needles
from pincite.store.rows import document_columns, from_text
from pincite.text.excerpt import SURROGATES

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_UNSAFE = dict.fromkeys((0, *SURROGATES), "\ufffd")

# Columns of `rows.chunk_key`, `rows.chunk_place` and `rows.document_columns` that are `bytea` here.
KEY_BYTES = (0,)
PLACE_BYTES = (10, 17)
_DOCUMENT_BYTES = (0, 8, 9, 10, 13)
_STATE, _MODIFIED = 1, 2

COPY_HEAD = b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0)
COPY_END = struct.pack(">h", -1)
"""What rows in COPY's binary format are between."""


def to_bytes(text: str | bytes) -> bytes:
    """Return a text as it is stored; lone surrogates are kept."""
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")


def matchable(text: str) -> str:
    """Return a text that can be compared with a column: PostgreSQL refuses NUL, and nothing stored contains U+FFFD."""
    return text.translate(_UNSAFE)


def encoded(columns: Sequence[Any], byte_columns: Sequence[int]) -> tuple[Any, ...]:
    """Return columns as they are stored, those at some positions as bytes."""
    values = list(columns)
    for place in byte_columns:
        if values[place] is not None:
            values[place] = to_bytes(values[place])
    return tuple(values)


def encoded_chunk(columns: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the columns of a chunk's key or place as they are stored."""
    return encoded(columns, KEY_BYTES if isinstance(columns[0], str | bytes) else PLACE_BYTES)


def encoded_document(document: NewDocument) -> tuple[Any, ...]:
    """Return the columns of `document_put`."""
    columns = list(encoded(document_columns(document), _DOCUMENT_BYTES))
    columns[_STATE], columns[_MODIFIED] = encoded_state(document.row.state), document.row.modified_ns
    return tuple(columns)


def encoded_state(state: State) -> str:
    """Return a state as JSON, in which its integers may have any size."""
    return f"[{','.join(map(str, state))}]"


def optional_bytes(text: str | bytes | None) -> bytes | None:
    """Return a text as it is stored."""
    return None if text is None else to_bytes(text)


def stored_name(name: str) -> bytes:
    """Return a document's name as it is stored."""
    return to_bytes(from_text(name))


def conditions(where: Filter) -> tuple[str, dict[str, Any]]:
    """Return a filter as a condition on `chunk`, with its arguments; empty for no filter."""
    parts: list[str] = []
    arguments: dict[str, Any] = {}

    def add(condition: str, **given: Any) -> None:
        parts.append(condition)
        arguments.update(given)

    if where.documents is not None:
        add("chunk.document_id = ANY(%(documents)s::bigint[])", documents=list(where.documents))
    if where.kinds:
        add("chunk.kind = ANY(%(kinds)s::text[])", kinds=[kind.value for kind in where.kinds])
    if where.chunk_types:
        add("chunk.chunk_type = ANY(%(types)s::text[])", types=list(map(matchable, where.chunk_types)))
    if where.normative is not None:
        add("chunk.normative = %(normative)s", normative=int(where.normative))
    if where.clauses:
        add(
            "EXISTS (SELECT 1 FROM unnest(%(clauses)s::bytea[]) AS needle"
            " WHERE position(needle IN '\\x0a'::bytea || chunk.clause || '\\x0a'::bytea) > 0)",
            clauses=list(map(to_bytes, clause_needles(where.clauses))),
        )
    return " AND ".join(parts), arguments


def near_rows(rows: Iterable[tuple[int, int, "npt.NDArray[np.float32]"]]) -> bytes:
    """Return rows of `near` (embedder, chunk id, vector) in PostgreSQL's binary format.

    A `halfvec` is its dimensions, two bytes that are not used, and the numbers at half precision, all big-endian.
    """
    parts = [COPY_HEAD]
    for embedder, chunk_id, vector in rows:
        half = vector.astype(">f2").tobytes()
        parts.append(struct.pack(">hiiiqihh", 3, 4, embedder, 8, chunk_id, 4 + len(half), len(vector), 0))
        parts.append(half)
    parts.append(COPY_END)
    return b"".join(parts)


def vector_text(vector: "npt.NDArray[np.float32]") -> str:
    """Return a vector in the form of a `halfvec` literal."""
    return f"[{','.join(map(repr, vector.tolist()))}]"
