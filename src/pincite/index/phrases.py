"""Find the chunks that contain the phrases of a query verbatim."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from pincite.model.search import Filter, KeywordScore
from pincite.ranking.fusion import Shares
from pincite.ranking.phrases import Phrase, whole_query
from pincite.ranking.query import english_share, quoted_phrases
from pincite.ranking.relevance import MIN_ENGLISH_SHARE
from pincite.store.base import Snapshot

LOOKED_UP_CHUNKS = 32
"""Maximum number of chunks that the full-text index returns for a phrase: more than an answer shows."""

COMPARED_CHUNKS = 16
"""Maximum number of chunks with every word of the query whose texts are compared, best first.

If there are more, a phrase query (1.4 to 4.9 ms at 100,000 chunks) is cheaper.
"""

COMPARED_BY_KEYWORDS = 10
"""The same for keyword search alone, where coverage, and so which chunks have every word, is not known."""

COMPLETE = 1 - 1e-9
"""Minimum coverage of a chunk with every word, allowing for rounding of the sum."""


@dataclass(frozen=True, slots=True)
class PhraseSearch:
    """The phrases of one query.

    Attributes:
        phrases: Those in quotation marks; without any, the whole query if it is long enough.
        quoted: Whether they are in quotation marks.
    """

    phrases: tuple[Phrase, ...] = ()
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class PhraseMatches:
    """The matches of a query's phrases.

    Attributes:
        boosts: The boost of each chunk by its phrases, for `raise_matches`, by chunk id.
        missing: The phrases in quotation marks that no chunk contains.
    """

    boosts: Mapping[int, float]
    missing: tuple[str, ...] = ()


NO_PHRASES = PhraseSearch()


def phrase_search(query: str, knows: Callable[[str], bool]) -> PhraseSearch:
    """Return the phrases to search for.

    Args:
        query: The query.
        knows: Returns True if a lower-case word is English.
    """
    if quoted := quoted_phrases(query):
        return PhraseSearch(tuple(map(Phrase, quoted)), quoted=True)
    whole = whole_query(query, is_english=english_share(query, knows) >= MIN_ENGLISH_SHARE)
    return PhraseSearch((whole,)) if whole else NO_PHRASES


def phrase_candidates(
    snapshot: Snapshot, search: PhraseSearch, where: Filter, keyword_scores: Mapping[int, KeywordScore] | None = None
) -> list[int]:
    """Return chunks that may contain a phrase, from the full-text index.

    Args:
        snapshot: The snapshot to search.
        search: The phrases.
        where: Restricts the chunks.
        keyword_scores: Known candidates. A whole query is looked up only if more of them have all its words
            than are compared; None to look it up in any case.
    """
    if not search.quoted and keyword_scores is not None and len(complete(keyword_scores)) <= COMPARED_CHUNKS:
        return []
    looked_up = (snapshot.phrase_chunks(phrase.start, where, LOOKED_UP_CHUNKS) for phrase in search.phrases)
    return list(dict.fromkeys(chunk for chunks in looked_up for chunk in chunks))


def complete(keyword_scores: Mapping[int, KeywordScore]) -> list[int]:
    """Return the chunks that contain every word of the query."""
    return [chunk for chunk, weight in keyword_scores.items() if weight.coverage >= COMPLETE]


def best(chunks: Iterable[int], scores: Mapping[int, Shares]) -> list[int]:
    """Return the `COMPARED_CHUNKS` chunks of highest score."""
    return sorted(chunks, key=lambda chunk: (-sum(scores[chunk]), chunk))[:COMPARED_CHUNKS]


def chunks_with_all(snapshot: Snapshot, search: PhraseSearch, where: Filter, n: int) -> list[int]:
    """Return chunks that contain every phrase, of the first n that the full-text index returns for each."""
    looked_up = (snapshot.phrase_chunks(phrase.start, where, n) for phrase in search.phrases)
    texts = snapshot.texts(list(dict.fromkeys(chunk for chunks in looked_up for chunk in chunks)))
    return [chunk for chunk, text in texts.items() if all(phrase.occurs_in(text) for phrase in search.phrases)]


def match_phrases(snapshot: Snapshot, search: PhraseSearch, chunks: Sequence[int]) -> PhraseMatches:
    """Find the phrases in the texts of these chunks."""
    if not search.phrases or not (chunks or search.quoted):
        return PhraseMatches({})
    texts = snapshot.texts(chunks)
    matches = [[chunk for chunk, text in texts.items() if phrase.occurs_in(text)] for phrase in search.phrases]
    boosts: dict[int, float] = {}
    for phrase, matching in zip(search.phrases, matches, strict=True):
        for chunk in matching:
            boosts[chunk] = boosts.get(chunk, 0.0) + phrase.boost / len(matches)
    # Of chunks with other forms of the words only some are looked up: then nothing is known of the rest.
    is_known = search.quoted and len(chunks) < LOOKED_UP_CHUNKS
    pairs = zip(search.phrases, matches, strict=True)
    return PhraseMatches(boosts, tuple(phrase.text for phrase, matching in pairs if is_known and not matching))
