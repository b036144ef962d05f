"""Conversion of documents and chunks to rows of SQLite, and back.

JSON is imported where it is used: the comparison of file states at start-up does without it.
"""

import sqlite3
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any, TypeVar, overload

from pincite.model.chunk import (
    BREADCRUMB_SEPARATOR,
    NO_TAGS,
    Chunk,
    ChunkKind,
    PlacedText,
    SourceText,
    Tags,
    last_heading,
    text_hash,
)
from pincite.model.document import Box, Coverage
from pincite.model.store import (
    DocumentRow,
    Gap,
    Heading,
    NewDocument,
    PastRevision,
    Place,
    State,
    StoredChunk,
    StoredDocument,
    Unembedded,
)

Row = Sequence[Any]
T = TypeVar("T")

FULL_COVERAGE = Coverage()

_INT64 = range(-(1 << 63), 1 << 63)

ROW_ERRORS = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError)
"""Errors that converting a damaged row can raise if SQLite itself did not detect the damage."""


class Malformed(sqlite3.DatabaseError):
    """A row has values that pincite never writes: the file is damaged."""


def read(convert: Callable[..., T], *row: Any) -> T:
    """Convert a row.

    Raises:
        Malformed: The conversion failed.
    """
    try:
        return convert(*row)
    except ROW_ERRORS as error:
        raise Malformed(f"{convert.__name__}: {error}") from error


def from_text(text: str) -> str | bytes:
    """Return a text as SQLite can store it: unchanged, or as bytes if it has lone surrogates."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def to_text(value: str | bytes) -> str:
    """Invert `from_text`."""
    return value if isinstance(value, str) else value.decode("utf-8", "surrogatepass")


def from_integer(number: int) -> int | str:
    """Return an integer as SQLite can store it: as digits if it exceeds 64 bits (inodes, extreme times)."""
    return number if number in _INT64 else str(number)


def state_column(state: State) -> bytes | str:
    """Return a state as SQLite can store it: 64-bit integers, or their digits if one is wider."""
    try:
        return struct.pack(f"<{len(state)}q", *state)
    except struct.error:
        return _dump(state)


def to_state(column: bytes | str) -> State:
    """Invert `state_column`."""
    if isinstance(column, bytes):
        return struct.unpack(f"<{len(column) // 8}q", column)
    return tuple(map(int, _load(column)))


def to_states(rows: Iterable[Row]) -> dict[str, State]:
    """Return states by source key, from (key, state)."""
    # Most states have the length of the first one: in scan mode every call converts the row of every file.
    unpack_from: dict[int, Callable[[bytes], State]] = {}
    states: dict[str, State] = {}
    for key, column in rows:
        if type(column) is bytes and type(key) is str:
            unpack = unpack_from.get(len(column))
            if unpack is None:
                unpack = unpack_from[len(column)] = struct.Struct(f"<{len(column) // 8}q").unpack
            states[key] = unpack(column)
        else:
            states[to_text(key)] = to_state(column)
    return states


def key_column(row: DocumentRow) -> str | bytes | None:
    """Return a source key as it is stored: null if it is the name, as in a folder."""
    return from_text(row.source_key) if row.source_key not in ("", row.name) else None


def document_columns(document: NewDocument) -> tuple[Any, ...]:
    """Return the columns of `document_insert` and `document_update`, the name last."""
    row = document.row
    return (
        key_column(row),
        state_column(row.state),
        from_integer(row.modified_ns),
        row.fingerprint,
        row.stamp,
        row.revision,
        len(document.chunks),
        len(document.text),
        _optional(row.title),
        _optional(next((chunk.heading for chunk in document.chunks if chunk.level == 1), None)),
        from_text(row.failure),
        coverage_column(row.coverage),
        properties_column(row),
        from_text(row.name),
    )


def to_document(row: Row) -> StoredDocument:
    """Return the document of a row of `documents`."""
    identifier, name, key, title, first_h1, modified, revision, fingerprint, *counts = row
    chunk_count, total_chars, coverage, failure, properties = counts
    return StoredDocument(
        identifier,
        name if type(name) is str else to_text(name),
        key if type(key) is str else to_text(key),
        title if title is None or type(title) is str else to_text(title),
        first_h1 if first_h1 is None or type(first_h1) is str else to_text(first_h1),
        modified if type(modified) is int else int(modified),
        revision,
        fingerprint,
        chunk_count,
        total_chars,
        FULL_COVERAGE if coverage is None else _coverage(coverage),
        failure if type(failure) is str else to_text(failure),
        {} if properties is None else {str(key): str(value) for key, value in _load(properties).items()},
    )


def to_gap(failure: str | bytes, coverage: str | None) -> Gap:
    """Return why a document was not read in full, from a row of `gaps`."""
    return Gap(to_text(failure), FULL_COVERAGE if coverage is None else _coverage(coverage))


def coverage_column(coverage: Coverage) -> str | None:
    """Return a coverage as JSON; None for the usual, full one."""
    return None if coverage == FULL_COVERAGE else _dump(asdict(coverage))


def properties_column(row: DocumentRow) -> str | None:
    """Return a document's properties as JSON; None for none."""
    return _dump(dict(row.properties)) if row.properties else None


