"""Which chunks hold the phrases of a query word for word."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pincite.model.search import Filter, KeywordScore
from pincite.ranking.fusion import Shares
from pincite.ranking.phrases import Phrase, whole_query
from pincite.ranking.query import quoted_phrases
from pincite.store.base import Snapshot

LOOKED_UP_CHUNKS = 32
"""Chunks that the word index is asked for, for one phrase: more than an answer shows."""

COMPARED_CHUNKS = 16
"""Chunks with every word of the query whose texts are compared, best first."""

COMPARED_BY_KEYWORDS = 10
"""The same where words alone rank: there it is not known which chunks hold every word."""

COMPLETE = 1 - 1e-9
"""The coverage of a chunk that holds every word, whatever the rounding of its sum."""


@dataclass(frozen=True, slots=True)
class PhraseSearch:
    """The phrases of one query.

    Attributes:
        phrases: Those in quotation marks; else the whole query, where it is long enough.
        quoted: Whether they are in quotation marks.
    """

    phrases: tuple[Phrase, ...] = ()
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class PhraseMatches:
    """What was found of the phrases.

    Attributes:
        boosts: What the phrases of a chunk add to its score (`raise_matches`), by chunk id.
        missing: The phrases in quotation marks that no chunk holds.
    """

    boosts: Mapping[int, float]
    missing: tuple[str, ...] = ()


NO_PHRASES = PhraseSearch()


def phrase_search(query: str) -> PhraseSearch:
    """Return the phrases to look for."""
    if quoted := quoted_phrases(query):
        return PhraseSearch(tuple(map(Phrase, quoted)), quoted=True)
    whole = whole_query(query)
    return PhraseSearch((whole,)) if whole else NO_PHRASES


def phrase_candidates(
    snapshot: Snapshot, search: PhraseSearch, where: Filter, keyword_scores: Mapping[int, KeywordScore] | None = None
) -> list[int]:
    """Return chunks that may hold a phrase, from the word index.

    Args:
        snapshot: Where to search.
        search: What for.
        where: Which chunks may be found.
        keyword_scores: Candidates that are known. A whole query is looked up only where too many of them hold all its
            words to compare each; None to look it up in any case.
    """
    if not search.quoted and keyword_scores is not None and len(complete(keyword_scores)) <= COMPARED_CHUNKS:
        return []
    looked_up = (snapshot.phrase_chunks(phrase.start, where, LOOKED_UP_CHUNKS) for phrase in search.phrases)
    return list(dict.fromkeys(chunk for chunks in looked_up for chunk in chunks))


def complete(keyword_scores: Mapping[int, KeywordScore]) -> list[int]:
    """Return the chunks that hold every word of the query."""
    return [chunk for chunk, weight in keyword_scores.items() if weight.coverage >= COMPLETE]


def best(chunks: Iterable[int], scores: Mapping[int, Shares]) -> list[int]:
    """Return the chunks of highest score."""
    return sorted(chunks, key=lambda chunk: (-sum(scores[chunk]), chunk))[:COMPARED_CHUNKS]


def match_phrases(snapshot: Snapshot, search: PhraseSearch, chunks: Sequence[int]) -> PhraseMatches:
    """Compare the phrases with the texts of these chunks."""
    if not search.phrases or not (chunks or search.quoted):
        return PhraseMatches({})
    texts = snapshot.texts(chunks)
    holders = [[chunk for chunk, text in texts.items() if phrase.occurs_in(text)] for phrase in search.phrases]
    boosts: dict[int, float] = {}
    for phrase, found in zip(search.phrases, holders, strict=True):
        for chunk in found:
            boosts[chunk] = boosts.get(chunk, 0.0) + phrase.boost / len(holders)
    pairs = zip(search.phrases, holders, strict=True)
    return PhraseMatches(boosts, tuple(phrase.text for phrase, found in pairs if search.quoted and not found))
