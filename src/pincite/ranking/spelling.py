"""Words that nobody knows, repaired: a question with a slip finds what it meant.

Measured: one slip in every question costs .03 to .15 at first place, the repair brings all but .01 of
it back and changes nothing on clean questions. Only a word is repaired that neither the documents nor
the English word list know; names (one capital, at the beginning) and beginnings of known words are left
alone. The parts of an identifier are words.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from pincite.ranking.query import IDENTIFIER, QUOTED
from pincite.ranking.stopwords import STOPWORDS

SHORTEST = 5
"""Letters below which a word is not repaired: too many others are one slip away."""

LONG = 8
"""Letters from which two slips are repaired, else one."""

LONGEST = 32

_WORD = re.compile(rf"(?<![^\W_])[^\W\d_]{{{SHORTEST},{LONGEST}}}(?![^\W_])")


class Spellings(Protocol):
    """What the documents' words are."""

    def document_frequencies(self, terms: Sequence[str]) -> list[int]:
        """In how many chunks each word stands, in any of its forms."""
        ...

    def spellings(self, initial: str, shortest: int, longest: int) -> list[str]:
        """The documents' words (lower case) of a length in letters that begin with this letter."""
        ...


@dataclass(frozen=True, slots=True)
class _Slip:
    start: int
    end: int
    typed: str


def repair(question: str, documents: Spellings, is_english: Callable[[str], bool]) -> str:
    """The question with every unknown word replaced by the documents' nearest one, if there is one near.

    Near is the same first letter and an optimal string alignment distance (insertions, deletions,
    replacements, swaps of neighbours) of 1, or 2 from eight letters up; of several the nearest, then
    the one that most chunks hold.

    Args:
        question: As the user typed it.
        documents: Their words.
        is_english: Whether a lower-case word is known to the language.
    """
    suspects = _suspects(question)
    frequencies = documents.document_frequencies([slip.typed for slip in suspects]) if suspects else []
    for slip, chunks in reversed(list(zip(suspects, frequencies, strict=True))):
        # The documents are asked first: a first answer by words whose words they hold need not load a vocabulary.
        meant = None if chunks or is_english(slip.typed) else _nearest(slip.typed, documents)
        if meant:
            question = question[: slip.start] + meant + question[slip.end :]
    return question


def _suspects(question: str) -> list[_Slip]:
    """Words that may be repaired: of letters, long enough, no name, not in quotation marks."""
    quoted = [match.span() for match in QUOTED.finditer(question)]
    return [
        _Slip(word.start(), word.end(), word[0].lower())
        for word in _WORD.finditer(question)
        if not any(start <= word.start() < end for start, end in quoted)
        and (not word[0].istitle() or not word.start() or _is_part(question, word))
        and word[0].lower() not in STOPWORDS
    ]


def _is_part(question: str, word: re.Match[str]) -> bool:
    """Whether a word is a part of an identifier, or of several words joined by hyphens."""
    before = question[: word.start()].rpartition(" ")[2]
    after = question[word.end() :].partition(" ")[0]
    return (
        before.endswith("-") or after.startswith("-") or bool(IDENTIFIER.search(before + word[0] + after.strip(".:/")))
    )


def _nearest(typed: str, documents: Spellings) -> str | None:
    from rapidfuzz.distance import OSA  # noqa: PLC0415 - most questions have no slip
    from rapidfuzz.process import extract  # noqa: PLC0415 - as above

    slips = 1 if len(typed) < LONG else 2
    words = documents.spellings(typed[0], len(typed) - slips, len(typed) + slips)
    if any(word.startswith(typed) for word in words):
        return None
    found = extract(typed, words, scorer=OSA.distance, score_cutoff=slips, limit=None)
    least = min((distance for _, distance, _ in found), default=0)
    near = sorted(word for word, distance, _ in found if distance == least)
    chunks = dict(zip(near, documents.document_frequencies(near), strict=True))
    return max((word for word in near if chunks[word]), key=chunks.__getitem__, default=None)