def chunk_key(chunk: Chunk, embed_hash: bytes) -> tuple[Any, ...]:
    """Return context, text hash and embed hash: a chunk that keeps all three keeps its id, terms and vector."""
    return from_text(chunk.context), text_hash(chunk.text), embed_hash


def chunk_place(chunk: Chunk) -> tuple[Any, ...]:
    """Return the columns of `chunk_update`: everything of a chunk except its texts."""
    path = None if _is_path_derivable(chunk) else _dump(chunk.heading_path)
    boxes = _dump([_from_placed(placed) for placed in chunk.boxes]) if chunk.boxes else None
    sources = _dump([[source.start, source.end, source.text] for source in chunk.sources]) if chunk.sources else None
    return (
        chunk.ordinal,
        chunk.locator,
        chunk.kind.value,
        chunk.level,
        chunk.part,
        chunk.parts,
        chunk.start,
        chunk.end,
        chunk.embed_start,
        chunk.tokens,
        from_text(chunk.breadcrumb),
        path,
        _dump(chunk.pages) if chunk.pages else None,
        boxes,
        sources,
        *_from_tags(chunk.tags),
    )


def to_chunk(row: Row, text: str) -> StoredChunk:
    """Return the chunk of a row of `chunks` and its text.

    Raises:
        ValueError: Its text does not match its hash.
    """
    identifier, document_id, document, revision, modified, ordinal, locator, kind, level, part, parts, *others = row
    start, end, embed_start, tokens, crumb, path, pages, boxes, sources, *tags, context, expected = others
    breadcrumb = to_text(crumb)
    if text_hash(text) != expected:
        raise ValueError(f"the text of chunk {identifier} is not the one that was written")
    chunk = Chunk(
        ordinal,
        locator,
        ChunkKind(kind),
        _path(breadcrumb, path),
        level,
        part,
        parts,
        start,
        end,
        text,
        to_text(context),
        embed_start,
        tokens,
        tuple(_load(pages)) if pages else (),
        StoredBoxes(_load(boxes)) if boxes else (),
        tuple(SourceText(*source) for source in _load(sources)) if sources else (),
        _to_tags(*tags),
    )
    return StoredChunk(identifier, document_id, to_text(document), revision, int(modified), breadcrumb, chunk)


def to_unembedded(embed_hash: bytes, context: str | bytes, embed_start: int, text: str) -> Unembedded:
    """Return a chunk to embed, from the columns of `missing` and its text."""
    return Unembedded(embed_hash, to_text(context), text[embed_start:])


def to_place(locator: str, text: bytes, crumb: str | bytes, start: int, end: int) -> Place:
    """Return a locator, from a row of `places`."""
    return Place(locator, text, to_text(crumb), (start, end))


def to_source_texts(start: int, sources: str) -> list[SourceText]:
    """Return texts in the order of the file as spans of the document's text, from a row of `source_texts`."""
    return [SourceText(start + first, start + end, text) for first, end, text in _load(sources)]


def past_column(places: Iterable[Place]) -> bytes:
    """Return the locators of a replaced revision as JSON."""
    return _dump([[place.locator, place.hash.hex(), place.breadcrumb, *place.span] for place in places]).encode()


