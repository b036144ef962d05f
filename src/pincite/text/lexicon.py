"""Common English words, as far as the tokenizer's vocabulary has them whole."""

import json
from functools import cache
from importlib.resources import files

MIN_LETTERS = 3
"""Letters of a word: shorter entries of the vocabulary are abbreviations and parts of words, too."""


@cache
def english_words() -> frozenset[str]:
    """Return some 21,000 words in lower case; read at the first call, which takes 30 ms."""
    # Read as a file: the tokenizer itself is of a layer above, and needs more than its words.
    tokenizer = json.loads(files("pincite").joinpath("embedding", "tokenizer.json").read_text("utf-8"))
    return frozenset(
        word for word in tokenizer["model"]["vocab"] if len(word) >= MIN_LETTERS and word.isascii() and word.isalpha()
    )
