"""The terms of chunks as postings, and BM25 over them.

Texts are split by FTS5's tokenizer, as in the SQLite store: both find and score the same.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import starmap
from typing import Any

from pincite.model.search import KeywordScore
from pincite.store import lexicon
from pincite.store.lexicon import K1, B, QueryTerm, Tokens, inverse_frequency, unquoted

Rows = Callable[[str, Any], list[tuple[Any, ...]]]
"""Runs a named statement of one transaction."""

COLUMN_GAP = 1
"""Places between a chunk's context and its text, so that no phrase runs from one into the other."""

COUNTED_FROM = 20_000
"""Chunks from which terms have a number that was counted earlier: counting 20,000 rows takes 2 ms, and a number that
is wrong by a half changes no order that matters (the study of PostgreSQL, docs/measurements.md)."""

Split = list[list[str]]
"""The terms of a chunk's context and of its text, in order."""


def places(columns: Split) -> tuple[dict[str, list[int]], int]:
    """Return the places of each term of a chunk, and its number of tokens."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    place = length = 0
    for column in columns:
        for term in column:
            found[term].append(place)
            place += 1
        length += len(column)
        place += COLUMN_GAP
    return found, length


class TermCounts:
    """The ids of terms and the numbers of chunks that contain them, each looked up once a snapshot. Thread-safe.

    Args:
        rows: Runs a statement.
        total: The number of chunks.
    """

    def __init__(self, rows: Rows, total: int) -> None:
        self._rows = rows
        self._total = total
        self._found: dict[str, tuple[int, int] | None] = {}

    def of(self, terms: Sequence[str]) -> list[tuple[int, int] | None]:
        """Return the id and the number of chunks of each term; None for one that no chunk contains.

        In a large index the number is as it was counted lately.
        """
        new = [term for term in dict.fromkeys(terms) if term not in self._found]
        if new:
            # At once, as other threads read it: a term is there with its number or not at all.
            self._found |= self._look_up(new)
        return [self._found[term] for term in terms]

    def _look_up(self, terms: list[str]) -> dict[str, tuple[int, int] | None]:
        stored: dict[str, tuple[int, int | None]] = {row[0]: row[1:] for row in self._rows("terms", (terms,))}
        is_small = self._total < COUNTED_FROM
        uncounted = [number for number, counted in stored.values() if counted is None or is_small]
        exact: dict[int, int] = dict(self._rows("term_counts", (uncounted,)) if uncounted else ())  # type: ignore[arg-type]  # rows of two columns
        found: dict[str, tuple[int, int] | None] = dict.fromkeys(terms)
        for term, (number, counted) in stored.items():
            frequency = exact.get(number, 0) if counted is None or is_small else counted
            found[term] = (number, frequency) if frequency else None
        return found


def look_up(
    rows: Rows, tokens: Tokens, strings: Mapping[str, bool], counts: TermCounts, total: int, all_tokens: int
) -> list[QueryTerm]:
    """Look up every string of a query; see `lexicon.look_up`. All single terms take one statement or two."""
    counts.of([split[0] for split in tokens.split(list(strings)) if len(split) == 1])

    def answer(name: str, arguments: Sequence[Any]) -> list[Any]:
        (string,) = arguments
        if name == "term":
            return [found for found in counts.of([string]) if found is not None]
        terms = tokens.split([unquoted(string)])[0]
        return list(phrase_scores(phrase_frequencies(rows, terms), total, all_tokens).items())

    return lexicon.look_up(answer, tokens, strings)


def phrase_frequencies(rows: Rows, terms: Sequence[str]) -> dict[int, tuple[int, int]]:
    """Return how often each chunk contains these terms side by side, and its length."""
    distinct = dict.fromkeys(terms)
    ids: dict[str, int] = dict(rows("term_ids", (list(distinct),)))  # type: ignore[arg-type]  # rows of two columns
    if len(ids) < len(distinct) or not terms:
        return {}
    found: dict[int, tuple[int, int]] = {}
    for chunk_id, length, numbers, texts in rows("phrase", (list(ids.values()), len(ids))):
        places_of = {number: set(map(int, text.split(","))) for number, text in zip(numbers, texts, strict=True)}
        starts = places_of[ids[terms[0]]]
        for offset, term in enumerate(terms[1:], 1):
            starts = {start for start in starts if start + offset in places_of[ids[term]]}
        if starts:
            found[chunk_id] = len(starts), length
    return found


def phrase_scores(frequencies: Mapping[int, tuple[int, int]], total: int, all_tokens: int) -> dict[int, float]:
    """Return the part of a phrase in the BM25 of each chunk that contains it."""
    idf = inverse_frequency(len(frequencies), total)

    def score(frequency: int, length: int) -> float:
        return _term_score(idf, frequency, length, total, all_tokens)

    return dict(zip(frequencies, starmap(score, frequencies.values()), strict=True))


def exact_scores(
    rows: Rows, query_terms: Sequence[QueryTerm], chunk_ids: Sequence[int], total: int, all_tokens: int
) -> dict[int, KeywordScore]:
    """Return BM25 and coverage of chunks over every word and phrase of a query."""
    numbers = [word.term for word in query_terms if word.term is not None]
    found: dict[int, dict[int, tuple[int, int]]] = {}
    for chunk_id, term, frequency, length in rows("postings", (numbers, list(chunk_ids))):
        of_chunk = found.setdefault(chunk_id, {})
        if term is not None:
            of_chunk[term] = frequency, length
    idfs = [inverse_frequency(word.document_frequency, total) for word in query_terms]
    whole = sum(idf for idf, word in zip(idfs, query_terms, strict=True) if word.in_query)
    scores: dict[int, KeywordScore] = {}
    for chunk_id, of_chunk in found.items():
        bm25 = covered = 0.0
        for idf, word in zip(idfs, query_terms, strict=True):
            if word.scores is not None:
                part = word.scores.get(chunk_id, 0.0)
            else:
                frequency, length = of_chunk.get(word.term, (0, 0)) if word.term is not None else (0, 0)
                part = _term_score(idf, frequency, length, total, all_tokens) if frequency else 0.0
            bm25 += part
            covered += idf * word.in_query * (part > 0)
        scores[chunk_id] = KeywordScore(bm25, covered / whole if whole else 0.0)
    return scores


def _term_score(idf: float, frequency: int, length: int, total: int, all_tokens: int) -> float:
    norm = K1 * (1 - B + B * length * total / max(all_tokens, 1))
    return idf * frequency * (K1 + 1) / (frequency + norm)
