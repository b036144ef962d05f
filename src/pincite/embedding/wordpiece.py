"""The tokenizer of all-MiniLM-L6-v2. Its vocabulary ships with the package, so counting needs no weights.

It divides text as BERT's normaliser, pre-tokenizer and WordPiece of the package `tokenizers` do, of which the tests
compare every character: they differ in marks and punctuation that Unicode has taken in since version 8.
"""

import json
import math
import re
import threading
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import chain

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

_UNKNOWN = "[UNK]"

_IDEOGRAPHS = (
    *((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F)),
    *((0x2B740, 0x2B81F), (0x2B920, 0x2CEAF), (0x2F800, 0x2FA1F)),
)
"""First and last code points of what is a word by itself, as the model's normaliser has them."""

_SPECIAL = re.compile(r"\[(?:PAD|UNK|CLS|SEP|MASK)\]")
_PLAIN_WORD = re.compile(r"\[(?:PAD|UNK|CLS|SEP|MASK)\]|[A-Za-z0-9]+|[!-/:-@\[-`{-~]")
"""Units that no token crosses in ASCII text: a special token's name, letters and digits, a punctuation mark."""
_WORD = re.compile(r"[^ \t\r\n]+")
"""Units that no token crosses in any text."""
_NOT_PLAIN = re.compile(r"[^\t\r\n -~]")
_DIGIT = re.compile(r"\d")
_MAX_CACHED_WORDS = 65_536
"""Size of the cache of words, some 10 MB, at which it is cleared. A text in English needs 15,000."""
_MAX_CACHED_CHARS = 32
_MAX_CACHED_CHARS_WITH_DIGITS = 4
"""Lengths above which a word, and one with a digit, is not cached, since it rarely recurs: a busy server cached seven
a second, nearly all of them positions, revisions and marks of the references in its answers."""


