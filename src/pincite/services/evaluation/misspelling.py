"""Questions as they are typed in haste: the same error in the same question every time."""

import random
import re
import string
from dataclasses import replace

from pincite.ranking.stopwords import STOPWORDS
from pincite.services.evaluation.datasets import Question

LEAST_LETTERS = 4
"""Shorter words are left alone: with one letter wrong they are other words."""

_WORD = re.compile(r"[^\W\d_]+")


def misspelt(question: Question, seed: int = 0, words: int = 1) -> Question:
    """The question with one error in each of its longest words.

    An error is a letter swapped with the next, left out, doubled or replaced. The first letter stays: people seldom
    miss it. Which error it is depends on the seed and the question alone, not on the questions beside it.

    Args:
        question: One that may have no word to misspell (too short, no letters); it stays as it is.
        seed: Another seed, other errors.
        words: How many words get one.
    """
    chance = random.Random(f"{seed} {question.text}")  # noqa: S311 - a choice that repeats, not a secret
    found = [m for m in _WORD.finditer(question.text) if len(m[0]) >= LEAST_LETTERS and m[0].lower() not in STOPWORDS]
    chosen = sorted(found, key=lambda m: (-len(m[0]), m.start()))[:words]
    text = question.text
    for match in sorted(chosen, key=lambda m: -m.start()):
        text = text[: match.start()] + _with_error(match[0], chance) + text[match.end() :]
    return replace(question, text=text)


def _with_error(word: str, chance: random.Random) -> str:
    """The word with one error, never the word itself."""
    while True:
        i = chance.randrange(1, len(word) - 1)
        other = chance.choice(string.ascii_lowercase)
        error = chance.choice(
            (
                word[:i] + word[i + 1] + word[i] + word[i + 2 :],
                word[:i] + word[i + 1 :],
                word[:i] + word[i] + word[i:],
                word[:i] + other + word[i + 1 :],
            )
        )
        if error != word:
            return error
