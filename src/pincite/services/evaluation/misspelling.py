"""Questions with typos, reproducible by seed."""

import random
import re
import string
from dataclasses import replace

from pincite.ranking.stopwords import STOPWORDS
from pincite.services.evaluation.datasets import Question

MIN_LETTERS = 4
"""Minimum length of a misspelt word: shorter ones become other words with one letter wrong."""

_WORD = re.compile(r"[^\W\d_]+")


def misspelt(question: Question, seed: int = 0, words: int = 1) -> Question:
    """Return the question with one error in each of its longest words.

    An error is a letter transposed with the next, omitted, doubled or substituted. The first letter is kept, since
    it is rarely mistyped. The errors depend only on the seed and the question.

    Args:
        question: The question; returned unchanged if it has no word to misspell.
        seed: The seed of the errors.
        words: Number of words to misspell.
    """
    chance = random.Random(f"{seed} {question.text}")  # noqa: S311 - a choice that repeats, not a secret
    candidates = [
        m for m in _WORD.finditer(question.text) if len(m[0]) >= MIN_LETTERS and m[0].lower() not in STOPWORDS
    ]
    chosen = sorted(candidates, key=lambda m: (-len(m[0]), m.start()))[:words]
    text = question.text
    # From the last word to the first, so that earlier positions stay valid.
    for match in sorted(chosen, key=lambda m: -m.start()):
        text = text[: match.start()] + _with_error(match[0], chance) + text[match.end() :]
    return replace(question, text=text)


def _with_error(word: str, chance: random.Random) -> str:
    """Return the word with one error, never the word itself."""
    while True:
        i = chance.randrange(1, len(word) - 1)
        letter = chance.choice(string.ascii_lowercase)
        error = chance.choice(
            (
                word[:i] + word[i + 1] + word[i] + word[i + 2 :],
                word[:i] + word[i + 1 :],
                word[:i] + word[i] + word[i:],
                word[:i] + letter + word[i + 1 :],
            )
        )
        if error != word:
            return error