class WordPiece:
    """A `Tokenizer`. Thread-safe; the vocabulary is read at the first use."""

    identity = f"wordpiece-{VOCABULARY_SHA256[:8]}"

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: Mapping[str, int] | None = None
        self._ids = _TokenIds(self)

    def count(self, text: str) -> int:
        """Return the number of tokens of a text, without [CLS] and [SEP]."""
        return sum(map(len, map(self._ids.__getitem__, _units(text).findall(text))))

    def cut(self, text: str, limit: int) -> int:
        """Return the length of the longest prefix with at most `limit` tokens.

        At least one character, even if it has more tokens; 0 only for an empty text.
        """
        left = limit
        for unit in _units(text).finditer(text):
            ids = self._ids[unit[0]]
            if len(ids) > left:
                start, _ = self.split(unit[0])[max(left, 0)]
                return max(unit.start() + start, 1)
            left -= len(ids)
        return len(text)

    def knows(self, word: str) -> bool:
        """Return True if a lower-case word, or the word without an English prefix or suffix, is one token: one of
        the 20,000 most frequent words.
        """
        token = self._vocabulary().get
        if token(word) is not None:
            return True
        stems = [word.removesuffix(ending) for ending in _ENDINGS] + [word.removeprefix(begin) for begin in _BEGINNINGS]
        return any(len(stem) >= _MIN_STEM_LETTERS and stem != word and token(stem) is not None for stem in stems)

    def rarity(self, word: str) -> float:
        """Return how rare a lower-case word is, by the logarithm of its rank in the vocabulary.

        0 is the most frequent word of English, 1 a word without a token (a name, a technical term, a number). An
        inflected form counts as its stem.
        """
        vocabulary = self._vocabulary()
        stems = [word[: -len(ending)] for ending in _INFLECTIONS if word.endswith(ending)]
        known = [stem for stem in stems if len(stem) >= _MIN_STEM_LETTERS - 1] + [f"{stem}e" for stem in stems]
        ids = [vocabulary.get(form) for form in (word, *known)]
        last = math.log(len(vocabulary) / _COMMONEST_ID)
        ranks = [math.log(max(rank, _COMMONEST_ID) / _COMMONEST_ID) / last for rank in ids if rank is not None]
        return min(ranks, default=1.0)

    def encode(self, text: str, limit: int) -> list[list[int]]:
        """Return the model's input: windows of token ids, each enclosed in [CLS] and [SEP].

        Args:
            text: Any text; an empty one gives one window without tokens.
            limit: Maximum number of ids of a window, including the two special tokens. A longer text is divided
                evenly over the fewest windows, so that none is much shorter than the others.
        """
        ids = list(chain.from_iterable(map(self._ids.__getitem__, _units(text).findall(text))))
        windows = max(-(-len(ids) // (limit - SPECIAL_TOKENS)), 1)
        edges = [len(ids) * n // windows for n in range(windows + 1)]
        return [[CLS, *ids[edges[n] : edges[n + 1]], SEP] for n in range(windows)]

    def split(self, text: str) -> list[tuple[int, int]]:
        """Return the tokens of a text: where each begins, and its id."""
        tokens: list[tuple[int, int]] = []
        end = 0
        for special in _SPECIAL.finditer(text):
            tokens += self._split_plain(text, end, special.start())
            tokens.append((special.start(), self._vocabulary()[special[0]]))
            end = special.end()
        return tokens + self._split_plain(text, end, len(text))

    def _split_plain(self, text: str, start: int, end: int) -> list[tuple[int, int]]:
        """Return the tokens of a part of a text in which no special token is named."""
        tokens: list[tuple[int, int]] = []
        word: list[str] = []
        offsets: list[int] = []
        for offset in range(start, end):
            for character in _normalised(text[offset]):
                if character != " " and not _is_punctuation(character):
                    word.append(character)
                    offsets.append(offset)
                    continue
                tokens += self._pieces("".join(word), offsets)
                word, offsets = [], []
                if character != " ":
                    tokens += self._pieces(character, [offset])
        return tokens + self._pieces("".join(word), offsets)

    def _pieces(self, word: str, offsets: Sequence[int]) -> list[tuple[int, int]]:
        """Return a word's tokens: the longest of the vocabulary from the left, or one unknown."""
        vocabulary = self._vocabulary()
        unknown = [(offset, vocabulary[_UNKNOWN]) for offset in offsets[:1]]
        if len(word) > _MAX_WORD_CHARS:
            return unknown
        tokens: list[tuple[int, int]] = []
        start, mark = 0, ""
        while start < len(word):
            end = len(word)
            while (token := vocabulary.get(mark + word[start:end])) is None:
                end -= 1
                if end == start:
                    return unknown
            tokens.append((offsets[start], token))
            start, mark = end, _CONTINUED
        return tokens

    def _vocabulary(self) -> Mapping[str, int]:
        if self._loaded is None:
            with self._lock:
                self._loaded = self._loaded or _read_vocabulary()
        return self._loaded


def _read_vocabulary() -> Mapping[str, int]:
    return json.loads(files("pincite.embedding").joinpath("tokenizer.json").read_bytes())["model"]["vocab"]


class _TokenIds(dict[str, tuple[int, ...]]):
    """A cache of the tokens of units, filled on look-up."""

    def __init__(self, tokenizer: WordPiece) -> None:
        super().__init__()
        self._tokenizer = tokenizer

    def __missing__(self, unit: str) -> tuple[int, ...]:
        ids = tuple(token for _, token in self._tokenizer.split(unit))
        if len(unit) <= (_MAX_CACHED_CHARS_WITH_DIGITS if _DIGIT.search(unit) else _MAX_CACHED_CHARS):
            if len(self) >= _MAX_CACHED_WORDS:
                self.clear()
            self[unit] = ids
        return ids


def _units(text: str) -> re.Pattern[str]:
    """Return what matches the units of a text."""
    return _WORD if _NOT_PLAIN.search(text) else _PLAIN_WORD


@lru_cache(4096)
def _normalised(character: str) -> str:
    """Return what the model has of a character: lower case without accents, a space for each white space."""
    category = unicodedata.category(character)
    if character in "\t\n\r":
        return " "
    if character == "\ufffd" or category in {"Cc", "Cf", "Co", "Cs"}:
        return ""
    if character.isspace():
        return " "
    base = "".join(part for part in unicodedata.normalize("NFD", character) if unicodedata.category(part) != "Mn")
    lower = "".join(map(str.lower, base))
    return f" {lower} " if any(first <= ord(character) <= last for first, last in _IDEOGRAPHS) else lower


@lru_cache(4096)
def _is_punctuation(character: str) -> bool:
    is_symbol = character.isascii() and character.isprintable() and not character.isalnum() and character != " "
    return is_symbol or unicodedata.category(character).startswith("P")