def to_past(ended_ns: int, chunks: bytes) -> PastRevision:
    """Return a replaced revision; invert `past_column`."""
    places = (
        Place(locator, bytes.fromhex(text), crumb, (start, end))
        for locator, text, crumb, start, end in _load(chunks.decode())
    )
    return PastRevision(ended_ns, tuple(places))


def to_heading(row: Row) -> Heading:
    """Return a heading from (document id, level, breadcrumb, path)."""
    document_id, level, crumb, path = row
    if path is None and type(crumb) is str:
        return Heading(document_id, last_heading(crumb), level, crumb)
    breadcrumb = to_text(crumb)
    return Heading(document_id, _path(breadcrumb, path)[-1], level, breadcrumb)


def _from_tags(tags: Tags) -> tuple[Any, ...]:
    if tags is NO_TAGS:
        return None, None, None, None
    others = {
        "references": tags.references,
        "importance": tags.importance,
        "clauses": tags.clauses,
        "headings": tags.headings,
        "table_header": tags.table_header,
    }
    others = {name: value for name, value in others.items() if value is not None and value not in ((), "")}
    return (
        tags.chunk_type or None,
        None if tags.normative is None else int(tags.normative),
        from_text("\n".join((tags.clause, *(each for each in tags.clauses if each != tags.clause)))) or None,
        _dump(others) if others else None,
    )


def _to_tags(chunk_type: str | None, normative: int | None, clause: str | bytes | None, others: str | None) -> Tags:
    if chunk_type is normative is clause is others is None:
        return NO_TAGS
    loaded: dict[str, Any] = _load(others) if others else {}
    return Tags(
        chunk_type or "",
        None if normative is None else bool(normative),
        to_text(clause or "").partition("\n")[0],
        tuple(loaded.get("references", ())),
        loaded.get("importance"),
        tuple(loaded.get("clauses", ())),
        tuple(loaded.get("headings", ())),
        loaded.get("table_header", ""),
    )


def _from_placed(placed: PlacedText) -> list[float]:
    box = placed.box
    return [placed.page, placed.start, placed.end, box.x0, box.y0, box.x1, box.y1]


class StoredBoxes(Sequence[PlacedText]):
    """The boxes of a stored chunk, made when they are used: a search reads many chunks and shows the boxes of few.

    Args:
        rows: A list for each box, as `_from_placed` returns it.

    Raises:
        ValueError: A row has another length.
    """

    __slots__ = ("_rows",)

    def __init__(self, rows: Sequence[Sequence[Any]]) -> None:
        if any(len(row) != _PLACED_LENGTH for row in rows):
            raise ValueError("a box of a chunk is not the one that was written")
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> PlacedText: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[PlacedText, ...]: ...

    def __getitem__(self, index: int | slice) -> PlacedText | tuple[PlacedText, ...]:
        found = self._rows[index]
        return tuple(map(_to_placed, found)) if isinstance(index, slice) else _to_placed(found)

    def __iter__(self) -> Iterator[PlacedText]:
        return map(_to_placed, self._rows)

    def __eq__(self, other: object) -> bool:
        return tuple(self) == (tuple(other) if isinstance(other, StoredBoxes) else other)

    def __hash__(self) -> int:
        return hash(tuple(self))


_PLACED_LENGTH = 7
"""Page, start, end and the corners of a box."""


def _to_placed(row: Sequence[Any]) -> PlacedText:
    page, start, end, *corners = row
    return PlacedText(page, Box(*corners), start, end)


def _optional(text: str | None) -> str | bytes | None:
    return None if text is None else from_text(text)


def _is_path_derivable(chunk: Chunk) -> bool:
    return _path(chunk.breadcrumb, None) == chunk.heading_path


def _path(breadcrumb: str, path: str | None) -> tuple[str, ...]:
    """Return the headings of a breadcrumb; `path` is stored only if splitting the breadcrumb gives others."""
    if path is not None:
        return tuple(_load(path))
    return tuple(breadcrumb.split(BREADCRUMB_SEPARATOR)) if breadcrumb else ()


def _coverage(column: str) -> Coverage:
    return Coverage.from_values(_load(column))


def _dump(value: Any) -> str:
    import json  # noqa: PLC0415 - see the head of this file

    return json.dumps(value, separators=(",", ":"))


def _load(text: str) -> Any:
    import json  # noqa: PLC0415 - see the head of this file

    return json.loads(text)
