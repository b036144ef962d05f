"""What the snapshots of both databases read alike: statements of one name, whose rows have the same columns."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import astuple
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from pincite.model.chunk import SourceText
from pincite.model.search import NO_FILTER, Filter, KeywordQuery, KeywordScore, Scored
from pincite.model.store import ChunkChanges, Gap, Heading, PastRevision, Place, StoredChunk, StoredDocument
from pincite.runtime.imports import import_once
from pincite.store import bm25
from pincite.store.base import Generation
from pincite.store.matching import KeywordLimits, best_by_words, candidate_chunks
from pincite.store.rows import (
    read,
    to_document,
    to_gap,
    to_heading,
    to_past,
    to_place,
    to_source_texts,
    to_text,
)
from pincite.store.texts import PIECE_CHARS, span_text

if TYPE_CHECKING:
    from pincite.model.vector import Vector

SPAN = slice(11, 13)
"""Columns of `chunks`: where the chunk starts and ends."""


class DatabaseSnapshot(ABC):
    """A read view of a collection in a database; see `pincite.store.base.Snapshot`.

    Args:
        embedder: Id of the embedder whose vectors are searched.
        limits: Limits of a keyword search.
    """

    generation: Generation

    def __init__(self, embedder: int, limits: KeywordLimits) -> None:
        self._embedder = embedder
        self._limits = limits
        self._looked_up: tuple[KeywordQuery, list[bm25.QueryTerm]] | None = None

    @abstractmethod
    def chunks(self, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """See `Snapshot.chunks`."""

    @abstractmethod
    def score_keywords(self, query: KeywordQuery, chunk_ids: Sequence[int]) -> dict[int, KeywordScore]:
        """See `Snapshot.score_keywords`."""

    def keywords(self, query: KeywordQuery, where: Filter, n: int) -> list[Scored]:
        """See `Snapshot.keywords`."""
        matching = partial(self._matching, where=where, n=n)
        return best_by_words(self._look_up(query), self._postings(), matching, partial(self.score_keywords, query))

    def candidates(self, query: KeywordQuery, where: Filter, n: int) -> list[int]:
        """See `Snapshot.candidates`; with phrases up to 2n: n by phrases and n by words."""
        matching = partial(self._matching, where=where, n=n)
        phrases = n if where == NO_FILTER else 0
        return candidate_chunks(self._look_up(query), self._postings(), matching, phrases)

    def spellings(self, initial: str, shortest: int, longest: int) -> list[str]:
        """See `Snapshot.spellings`."""
        first = self._comparable(initial)
        return [row[0] for row in self._rows("words_like", (first, first + "\U0010ffff", shortest, longest))]

    def vectors(self, chunk_ids: Sequence[int]) -> "dict[int, Vector]":
        """See `Snapshot.vectors`."""
        import_once("numpy")
        import numpy as np  # noqa: PLC0415 - heavy

        rows = self._rows("vectors", (self._embedder, self._array(chunk_ids)))
        return {chunk_id: np.frombuffer(blob, "<f4") for chunk_id, blob in rows}

    def refused(self) -> list[int]:
        """See `Snapshot.refused`."""
        return [chunk_id for (chunk_id,) in self._rows("refused", (self._embedder,))]

    def changes(self, since: Generation) -> ChunkChanges | None:
        """See `Snapshot.changes`."""
        if since < self._log_floor():
            return None
        rows = self._rows("changed_chunks", (since,))
        return ChunkChanges([row[0] for row in rows if row[1]], [row[0] for row in rows if not row[1]])

    def waiting_chunks(self) -> dict[int, int]:
        """See `Snapshot.waiting_chunks`."""
        return dict(self._rows("waiting_chunks", (self._embedder,)))

    def stamp(self, document_id: int) -> str:
        """See `Snapshot.stamp`."""
        rows = self._rows("document_stamp", (document_id,))
        return str(rows[0][0]) if rows else ""

    def tokens(self) -> int:
        """See `Snapshot.tokens`."""
        return self._rows("chunk_tokens")[0][0]

    def text(self, document_id: int, start: int = 0, end: int | None = None) -> str:
        """See `Snapshot.text`."""
        length = self._text_length(document_id)
        last = length if end is None else min(end, length)
        if start >= last:
            return ""
        rows = self._rows("pieces", (document_id, start // PIECE_CHARS, (last - 1) // PIECE_CHARS))
        return read(span_text, rows, start, last)

    def located_chunks(self, document_id: int, locator: str) -> list[StoredChunk]:
        """See `Snapshot.located_chunks`."""
        arguments = {"document": document_id, "locator": self._comparable(locator)}
        return self._chunks_of("located_chunks", arguments)

    def overlapping_chunks(self, document_id: int, start: int, end: int) -> list[StoredChunk]:
        """See `Snapshot.overlapping_chunks`."""
        return self._chunks_of("overlapping_chunks", {"document": document_id, "start": start, "end": end})

    def section_chunks(self, document_id: int, breadcrumb: str) -> list[StoredChunk]:
        """See `Snapshot.section_chunks`."""
        return self._chunks_of("section_chunks", {"document": document_id, "breadcrumb": self._stored(breadcrumb)})

    def places(self, document_id: int) -> list[Place]:
        """See `Snapshot.places`."""
        return [read(to_place, *row) for row in self._rows("places", (document_id,))]

    def source_texts(self, document_id: int) -> list[SourceText]:
        """See `Snapshot.source_texts`."""
        rows = self._rows("source_texts", (document_id,))
        return sorted({text for row in rows for text in read(to_source_texts, *row)}, key=astuple)

    def documents(self) -> list[StoredDocument]:
        """See `Snapshot.documents`."""
        return sorted((read(to_document, row) for row in self._rows("documents")), key=attrgetter("name"))

    def document_names(self, above: int = 0) -> dict[str, int]:
        """See `Snapshot.document_names`."""
        return {read(to_text, name): number for number, name in self._rows("document_names", (above,))}

    def document(self, name: str) -> StoredDocument | None:
        """See `Snapshot.document`."""
        rows = self._rows("document", (self._stored(name),))
        return read(to_document, rows[0]) if rows else None

    def past(self, name: str, revision: str) -> PastRevision | None:
        """See `Snapshot.past`."""
        rows = self._rows("past", (self._stored(name), self._comparable(revision)))
        return read(to_past, *rows[0]) if rows else None

    def headings(self, max_level: int) -> list[Heading]:
        """See `Snapshot.headings`."""
        return [read(to_heading, row) for row in self._rows("headings", (max_level,))]

    def gaps(self) -> list[Gap]:
        """See `Snapshot.gaps`."""
        gaps = [read(to_gap, *row) for row in self._rows("gaps")]
        return [gap for gap in gaps if gap.failure or not gap.coverage.complete]

    @abstractmethod
    def _rows(self, name: str, arguments: Any = ()) -> list[Any]:
        """Return the rows of a statement."""

    @abstractmethod
    def _array(self, values: Iterable[int]) -> Any:
        """Return ids as one argument of a statement."""

    @abstractmethod
    def _stored(self, text: str) -> str | bytes:
        """Return a text as it is stored."""

    @abstractmethod
    def _comparable(self, text: str) -> str:
        """Return a text that can be compared with a column."""

    @abstractmethod
    def _total(self) -> int:
        """Return the number of chunks."""

    @abstractmethod
    def _log_floor(self) -> Generation:
        """Return the generation from which on changes are logged."""

    @abstractmethod
    def _query_terms(self, query: KeywordQuery) -> list[bm25.QueryTerm]:
        """Look up the terms of a query."""

    @abstractmethod
    def _matching(self, query_terms: Sequence[bm25.QueryTerm], where: Filter, n: int) -> list[Scored]:
        """Return the n best chunks by these words and phrases."""

    def _look_up(self, query: KeywordQuery) -> list[bm25.QueryTerm]:
        """Return a query's looked-up terms, cached for finding candidates and scoring them."""
        if self._looked_up is None or self._looked_up[0] != query:
            self._looked_up = query, self._query_terms(query)
        return self._looked_up[1]

    def _postings(self) -> int | None:
        """Return the budget of matches for finding candidates; None in an index too small to need one."""
        total = self._total()
        return int(total * self._limits.postings) if total >= self._limits.prune_from else None

    def _text_length(self, document_id: int) -> int:
        sizes = self._rows("document_size", (document_id,))
        return sizes[0][1] if sizes else 0

    def _chunks_of(self, name: str, arguments: Any) -> list[StoredChunk]:
        """Return the chunks whose ids a statement returns."""
        return self.chunks([row[0] for row in self._rows(name, arguments)])
