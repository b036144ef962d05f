"""What a search asks for and what it finds, in terms no store or ranking adds to."""

from dataclasses import dataclass
from typing import NamedTuple

from pincite.model.store import StoredChunk


@dataclass(frozen=True, slots=True)
class Filter:
    """Which chunks may be found: typed clauses, all of which must hold.

    Attributes:
        documents: Ids of the documents; None for all of them.
    """

    documents: frozenset[int] | None = None


NO_FILTER = Filter()


@dataclass(frozen=True, slots=True)
class KeywordQuery:
    """Words to look for, any of them.

    Attributes:
        terms: Single words as typed; the store folds and stems them.
        phrases: Runs of words that count only side by side (identifiers, paths, versions); the words of one that
            stands nowhere count as synonyms do.
        synonyms: Single words that count as terms do, but nobody asked for: they take nothing from coverage.
    """

    terms: tuple[str, ...]
    phrases: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()


class Scored(NamedTuple):
    """A chunk's id and its score on one leg: cosine, or BM25 as a positive number."""

    chunk_id: int
    score: float


class KeywordScore(NamedTuple):
    """What the words of a query are worth in one chunk.

    Attributes:
        bm25: Over all of them, positive; 0 where none stands in it.
        coverage: The share of the query's idf that stands in it, 0..1; a word that no chunk holds counts in full.
    """

    bm25: float
    coverage: float


class Parts(NamedTuple):
    """What meaning, words and phrases that occur word for word add to a score; the score is their sum."""

    semantic: float
    keyword: float
    phrase: float = 0.0


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that was found.

    Attributes:
        score: 0..1, the order of the list.
        similarity: The cosine with the query; None without model or vector.
        parts: What the score is the sum of.
    """

    chunk: StoredChunk
    score: float
    similarity: float | None
    parts: Parts
