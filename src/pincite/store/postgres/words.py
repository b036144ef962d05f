"""The terms of chunks as postings, and BM25 over them.

Texts are split by FTS5's tokenizer, as in the SQLite store: both find and score the same.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import starmap
from typing import Any

from pincite.model.search import KeywordScore
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


def look_up_rows(rows: Rows, tokens: Tokens, total: int, all_tokens: int) -> Callable[[str, Sequence[Any]], list[Any]]:
    """Return what `lexicon.look_up` asks: `term` gives a term's id and frequency, `phrase` the BM25 of each chunk."""

    def answer(name: str, arguments: Sequence[Any]) -> list[Any]:
        (string,) = arguments
        if name == "term":
            return [(term, frequency) for term, frequency in _term(rows, string, total) if frequency]
        terms = tokens.split([unquoted(string)])[0]
        return list(phrase_scores(phrase_frequencies(rows, terms), total, all_tokens).items())

    return answer


def document_frequency(rows: Rows, term: str, total: int) -> int:
    """Return the number of chunks that contain a term; in a large index as it was counted lately."""
    return next((frequency for _, frequency in _term(rows, term, total)), 0)


def _term(rows: Rows, term: str, total: int) -> Iterator[tuple[int, int]]:
    for number, counted in rows("term", (term,)):
        if counted is not None and total >= COUNTED_FROM:
            yield number, counted
        else:
            yield number, rows("term_count", (number,))[0][0]


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
    lengths: dict[int, int] = dict(rows("lengths", (list(chunk_ids),)))  # type: ignore[arg-type]  # rows of two columns
    numbers = [word.term for word in query_terms if word.term is not None]
    found = {(chunk, term): count for chunk, term, count in rows("postings", (list(chunk_ids), numbers))}
    idfs = [inverse_frequency(word.document_frequency, total) for word in query_terms]
    whole = sum(idf for idf, word in zip(idfs, query_terms, strict=True) if word.in_query)
    scores: dict[int, KeywordScore] = {}
    for (chunk_id,) in rows("existing", (list(chunk_ids),)):
        bm25 = covered = 0.0
        for idf, word in zip(idfs, query_terms, strict=True):
            if word.scores is not None:
                part = word.scores.get(chunk_id, 0.0)
            else:
                frequency = found.get((chunk_id, word.term), 0)
                part = _term_score(idf, frequency, lengths.get(chunk_id, 0), total, all_tokens) if frequency else 0.0
            bm25 += part
            covered += idf * word.in_query * (part > 0)
        scores[chunk_id] = KeywordScore(bm25, covered / whole if whole else 0.0)
    return scores


def _term_score(idf: float, frequency: int, length: int, total: int, all_tokens: int) -> float:
    norm = K1 * (1 - B + B * length * total / max(all_tokens, 1))
    return idf * frequency * (K1 + 1) / (frequency + norm)
