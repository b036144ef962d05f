"""Segments: the posting lists of ranges of chunks, which are written once, merged, and never changed.

New chunks are in no segment until there are enough of them for one: a search compares their terms one by one, and a
small change costs no list of each of its terms. A deleted chunk is marked, and leaves the lists when they are merged.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pincite.runtime.imports import import_once
from pincite.store.postgres.connections import Connection

FRESH_CHUNKS = 1024
"""Chunks in no segment from which a transaction makes one of them: their terms take 0.7 MB."""

SPARE_FRESH_CHUNKS = 256
"""The same for the work between the calls, so that searches compare fewer."""

MERGED_SEGMENTS = 8
"""Segments of about one size that become one."""

MAX_CHUNKS = 32_768
"""Chunks of the largest segments: to merge one holds the write lock for a second or two."""

MAX_CHUNKS_IN_CALLS = 8_192
"""The same for what the transaction of a call merges."""

MAX_DEAD_SHARE = 0.2
"""Share of deleted chunks from which a segment is written anew."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A range of chunk ids, and the number of chunks that it had when it was written."""

    first: int
    last: int
    chunks: int


def to_merge(segments: Sequence[Segment], max_chunks: int) -> Sequence[Segment]:
    """Return neighbours that become one: of the newest segments, if there are eight below a size; else none.

    Merging eight of a size into one of the next size writes each list once for each size.

    Args:
        segments: In the order of their chunks.
        max_chunks: Maximum number of chunks of the new one.
    """
    size = SPARE_FRESH_CHUNKS
    while size < max_chunks:
        size *= MERGED_SEGMENTS
        start = len(segments)
        while start and segments[start - 1].chunks < size:
            start -= 1
        if len(segments) - start < MERGED_SEGMENTS:
            continue
        end, chunks = start, 0
        while end < len(segments) and chunks + segments[end].chunks <= max_chunks:
            chunks += segments[end].chunks
            end += 1
        if end - start > 1:
            return segments[start:end]
    return ()


class Segments:
    """Writes segments in a transaction that holds the collection's write lock.

    Args:
        connection: In the transaction.
        sql: The statements.
    """

    def __init__(self, connection: Connection, sql: Mapping[str, bytes]) -> None:
        self._connection = connection
        self._sql = sql

    def flush(self) -> None:
        """Make a segment of the chunks that are in none."""
        import_once("pincite.store.postgres.packed")
        from pincite.store.postgres import packed  # noqa: PLC0415 - imports numpy

        rows = self._rows("unflushed")
        if not rows:
            return
        segment = Segment(rows[0][0], rows[-1][0], len(rows))
        self._write(segment, *packed.invert(packed.to_sequences(rows)))  # type: ignore[arg-type]  # rows of three columns

    def merge(self, max_chunks: int) -> bool:
        """Merge the newest segments if there are enough; return True if there were."""
        segments = [Segment(*row) for row in self._rows("segments")]
        merged = to_merge(segments, max_chunks)
        if merged:
            self._rewrite(merged)
        return bool(merged)

    def purge(self) -> bool:
        """Write the segment anew that has most deleted chunks, if they are many; return True if there was one."""
        rows = [(dead / chunks, first) for first, chunks, dead in self._rows("segments_dead")]
        share, first = max(rows, default=(0.0, 0))
        if share <= MAX_DEAD_SHARE:
            return False
        self._rewrite(
            [segment for segment in (Segment(*row) for row in self._rows("segments")) if segment.first == first]
        )
        return True

    def _rewrite(self, segments: Sequence[Segment]) -> None:
        import_once("pincite.store.postgres.packed")
        from pincite.store.postgres import packed  # noqa: PLC0415 - imports numpy

        firsts = [segment.first for segment in segments]
        dead = [row[0] for row in self._rows("dead_delete", (segments[0].first, segments[-1].last))]
        lists = self._rows("segment_lists", (firsts,))
        for name in ("lists_delete", "segments_delete"):
            self._connection.execute(self._sql[name], (firsts,))
        whole = Segment(segments[0].first, segments[-1].last, sum(segment.chunks for segment in segments) - len(dead))
        self._write(whole, *packed.merge(lists, dead))  # type: ignore[arg-type]  # rows of two columns

    def _write(self, segment: Segment, terms: Any, entries: Any) -> None:
        from pincite.store.postgres import packed  # noqa: PLC0415 - imports numpy

        if segment.chunks:
            self._connection.execute(self._sql["segment_put"], (segment.first, segment.last, segment.chunks))
            with self._connection.cursor() as cursor, cursor.copy(self._sql["posting_insert"]) as copy:
                copy.write(packed.posting_rows(segment.first, terms, entries))
        self._connection.execute(self._sql["flushed"], (segment.last,))

    def _rows(self, name: str, arguments: Any = ()) -> list[tuple[Any, ...]]:
        with self._connection.cursor(binary=True) as cursor:
            return cursor.execute(self._sql[name], arguments).fetchall()
