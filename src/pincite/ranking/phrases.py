"""Phrases that occur word for word: in quotation marks, or a whole query that was copied from the documents."""

import re
import unicodedata
from collections.abc import Mapping
from functools import cached_property

from pincite.model.search import Parts
from pincite.ranking.fusion import Shares
from pincite.ranking.stopwords import STOPWORDS
from pincite.text.prose import prose

LEAST_QUERY_WORDS = 4
"""Words from which a whole query without quotation marks is tried as a phrase: fewer are keywords."""

LONGEST_WORDS = 2000
"""Words above which no phrase is looked for: no chunk is that long."""

LOOKED_UP_WORDS = 16
"""The first words of a phrase, by which the word index finds it; the rest is compared with the text.

A phrase query costs by its words: 1.4 ms for four, 2.6 for 15, 4.9 for 32 (medians over 100,000 chunks).
"""

LEAST_CONTENT_SHARE = 0.25
"""The share of its words that are no function words: `value that can go up and down` is a question in its own words."""

PHRASE_BOOST = 0.75
"""The share of what a score lacks to 1 that a phrase adds: a chunk that holds it comes before all that do not."""

SHORT_QUERY_BOOST = 0.35
"""The same for a whole query of `LEAST_QUERY_WORDS`: such a one may well be a question, and occur on another page."""

FULL_BOOST_WORDS = 8
"""Words from which a whole query that occurs word for word was copied, not thought of."""

_WORD = re.compile(r"[^\W_]+")
_BETWEEN = r"[\W_]+"


class Phrase:
    """Words in a fixed order; case, punctuation and Markdown between them do not count."""

    def __init__(self, text: str, boost: float = PHRASE_BOOST) -> None:
        """Keep a phrase; what a comparison needs is prepared at the first one (0.3 ms).

        Args:
            text: As it was typed or copied.
            boost: The share of what a score lacks to 1 that it adds.
        """
        self.text = text
        self.boost = boost

    @cached_property
    def start(self) -> str:
        """The first `LOOKED_UP_WORDS` words, as they were typed."""
        ends = [match.end() for match in _WORD.finditer(self.text)]
        return self.text[: ends[LOOKED_UP_WORDS - 1]] if len(ends) > LOOKED_UP_WORDS else self.text

    @cached_property
    def _words(self) -> list[str]:
        return _WORD.findall(_fold(self.text))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(rf"(?<![^\W_]){_BETWEEN.join(self._words)}(?![^\W_])")

    def occurs_in(self, text: str) -> bool:
        """Return True if the words follow each other in the text as written, or as a reader sees it."""
        folded = _fold(text)
        if not self._words or max(self._words, key=len) not in folded:
            return False
        return bool(self._pattern.search(folded) or self._pattern.search(_fold(prose(text))))


def whole_query(query: str) -> Phrase | None:
    """Return the query as one phrase; None where it is too short, or too long, to be tried as one."""
    words = _WORD.findall(query)
    if not LEAST_QUERY_WORDS <= len(words) <= LONGEST_WORDS:
        return None
    if sum(word.lower() not in STOPWORDS for word in words) < LEAST_CONTENT_SHARE * len(words):
        return None
    length = min(1.0, (len(words) - LEAST_QUERY_WORDS) / (FULL_BOOST_WORDS - LEAST_QUERY_WORDS))
    return Phrase(query, SHORT_QUERY_BOOST + length * (PHRASE_BOOST - SHORT_QUERY_BOOST))


def raise_matches(scores: Mapping[int, Shares], boosts: Mapping[int, float]) -> dict[int, Shares]:
    """Add to the score of every chunk that holds phrases.

    Args:
        scores: What meaning and words add, by chunk id.
        boosts: The share of what its score lacks to 1 that the phrases of a chunk add, by chunk id.
    """
    return {**scores, **{chunk: _raised(scores[chunk], boost) for chunk, boost in boosts.items() if chunk in scores}}


def _raised(shares: Shares, boost: float) -> Parts:
    semantic, keyword, *_ = shares
    return Parts(semantic, keyword, (1 - semantic - keyword) * boost)


def _fold(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()
