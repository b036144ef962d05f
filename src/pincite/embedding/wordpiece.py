"""The tokenizer of all-MiniLM-L6-v2. Its vocabulary ships with the package, so counting needs no weights."""

import math
import re
import threading
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import TYPE_CHECKING

from pincite.runtime.imports import import_once
from pincite.text.excerpt import well_formed

if TYPE_CHECKING:
    import tokenizers

VOCABULARY_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
"""SHA-256 of `tokenizer.json`, as the model's authors publish it (checked by a test)."""

CLS, SEP = 101, 102
SPECIAL_TOKENS = 2
"""Number of ids that enclose every window: [CLS] and [SEP]."""

_BEGINNINGS = ("un", "re", "over", "under", "non", "pre", "mis", "out", "inter", "multi", "sub", "super")
_ENDINGS = ("able", "ible", "ness", "less", "ful", "ment", "ly", "ing", "ers", "ity", "ism", "ist")
_INFLECTIONS = ("s", "es", "d", "ed", "ing", "ly", "er", "ers", "'s")
_COMMONEST_ID = 1996
"""The id of `the`, the first whole word: lower ids are special tokens and single letters, higher ones are ordered by
frequency."""

_MIN_STEM_LETTERS = 4
"""Minimum length of a stem: shorter ones match by chance."""

_MAX_WORD_CHARS = 100
"""Length above which the model takes a word as unknown (`max_input_chars_per_word`)."""

_CONTINUED = "##"
"""Mark of a token that continues a word."""

_PIECE_CHARS = 16_384
"""Characters tokenized at once: bounds memory, and is as fast as any larger number."""
_BORDER = re.compile(r"[ \t\r\n]")

_PLAIN_WORD = re.compile(r"\[(?:PAD|UNK|CLS|SEP|MASK)\]|[A-Za-z0-9]+|[!-/:-@\[-`{-~]")
"""Units that no token crosses in ASCII text: a special token's name, letters and digits, a punctuation mark."""
_WORD = re.compile(r"[^ \t\r\n]+")
"""Units that no token crosses in any text."""
_NOT_PLAIN = re.compile(r"[^\t\r\n -~]")
_MAX_CACHED_WORDS = 65_536
"""Size of the cache of words, some 8 MB, at which it is cleared. A text in English needs 15,000."""
_MAX_CACHED_CHARS = 32
"""Length above which a word is not cached, since it rarely recurs."""


