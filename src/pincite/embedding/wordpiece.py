"""The tokens of all-MiniLM-L6-v2. The vocabulary ships with the package: counting needs no weights, no network."""

import math
import re
import threading
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tokenizers

VOCABULARY_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
"""Of `tokenizer.json`, as the model's authors publish it (checked by a test)."""

CLS, SEP = 101, 102
MARKS = 2
"""Ids that enclose every window: [CLS] and [SEP]."""

_BEGINNINGS = ("un", "re", "over", "under", "non", "pre", "mis", "out", "inter", "multi", "sub", "super")
_ENDINGS = ("able", "ible", "ness", "less", "ful", "ment", "ly", "ing", "ers", "ity", "ism", "ist")
_INFLECTIONS = ("s", "es", "d", "ed", "ing", "ly", "er", "ers", "'s")
_COMMONEST_ID = 1996
"""The first id of a whole word (`the`): below are marks and single letters. The ids go by frequency."""

_STEM = 4
"""Letters of a word that others are made of."""

_PIECE = 16_384
"""Characters tokenized at once: bounds memory, and is as fast as any larger number."""
_BORDER = re.compile(r"[ \t\r\n]")
_SURROGATE = re.compile("[\ud800-\udfff]")

_PLAIN_WORD = re.compile(r"\[(?:PAD|UNK|CLS|SEP|MASK)\]|[A-Za-z0-9]+|[!-/:-@\[-`{-~]")
"""What no token reaches beyond in plain text: a mark by its name, a run of letters and digits, a punctuation mark."""
_WORD = re.compile(r"[^ \t\r\n]+")
"""What no token reaches beyond in any text."""
_NOT_PLAIN = re.compile(r"[^\t\r\n -~]")
_KNOWN_WORDS = 65_536
"""Words whose tokens are remembered, some 8 MB; then all are forgotten. A text in English needs 15,000."""
_KNOWN_CHARACTERS = 32
"""A longer word is rarely seen again."""


class WordPiece:
    """Implements `Tokenizer`. Thread-safe; the vocabulary is read at the first use."""

    identity = f"wordpiece-{VOCABULARY_SHA256[:8]}"

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: tokenizers.Tokenizer | None = None
        self._lengths = _Lengths(self._count_word)

    def count(self, text: str) -> int:
        """Tokens of a text, without [CLS] and [SEP]: those of its words, in half the time that encoding it takes."""
        words = (_WORD if _NOT_PLAIN.search(text) else _PLAIN_WORD).findall(text)
        return sum(map(self._lengths.__getitem__, words))

    def cut(self, text: str, limit: int) -> int:
        """Characters of the longest prefix that holds at most `limit` tokens.

        At least one character, even if it alone holds more; 0 only for an empty text.
        """
        left = limit
        for start, encoding in self._pieces(text):
            if len(encoding) > left:
                return max(start + encoding.offsets[max(left, 0)][0], 1)
            left -= len(encoding)
        return len(text)

    def knows(self, word: str) -> bool:
        """Whether a lower-case word is one token (one of the 20,000 most frequent English ones), or made of one
        with a beginning or an ending.
        """
        token = self._tokenizer().token_to_id
        stems = [word.removesuffix(ending) for ending in _ENDINGS] + [word.removeprefix(begin) for begin in _BEGINNINGS]
        return token(word) is not None or any(
            len(stem) >= _STEM and stem != word and token(stem) is not None for stem in stems
        )

    def rarity(self, word: str) -> float:
        """Return how specific a lower-case word is, by the logarithm of its rank in the vocabulary.

        0 is the commonest word of English, 1 one that is no token (a name, a technical term, a number). An inflected
        form counts as its stem.
        """
        tokenizer = self._tokenizer()
        stems = [word[: -len(ending)] for ending in _INFLECTIONS if word.endswith(ending)]
        known = [stem for stem in stems if len(stem) >= _STEM - 1] + [f"{stem}e" for stem in stems]
        ids = [tokenizer.token_to_id(form) for form in (word, *known)]
        last = math.log(tokenizer.get_vocab_size() / _COMMONEST_ID)
        ranks = [math.log(max(place, _COMMONEST_ID) / _COMMONEST_ID) / last for place in ids if place is not None]
        return min(ranks, default=1.0)

    def encode(self, text: str, limit: int) -> list[list[int]]:
        """What the model is given: windows of token ids, each within [CLS] and [SEP].

        Args:
            text: Any text; an empty one gives one window without tokens.
            limit: Most ids of a window, its two marks counted in. A longer text is spread evenly
                over as few windows as hold it: a short last one would weigh too little.
        """
        ids = [token for _, encoding in self._pieces(text) for token in encoding.ids]
        windows = max(-(-len(ids) // (limit - MARKS)), 1)
        edges = [len(ids) * n // windows for n in range(windows + 1)]
        return [[CLS, *ids[edges[n] : edges[n + 1]], SEP] for n in range(windows)]

    def _pieces(self, text: str) -> "Iterator[tuple[int, tokenizers.Encoding]]":
        """Start and tokens of each piece. Pieces meet at white space, where no token spans the cut."""
        tokenizer = self._tokenizer()
        # Lone surrogates are no characters: the tokenizer would refuse them.
        safe = text if text.isascii() else _SURROGATE.sub("\ufffd", text)
        for start, end in _spans(safe):
            yield start, tokenizer.encode(safe[start:end], add_special_tokens=False)

    def _count_word(self, word: str) -> int:
        if word.isascii() and word.isalnum() and self._tokenizer().token_to_id(word.lower()) is not None:
            return 1
        return sum(len(encoding) for _, encoding in self._pieces(word))

    def _tokenizer(self) -> "tokenizers.Tokenizer":
        if self._loaded is None:
            with self._lock:
                if self._loaded is None:
                    self._loaded = _read_vocabulary()
        return self._loaded


class _Lengths(dict[str, int]):
    """Tokens of words, counted when first looked up."""

    def __init__(self, count: Callable[[str], int]) -> None:
        super().__init__()
        self._count = count

    def __missing__(self, word: str) -> int:
        tokens = self._count(word)
        if len(word) <= _KNOWN_CHARACTERS:
            if len(self) >= _KNOWN_WORDS:
                self.clear()
            self[word] = tokens
        return tokens


def _read_vocabulary() -> "tokenizers.Tokenizer":
    import tokenizers  # noqa: PLC0415  # 40 ms that starting up does not pay

    tokenizer = tokenizers.Tokenizer.from_buffer(files("pincite.embedding").joinpath("tokenizer.json").read_bytes())
    # The file asks for 128 tokens and for padding to them.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Cut at the first white space after `_PIECE` characters; where there is none, right there (one token off)."""
    start = 0
    while len(text) - start > 2 * _PIECE:
        border = _BORDER.search(text, start + _PIECE, start + 2 * _PIECE)
        end = border.start() if border else start + 2 * _PIECE
        yield start, end
        start = end
    if start < len(text):
        yield start, len(text)
