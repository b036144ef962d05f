"""Words made into an FTS5 query that can only mean those words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pincite.model.search import KeywordQuery
from pincite.store.lexicon import QueryTerm, quote

_UNSAFE = dict.fromkeys((0, *range(0xD800, 0xE000)), " ")
MIN_TERMS_KEYWORD_ONLY = 2
"""Words to find by, at least, where nothing else finds: the best chunks hold several."""

MIN_TERMS_HYBRID = 0
"""The same where the nearest chunks are weighed too: a frequent word brings in no answer, and takes longer than the
scan."""


@dataclass(frozen=True, slots=True)
class KeywordLimits:
    """What a word search is held to.

    Attributes:
        terms: The most terms and phrases that are looked up.
        characters: The most characters of one of them.
        postings: The matches that candidates may cost, as a share of all chunks: FTS5's cost is their number.
        prune_from: Below this many chunks nothing is dropped: everything is fast there.
    """

    terms: int = 64
    characters: int = 256
    postings: float = 0.1
    prune_from: int = 20_000


def query_strings(query: KeywordQuery, limits: KeywordLimits) -> dict[str, bool]:
    """Every term and phrase once, cut to the limits, without what SQLite cannot hold; whether it was asked for."""
    words = (*query.terms, *query.phrases, *query.synonyms)
    in_query = len(query.terms) + len(query.phrases)
    texts: dict[str, bool] = {}
    for place, word in enumerate(words):
        text = word[: limits.characters].translate(_UNSAFE).strip()
        if text and len(texts) < limits.terms:
            texts.setdefault(text, place < in_query)
    return texts


def phrase_string(text: str) -> str:
    """One FTS5 string of a text, without what SQLite cannot hold."""
    return quote(text.translate(_UNSAFE))


def any_of(strings: Iterable[str]) -> str:
    """Matches a chunk that holds one of them."""
    return " OR ".join(strings)


def rarest(query_terms: Sequence[QueryTerm], postings: int | None, least: int) -> Sequence[QueryTerm]:
    """What to find candidates by: phrases, then the rarest words whose matches together fit.

    Never one that no chunk holds.

    Args:
        query_terms: The words of a query.
        postings: How many matches fit; None for any number.
        least: How many are taken even if they do not fit.
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