class WordPiece:
    """A `Tokenizer`. Thread-safe; the vocabulary is read at the first use."""

    identity = f"wordpiece-{VOCABULARY_SHA256[:8]}"

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: tokenizers.Tokenizer | None = None
        self._token_counts = _TokenCounts(self._count_word)

    def count(self, text: str) -> int:
        """Return the number of tokens of a text, without [CLS] and [SEP]; word by word, twice as fast as encoding."""
        words = (_WORD if _NOT_PLAIN.search(text) else _PLAIN_WORD).findall(text)
        return sum(map(self._token_counts.__getitem__, words))

    def cut(self, text: str, limit: int) -> int:
        """Return the length of the longest prefix with at most `limit` tokens.

        At least one character, even if it has more tokens; 0 only for an empty text.
        """
        left = limit
        for start, encoding in self._pieces(text):
            if len(encoding) > left:
                return max(start + encoding.offsets[max(left, 0)][0], 1)
            left -= len(encoding)
        return len(text)

    def knows(self, word: str) -> bool:
        """Return True if a lower-case word, or the word without an English prefix or suffix, is one token: one of
        the 20,000 most frequent words.
        """
        token = self._tokenizer().token_to_id
        if token(word) is not None:
            return True
        stems = [word.removesuffix(ending) for ending in _ENDINGS] + [word.removeprefix(begin) for begin in _BEGINNINGS]
        return any(len(stem) >= _MIN_STEM_LETTERS and stem != word and token(stem) is not None for stem in stems)

    def rarity(self, word: str) -> float:
        """Return how rare a lower-case word is, by the logarithm of its rank in the vocabulary.

        0 is the most frequent word of English, 1 a word without a token (a name, a technical term, a number). An
        inflected form counts as its stem.
        """
        tokenizer = self._tokenizer()
        stems = [word[: -len(ending)] for ending in _INFLECTIONS if word.endswith(ending)]
        known = [stem for stem in stems if len(stem) >= _MIN_STEM_LETTERS - 1] + [f"{stem}e" for stem in stems]
        ids = [tokenizer.token_to_id(form) for form in (word, *known)]
        last = math.log(tokenizer.get_vocab_size() / _COMMONEST_ID)
        ranks = [math.log(max(place, _COMMONEST_ID) / _COMMONEST_ID) / last for place in ids if place is not None]
        return min(ranks, default=1.0)

    def encode(self, text: str, limit: int) -> list[list[int]]:
        """Return the model's input: windows of token ids, each enclosed in [CLS] and [SEP].

        Args:
            text: Any text; an empty one gives one window without tokens.
            limit: Maximum number of ids of a window, including the two special tokens. A longer text is divided
                evenly over the fewest windows, so that none is much shorter than the others.
        """
        ids = [token for _, encoding in self._pieces(text) for token in encoding.ids]
        windows = max(-(-len(ids) // (limit - SPECIAL_TOKENS)), 1)
        edges = [len(ids) * n // windows for n in range(windows + 1)]
        return [[CLS, *ids[edges[n] : edges[n + 1]], SEP] for n in range(windows)]

    def _pieces(self, text: str) -> "Iterator[tuple[int, tokenizers.Encoding]]":
        """Start and tokens of each piece. Pieces meet at white space, where no token spans the cut."""
        tokenizer = self._tokenizer()
        # Lone surrogates are no characters: the tokenizer would refuse them.
        safe = text if text.isascii() else well_formed(text)
        for start, end in _spans(safe):
            yield start, tokenizer.encode(safe[start:end], add_special_tokens=False)

    def _count_word(self, word: str) -> int:
        if word.isascii():
            if word.isalnum():
                return self._count_pieces(word.lower())
            # Of a text that is not ASCII, units are words with the marks around them.
            units = [] if _NOT_PLAIN.search(word) else _PLAIN_WORD.findall(word)
            if len(units) > 1:
                return sum(map(self._token_counts.__getitem__, units))
        return sum(len(encoding) for _, encoding in self._pieces(word))

    def _count_pieces(self, word: str) -> int:
        """Return the number of tokens of a word of ASCII letters and digits, in lower case, as the tokenizer divides
        it: into the longest tokens from the left. A fifth of the time of encoding it.
        """
        if len(word) > _MAX_WORD_CHARS:
            return 1  # [UNK]
        token = self._tokenizer().token_to_id
        count, start, mark = 0, 0, ""
        while start < len(word):
            end = len(word)
            # Every letter and digit is a token.
            while token(mark + word[start:end]) is None:
                end -= 1
            count, start, mark = count + 1, end, _CONTINUED
        return count

    def _tokenizer(self) -> "tokenizers.Tokenizer":
        if self._loaded is None:
            with self._lock:
                if self._loaded is None:
                    self._loaded = _read_vocabulary()
        return self._loaded


class _TokenCounts(dict[str, int]):
    """A cache of the number of tokens by word, filled on look-up."""

    def __init__(self, count: Callable[[str], int]) -> None:
        super().__init__()
        self._count = count

    def __missing__(self, word: str) -> int:
        tokens = self._count(word)
        if len(word) <= _MAX_CACHED_CHARS:
            if len(self) >= _MAX_CACHED_WORDS:
                self.clear()
            self[word] = tokens
        return tokens


def _read_vocabulary() -> "tokenizers.Tokenizer":
    import_once("tokenizers")
    import tokenizers  # noqa: PLC0415  # 40 ms that start-up does without

    tokenizer = tokenizers.Tokenizer.from_buffer(files("pincite.embedding").joinpath("tokenizer.json").read_bytes())
    # The file configures truncation and padding to 128 tokens.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield spans that end at the first white space after `_PIECE_CHARS` characters, or at twice that without any."""
    start = 0
    while len(text) - start > 2 * _PIECE_CHARS:
        border = _BORDER.search(text, start + _PIECE_CHARS, start + 2 * _PIECE_CHARS)
        end = border.start() if border else start + 2 * _PIECE_CHARS
        yield start, end
        start = end
    if start < len(text):
        yield start, len(text)
