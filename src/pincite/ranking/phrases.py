"""Verbatim phrases: in quotation marks, or a whole query copied from the documents."""

import re
from collections.abc import Mapping
from functools import cached_property

from pincite.model.search import Parts
from pincite.ranking.fusion import Shares
from pincite.ranking.stopwords import STOPWORDS
from pincite.text.lexical import WORD
from pincite.text.prose import prose
from pincite.text.words import folded

MIN_QUERY_WORDS = 2
"""Minimum number of words of a query that is tried as a phrase without quotation marks."""

MIN_ENGLISH_QUERY_WORDS = 4
"""The same in English, where the model knows what fewer words mean."""

MAX_QUERY_WORDS = 2000
"""Maximum number of words of a query that is tried as a phrase: no chunk is longer."""

LOOKED_UP_WORDS = 16
"""Number of leading words of a phrase that are looked up in the full-text index; the others are compared in the text.

A phrase query costs time per word: 1.4 ms for four, 2.6 for 15, 4.9 for 32 (medians over 100,000 chunks).
"""

MIN_CONTENT_SHARE = 0.25
"""Minimum share of content words in such a query: `value that can go up and down` is paraphrased, not copied."""

PHRASE_BOOST = 0.75
"""Share of the difference between a score and 1 that a phrase adds, so that chunks with it rank above all others."""

SHORT_QUERY_BOOST = 0.15
"""The same for a whole query of `MIN_QUERY_WORDS`, which may be a question that also occurs on an unrelated page."""

FULL_BOOST_WORDS = 8
"""Number of words from which a whole query that occurs verbatim counts as copied and gets the full boost."""

_BETWEEN = r"[\W_]+"


class Phrase:
    """A sequence of words, compared without regard to case, punctuation, Markdown and what `text.words` folds."""

    def __init__(self, text: str, boost: float = PHRASE_BOOST) -> None:
        """Store a phrase; its pattern is compiled at the first comparison (0.3 ms).

        Args:
            text: As typed or copied.
            boost: Share of the difference between a score and 1 that it adds.
        """
        self.text = text
        self.boost = boost

    @cached_property
    def start(self) -> str:
        """The first `LOOKED_UP_WORDS` words as typed."""
        plain = folded(self.text)
        ends = [match.end() for match in WORD.finditer(plain)]
        return plain[: ends[LOOKED_UP_WORDS - 1]] if len(ends) > LOOKED_UP_WORDS else self.text

    @cached_property
    def _words(self) -> list[str]:
        return WORD.findall(_fold(self.text))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(rf"(?<![^\W_]){_BETWEEN.join(self._words)}(?![^\W_])")

    def occurs_in(self, text: str) -> bool:
        """Return True if the words occur in sequence in the text as written, or as rendered."""
        folded = _fold(text)
        # A substring search for the longest word rejects most texts before the regex runs.
        if not self._words or max(self._words, key=len) not in folded:
            return False
        return bool(self._pattern.search(folded) or self._pattern.search(_fold(prose(text))))


def whole_query(query: str, *, is_english: bool) -> Phrase | None:
    """Return the query as one phrase; None if it is too short, too long, or mostly function words."""
    least = MIN_ENGLISH_QUERY_WORDS if is_english else MIN_QUERY_WORDS
    words = WORD.findall(folded(query))
    if not least <= len(words) <= MAX_QUERY_WORDS:
        return None
    if sum(word.lower() not in STOPWORDS for word in words) < MIN_CONTENT_SHARE * len(words):
        return None
    # The boost grows linearly from the shortest such query to `FULL_BOOST_WORDS`.
    length = min(1.0, (len(words) - MIN_QUERY_WORDS) / (FULL_BOOST_WORDS - MIN_QUERY_WORDS))
    return Phrase(query, SHORT_QUERY_BOOST + length * (PHRASE_BOOST - SHORT_QUERY_BOOST))


def raise_matches(scores: Mapping[int, Shares], boosts: Mapping[int, float]) -> dict[int, Shares]:
    """Return the scores with a phrase part added to each chunk that contains phrases.

    Args:
        scores: The semantic and the keyword part, by chunk id.
        boosts: Share of the difference between a chunk's score and 1 to add, by chunk id.
    """
    return {**scores, **{chunk: _raised(scores[chunk], boost) for chunk, boost in boosts.items() if chunk in scores}}


def _raised(shares: Shares, boost: float) -> Parts:
    semantic, keyword, *_ = shares
    return Parts(semantic, keyword, (1 - semantic - keyword) * boost)


def _fold(text: str) -> str:
    return folded(text).casefold()
