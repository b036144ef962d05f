"""Words made into an FTS5 query that can only mean those words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pincite.model.search import WordQuery
from pincite.store.lexicon import Wanted, quote

_UNSAFE = dict.fromkeys((0, *range(0xD800, 0xE000)), " ")
ALONE = 2
"""Words to find by, at least, where nothing else finds: the best chunks hold several."""

BESIDE_MEANING = 0
"""The same where the nearest chunks are weighed too: a frequent word brings in no answer, and takes longer than the
scan."""


@dataclass(frozen=True, slots=True)
class WordLimits:
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


def plain(query: WordQuery, limits: WordLimits) -> dict[str, bool]:
    """Every term and phrase once, cut to the limits, without what SQLite cannot hold; whether it was asked for."""
    words = (*query.terms, *query.phrases, *query.synonyms)
    asked = len(query.terms) + len(query.phrases)
    texts: dict[str, bool] = {}
    for place, word in enumerate(words):
        text = word[: limits.characters].translate(_UNSAFE).strip()
        if text and len(texts) < limits.terms:
            texts.setdefault(text, place < asked)
    return texts


def phrase_string(text: str) -> str:
    """One FTS5 string of a text, without what SQLite cannot hold."""
    return quote(text.translate(_UNSAFE))


def any_of(strings: Iterable[str]) -> str:
    """Matches a chunk that holds one of them."""
    return " OR ".join(strings)


def rarest(wanted: Sequence[Wanted], postings: int | None, least: int) -> Sequence[Wanted]:
    """What to find candidates by: phrases, then the rarest words whose matches together fit.

    Never one that no chunk holds.

    Args:
        wanted: The words of a query.
        postings: How many matches fit; None for any number.
        least: How many are taken even if they do not fit.
    """
    if postings is None:
        return wanted
    kept = [word for word in wanted if word.scores]
    spent = sum(phrase.document_frequency for phrase in kept)
    for word in sorted((word for word in wanted if word.term is not None), key=lambda word: word.document_frequency):
        spent += word.document_frequency
        if len(kept) >= least and spent > postings:
            break
        kept.append(word)
    return kept
