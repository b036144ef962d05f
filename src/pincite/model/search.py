"""Queries and results of a search, independent of store and ranking."""

from dataclasses import dataclass
from typing import NamedTuple

from pincite.model.chunk import ChunkKind
from pincite.model.store import StoredChunk


class Clause(NamedTuple):
    """A clause number of a standard; it matches itself and, unless `exact`, everything under it at a dot."""

    number: str
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter on chunks: the conjunction of its conditions. An empty condition passes every chunk.

    Attributes:
        documents: Ids of the documents to search; None for all.
        kinds: Kinds of chunks, any of them.
        chunk_types: `Tags.chunk_type`, any of them.
        normative: `Tags.normative`; None for any value, also where the policy does not tell.
        clauses: Clauses, of which one of `Tags.numbers` matches any.
    """

    documents: frozenset[int] | None = None
    kinds: frozenset[ChunkKind] = frozenset()
    chunk_types: frozenset[str] = frozenset()
    normative: bool | None = None
    clauses: tuple[Clause, ...] = ()

    @property
    def has_tags(self) -> bool:
        """True if a chunk without tags cannot pass."""
        return bool(self.chunk_types or self.clauses) or self.normative is not None


NO_FILTER = Filter()


class Counts(NamedTuple):
    """The size of what is searched.

    Attributes:
        chunks: The number of chunks.
        documents: The number of documents with at least one chunk.
    """

    chunks: int
    documents: int


@dataclass(frozen=True, slots=True)
class KeywordQuery:
    """A disjunction of terms and phrases.

    Attributes:
        terms: Single words as typed; the store folds and stems them.
        phrases: Words that match only in sequence (identifiers, paths, versions); the words of one that does
            not occur count as synonyms.
        synonyms: Single words that score like terms but do not count for coverage.
    """

    terms: tuple[str, ...]
    phrases: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()


class Scored(NamedTuple):
    """A chunk's id and its score in one leg: cosine, or BM25 as a positive number."""

    chunk_id: int
    score: float


class KeywordScore(NamedTuple):
    """The keyword score of a chunk.

    Attributes:
        bm25: BM25 over all words of the query, positive; 0 without a match.
        coverage: Share of the query's idf that the chunk's matches have, 0..1; a word that no chunk contains
            counts in full.
    """

    bm25: float
    coverage: float


class Parts(NamedTuple):
    """The parts of a score, which is their sum: semantic similarity, keywords, and verbatim phrases."""

    semantic: float
    keyword: float
    phrase: float = 0.0


@dataclass(frozen=True, slots=True)
class Hit:
    """A search result.

    Attributes:
        score: 0..1; results are sorted by it.
        similarity: The cosine with the query; None without a model or a vector.
        parts: The summands of the score.
    """

    chunk: StoredChunk
    score: float
    similarity: float | None
    parts: Parts
