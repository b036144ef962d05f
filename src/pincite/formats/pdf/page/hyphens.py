"""Hyphens at the ends of lines: those of compound words, which stay, and those of hyphenation, which do not."""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.formats.pdf.page.characters import SOFT_BREAK
from pincite.formats.pdf.page.words import Word
from pincite.text.lexicon import english_words

MIN_BROKEN_WORDS, MIN_BROKEN_SHARE = 3, 0.004
"""Number and share of a page's words with a line-end hyphen from which a page or document counts as hyphenated.

In 16 reports and ASVS, which are not hyphenated, 0.001 of the words have one, and nearly all of 480 belong to the word
(non-GAAP, third-party). Hyphenated text has one in every ten lines, about 0.01 of the words.
"""
MIN_HALF_CHARS = 3
"""Letters of both halves of a compound that is recognised by its halves being words: `in` and `form` are words, too."""
MAX_KNOWN_WORDS = 50_000
"""Words of a document that are kept to tell compounds from broken words; bounds memory."""

_MARKS = (SOFT_BREAK, "\u2010", "\u2011", "\u00ad")
"""Characters that end a line within a word: pdfium's code, and hyphens that it does not take for one."""
HYPHENS = ("-", "\u2010", "\u2011")
_LINE_END = re.compile("\\w[-\u2010\u2011\u00ad]\\Z")
_LETTERS = re.compile(r"[^\W\d_]+")
_LAST_LETTERS = re.compile(r"[^\W\d_]+\Z")
_CONJUNCTIONS = frozenset({"and", "or", "to", "und", "oder", "bis", "et", "ou", "y", "o"})
"""Words after a suspended hyphen, which keeps its space: short- and long-term."""
_PREFIXES = frozenset(
    {
        "pre",
        "sub",
        "over",
        "under",
        "inter",
        "micro",
        "counter",
        "out",
        "super",
        "trans",
        "auto",
        "com",
        "con",
        "dis",
        "dia",
        "mis",
    }
)
_SUFFIXES = frozenset({"able", "ible", "ally", "ing", "ted", "ers", "ment", "ness", "less", "ate", "ion", "ity", "ist"})
"""Parts of words that are in the vocabulary of English as words, too."""
_INFLECTIONS = ("s", "es", "d", "ed", "ing", "ly")
_PARTICLES = frozenset({"of", "to", "by", "the", "in", "on", "and", "or", "up", "off", "out", "a", "as", "for", "is"})
"""First parts of the rest of a compound: state-of-the-art, end-to-end."""


@dataclass(frozen=True, slots=True)
class Hyphenation:
    """What a page shows about its hyphens.

    Attributes:
        breaks: True if the page is hyphenated.
        known: Words of the document in lower case, whole ones and compounds, as far as it was read.
    """

    breaks: bool = False
    known: Container[str] = frozenset[str]()

    def resolve(self, text: str, following: str) -> str:
        """Replace the hyphen that ends `text` so that the next line, `following`, can be appended."""
        stem = text[:-1]
        last, first = _LAST_LETTERS.search(stem), _LETTERS.match(following)
        if following.partition(" ")[0] in _CONJUNCTIONS and not (last and first and self._is_word(last[0] + first[0])):
            return f"{stem}- "
        if last is None or first is None:
            # No compound has a hyphen behind an underscore, but names of code are broken there.
            return stem if self.breaks and stem.endswith("_") and first else f"{stem}-"
        # Within a compound, a particle is a part of its own: end-to-end, state-of-the-art.
        is_particle = (last[0] in _PARTICLES and stem[: last.start()].endswith(HYPHENS)) or (
            first[0] in _PARTICLES and following[first.end() :].startswith(HYPHENS)
        )
        return f"{stem}-" if is_particle or not self._is_broken(last[0], first[0]) else stem

    def _is_broken(self, last: str, first: str) -> bool:
        """Return True if the letters before and after a hyphen are one word: a known one, or else by the page."""
        one, other = last.lower(), first.lower()
        # Nobody breaks a word after its first letter.
        if len(one) == 1 or f"{one}-{other}" in self.known:
            return False
        if one + other in self.known:
            return True
        are_words = min(len(one), len(other)) >= MIN_HALF_CHARS and (
            (one in self.known and other in self.known) or self._is_compound(one, other)
        )
        if _is_english(one + other):
            return self.breaks or not (are_words or one in _PREFIXES or len(one) < MIN_HALF_CHARS)
        return self.breaks and first[0].islower() and not are_words

    def _is_compound(self, one: str, other: str) -> bool:
        """Return True if both halves are words of a compound, and no prefix or suffix of one word."""
        is_affixed = one in _PREFIXES or other in _SUFFIXES
        return not is_affixed and self._is_word(one) and self._is_word(other)

    def _is_word(self, text: str) -> bool:
        word = text.lower()
        return word in self.known or word in english_words()


class Vocabulary:
    """Words and hyphens of a document, as far as it was read."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._words = self._broken = 0
        self._is_broken = False

    def add(self, words: Sequence[Word]) -> None:
        """Add the words of a page."""
        self._words += len(words)
        self._broken += _count_broken(words)
        self._is_broken = self._is_broken or any(
            one.text.endswith(_MARKS) and _is_broken_word(one.text, two.text) for one, two in pairwise(words)
        )
        if len(self._known) < MAX_KNOWN_WORDS:
            self._known.update(whole_words(words))

    def hyphenation(self, words: Sequence[Word]) -> Hyphenation:
        """Return what is known about a page with these words; the last page of a text may have too few of its own."""
        document_breaks = self._is_broken or _is_often(self._broken, self._words)
        return Hyphenation(document_breaks or _is_often(_count_broken(words), len(words)), self._known)


def _is_often(broken: int, words: int) -> bool:
    return broken >= MIN_BROKEN_WORDS and broken >= MIN_BROKEN_SHARE * words


def _is_broken_word(text: str, following: str) -> bool:
    """Return True if a hyphen breaks an English word, and its halves are not words: other words are broken, too."""
    last, first = _LAST_LETTERS.search(text[:-1]), _LETTERS.match(following)
    if last is None or first is None or not first[0].islower() or min(len(last[0]), len(first[0])) < MIN_HALF_CHARS:
        return False
    one, other = last[0].lower(), first[0]
    return _is_english(one + other) and not (one in english_words() and other in english_words())


def _is_english(word: str) -> bool:
    """Return True for a common English word, also with the ending of a plural or of another form."""
    words = english_words()
    return word in words or any(
        word.endswith(ending) and {word.removesuffix(ending), f"{word.removesuffix(ending)}e"} & words
        for ending in _INFLECTIONS
    )


def _count_broken(words: Iterable[Word]) -> int:
    return sum(word.text.endswith(_MARKS) and len(word.text) > 1 for word in words)


def ends_in_break(text: str, *, marked: bool) -> bool:
    """Return True if a line ends within a word.

    Args:
        text: The line, or all text up to its end.
        marked: Only by pdfium's own code; else by any hyphen after a letter or digit.
    """
    return text.endswith(SOFT_BREAK) or (not marked and _LINE_END.search(text) is not None)


def whole_words(words: Iterable[Word]) -> Iterator[str]:
    """Yield the words of a page in lower case and without punctuation, but for both halves of those that are broken."""
    after_break = False
    for word in words:
        ends_line = word.text.endswith(_MARKS)
        if not after_break and not ends_line:
            yield word.text.lower().strip(".,;:!?()[]{}'\"“”‘’").replace("\u2010", "-").replace("\u2011", "-")
        after_break = ends_line
