"""Match the words of a query, which have no syntax of their own: FTS5 queries, and which words find chunks."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from pincite.model.search import KeywordQuery, KeywordScore, Scored
from pincite.store.bm25 import QueryTerm, best_by_phrases, quote
from pincite.text.excerpt import SURROGATES
from pincite.text.words import folded

# NUL ends a string in FTS5, and SQLite's UTF-8 cannot encode lone surrogates.
_UNSAFE = dict.fromkeys((0, *SURROGATES), " ")

MIN_TERMS_KEYWORD_ONLY = 2
"""Minimum number of words that find candidates without a semantic leg: the best chunks contain several."""

MIN_TERMS_HYBRID = 0
"""The same with a semantic leg: a frequent word adds no answer there and takes longer than the vector scan."""


@dataclass(frozen=True, slots=True)
class KeywordLimits:
    """Limits of a keyword search.

    Attributes:
        terms: Maximum number of terms and phrases that are looked up.
        characters: Maximum length of one of them.
        postings: Maximum number of matches that find candidates, as a share of all chunks: they are FTS5's cost.
            With a tenth, 540 questions keep their first places.
        prune_from: Number of chunks from which frequent words are dropped; below it every word is fast.
    """

    terms: int = 64
    characters: int = 256
    postings: float = 0.1
    prune_from: int = 20_000


def query_strings(query: KeywordQuery, limits: KeywordLimits) -> dict[str, bool]:
    """Return each distinct term and phrase, cut to the limits and safe for SQLite, and whether it is in the query.

    False marks synonyms, which do not count for coverage.
    """
    words = (*query.terms, *query.phrases, *query.synonyms)
    in_query = len(query.terms) + len(query.phrases)
    texts: dict[str, bool] = {}
    for place, word in enumerate(words):
        text = safe(word[: limits.characters]).strip()
        if text and len(texts) < limits.terms:
            texts.setdefault(text, place < in_query)
    return texts


def safe(text: str) -> str:
    """Return a text without characters that SQLite cannot store."""
    return text.translate(_UNSAFE)


def phrase_string(text: str) -> str:
    """Return a text as one FTS5 string, without characters that SQLite cannot store."""
    return folded(quote(safe(text)))


def any_of(strings: Iterable[str]) -> str:
    """Return an FTS5 query that matches chunks with at least one of these strings."""
    return folded(" OR ".join(strings))


def rarest_terms(query_terms: Sequence[QueryTerm], postings: int | None, least: int) -> Sequence[QueryTerm]:
    """Return the terms that find candidates: phrases, then the rarest words up to a budget of matches.

    Under a budget, phrases and words that no chunk contains are left out.

    Args:
        query_terms: The words of a query.
        postings: Maximum number of matches; None for no budget.
        least: Number of terms to return even over the budget.
    """
    if postings is None:
        return query_terms
    kept = [word for word in query_terms if word.scores]
    spent = sum(phrase.document_frequency for phrase in kept)
    for word in sorted(
        (word for word in query_terms if word.term is not None), key=lambda word: word.document_frequency
    ):
        spent += word.document_frequency
        if len(kept) >= least and spent > postings:
            break
        kept.append(word)
    return kept


def best_by_words(
    query_terms: Sequence[QueryTerm],
    postings: int | None,
    matching: Callable[[Sequence[QueryTerm]], list[Scored]],
    score: Callable[[Sequence[int]], Mapping[int, KeywordScore]],
) -> list[Scored]:
    """Return the best chunks by all words, best first, found by the rarest of them.

    Args:
        query_terms: The words of a query.
        postings: Maximum number of matches that find chunks; None for no budget.
        matching: Returns the best chunks by some of the words.
        score: Scores chunks over all words.
    """
    kept = rarest_terms(query_terms, postings, MIN_TERMS_KEYWORD_ONLY)
    hits = matching(kept)
    # Nothing with a match was dropped: the scores are over all words already.
    if sum(word.document_frequency for word in kept) == sum(word.document_frequency for word in query_terms):
        return hits
    scores = score([hit.chunk_id for hit in hits])
    exact = [Scored(chunk_id, weight.bm25) for chunk_id, weight in scores.items()]
    return sorted(exact, key=lambda scored: (-scored.score, scored.chunk_id))


def candidate_chunks(
    query_terms: Sequence[QueryTerm],
    postings: int | None,
    matching: Callable[[Sequence[QueryTerm]], list[Scored]],
    phrases: int,
) -> list[int]:
    """Return the candidates of a hybrid search: the best by phrases, then those by the rarest words.

    Args:
        query_terms: The words of a query.
        postings: Maximum number of matches that find chunks; None for no budget.
        matching: Returns the best chunks by some of the words.
        phrases: Maximum number of chunks that are found by phrases alone; 0 to match phrases as words.
    """
    kept = rarest_terms(query_terms, postings, MIN_TERMS_HYBRID)
    by_phrases: list[int] = []
    if phrases:
        # Phrases cost most to match, and were scored when they were looked up.
        by_phrases = best_by_phrases(kept, phrases)
        kept = [word for word in kept if word.scores is None]
    return list(dict.fromkeys([*by_phrases, *(scored.chunk_id for scored in matching(kept))]))
