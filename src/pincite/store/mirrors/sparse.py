"""BM25 as sparse vectors: the engine multiplies by each term's inverse document frequency, the rest is in the vectors.

Terms are those of the library's own keyword search, so that both find the same chunks.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pincite.model.search import KeywordQuery
from pincite.store.bm25 import K1, B, Tokens
from pincite.store.statements import SQLITE, read_statements
from pincite.store.texts import indexed_text

MEAN_TOKENS = 150
"""Assumed mean length of a chunk. The vectors are written before the true mean is known, and the scores that are shown
are computed again by the library: here it decides only between candidates."""


class SparseVector(NamedTuple):
    """Indices, ascending, and a weight for each."""

    indices: list[int]
    values: list[float]


class SparseEncoder:
    """Makes sparse vectors of chunks and queries. Thread-safe."""

    def __init__(self) -> None:
        self._tokens = Tokens(read_statements(SQLITE))

    def chunks(self, texts: Iterable[tuple[str, str]]) -> list[SparseVector]:
        """Return the vector of each chunk, given its context and text."""
        plain = [f"{_text(indexed_text(context))}\n{_text(indexed_text(text))}" for context, text in texts]
        return [_weighted(tokens) for tokens in self._tokens.split_all(plain)]

    def query(self, query: KeywordQuery) -> SparseVector:
        """Return the vector of a query: each of its terms once, those of its phrases and synonyms included."""
        strings = [*query.terms, *query.phrases, *query.synonyms]
        indices = sorted({term_index(term) for tokens in self._tokens.split(strings) for term in tokens})
        return SparseVector(indices, [1.0] * len(indices))


def term_index(term: str) -> int:
    """Return the index of a term: 32 bits of its hash; of 100,000 terms one pair is expected to share one."""
    return int.from_bytes(hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=4).digest(), "big")


def _weighted(tokens: Sequence[str]) -> SparseVector:
    norm = K1 * (1 - B + B * len(tokens) / MEAN_TOKENS)
    weights: dict[int, float] = {}
    for term, frequency in Counter(tokens).items():
        weights[term_index(term)] = frequency * (K1 + 1) / (frequency + norm)
    indices = sorted(weights)
    return SparseVector(indices, [weights[index] for index in indices])


def _text(text: str | bytes) -> str:
    return text if isinstance(text, str) else text.decode("utf-8", "replace")
