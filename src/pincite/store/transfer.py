"""Copy a collection from one store into another, row by row, and compare the two.

Ids, revisions and vectors stay what they are, so that both give the same answers. Terms are not copied: the target
makes its own from the texts, and their frequencies are compared.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Protocol

from pincite.errors import InternalError
from pincite.model.call import Call

BATCH_ROWS = 500
"""Rows of one transaction: what an interruption repeats at most, about a second of work."""

Row = tuple[Any, ...]
"""The columns of a row. Texts that may have lone surrogates are UTF-8 with them, states are tuples of integers."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table that both stores have.

    Attributes:
        name: In PostgreSQL.
        columns: In one order for both.
        key: Those that rows are ordered by.
        texts: Those that are bytes in a `Row`.
    """

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...] = ("id",)
    texts: frozenset[str] = frozenset()

    def key_of(self, row: Row) -> Row:
        """Return the columns of a row that identify it, in order."""
        return tuple(row[self.columns.index(column)] for column in self.key)


EMBEDDER = Table("embedder", ("id", "identity", "dimensions"))
DOCUMENT = Table(
    "document",
    (
        *("id", "name", "source_key", "state", "modified_ns", "fingerprint", "stamp", "revision", "chunk_count"),
        *("total_chars", "title", "first_h1", "failure", "coverage", "properties"),
    ),
    texts=frozenset({"name", "source_key", "title", "first_h1", "failure"}),
)
PIECE = Table("piece", ("document_id", "number", "text", "checksum"), ("document_id", "number"), frozenset({"text"}))
VECTOR = Table("vector", ("id", "embedder", "embed_hash", "vector"))
PAST = Table("past", ("id", "name", "revision", "ended_ns", "places"), texts=frozenset({"name"}))
WORD = Table("word", ("word",), ("word",))
CHUNK = Table(
    "chunk",
    (
        *("id", "document_id", "context", "hash", "embed_hash", "ordinal", "locator", "kind", "level", "part"),
        *("parts", "span_start", "span_end", "embed_start", "tokens", "breadcrumb", "path", "pages", "boxes"),
        *("sources", "chunk_type", "normative", "clause", "other_tags"),
    ),
    texts=frozenset({"context", "breadcrumb", "clause"}),
)
WAITING = Table("waiting", ("embedder", "chunk_id", "document_id"), ("chunk_id", "embedder"))

TABLES = (EMBEDDER, DOCUMENT, PIECE, VECTOR, PAST, WORD, CHUNK, WAITING)
"""In the order in which they are copied: the terms of a chunk need its text, its neighbours need its vector."""

NUMBERED = ("embedder", "document", "chunk", "past")
"""Tables whose ids are never given twice, also after their row is deleted."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What identifies the contents of a collection.

    Attributes:
        identity: The store's id (`Store.identity`).
        generation: Its version.
        last_indexed_ns: Time of the last change of contents; None before the first.
        last_ids: The last id that each of the `NUMBERED` tables gave, 0 for none.
    """

    identity: str
    generation: int
    last_indexed_ns: int | None
    last_ids: Mapping[str, int]


class Origin(Protocol):
    """A collection that is read, in one state from the first row to the last."""

    def summary(self) -> Summary:
        """Return what identifies its contents."""
        ...

    def rows(self, table: Table, after: Row | None, n: int) -> list[Row]:
        """Return the next n rows after a key, by key; from the first one without a key."""
        ...

    def count(self, table: Table) -> int:
        """Return the number of rows."""
        ...

    def frequencies(self) -> Iterator[tuple[str, int]] | None:
        """Return every term with the number of chunks that contain it, by term; None if an older version made them."""
        ...


class Target(Origin, Protocol):
    """A collection that is written, under a name by which no server opens it before it is whole."""

    def last_key(self, table: Table) -> Row | None:
        """Return the highest key that is written; None without a row."""
        ...

    def write(self, table: Table, rows: list[Row]) -> None:
        """Write rows, and what is derived from them, in one transaction."""
        ...

    def finish(self, summary: Summary) -> None:
        """Write the last ids, and what is quicker to build at the end."""
        ...

    def publish(self) -> None:
        """Give it the name by which servers open it, in one step."""
        ...


def copy(origin: Origin, target: Target, call: Call) -> None:
    """Write the rows that the target does not have yet: after an interruption, all after the last one written.

    Raises:
        Cancelled: The call is cancelled; the next copy goes on where this one ended.
    """
    total = sum(origin.count(table) for table in TABLES)
    done = sum(target.count(table) for table in TABLES)
    for table in TABLES:
        after = target.last_key(table)
        while rows := origin.rows(table, after, BATCH_ROWS):
            call.check()
            target.write(table, rows)
            after = table.key_of(rows[-1])
            done += len(rows)
            call.progress(done, total, f"{table.name}: copied")
    target.finish(origin.summary())


def compare(origin: Origin, target: Origin, call: Call) -> dict[str, int]:
    """Compare every row, and the frequency of every term; return the numbers of rows by table.

    Raises:
        InternalError: One differs.
    """
    counts: dict[str, int] = {}
    total = sum(origin.count(table) for table in TABLES)
    for table in TABLES:
        before, count = sum(counts.values()), 0
        for row, copy in zip_longest(_all(origin, table), _all(target, table)):
            if row != copy:
                raise _difference(table.name, row if copy is None else copy)
            count += 1
            if count % BATCH_ROWS == 0:
                call.check()
                call.progress(before + count, total, f"{table.name}: compared")
        counts[table.name] = count
    counts["term"] = 0
    terms = origin.frequencies()
    for row, copy in zip_longest(terms, target.frequencies() or ()) if terms else ():
        if row != copy:
            raise _difference("term", row if copy is None else copy)
        counts["term"] += 1
    return counts


def _all(origin: Origin, table: Table) -> Iterator[Row]:
    after: Row | None = None
    while rows := origin.rows(table, after, BATCH_ROWS):
        yield from rows
        after = table.key_of(rows[-1])


def _difference(table: str, row: Row | None) -> InternalError:
    return InternalError(
        f"The copy differs from the original in a row of {table}; it was not put in place. Migrate with --replace to "
        "begin anew.",
        details=repr(row)[:500],
    )
