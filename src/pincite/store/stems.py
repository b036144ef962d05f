"""Stems of words, by the language of a passage: `Schlüssel` finds `Schlüsseln`, `ключ` finds `ключей`.

Stems are indexed beside the words, marked with a private character for the language. A question is too
short to tell its language, so it is searched by its stems in each language that passages are in. English is stemmed by
the index's own tokenizer.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from pincite.runtime.imports import import_once
from pincite.text.lexical import WORD

if TYPE_CHECKING:
    from snowballstemmer import Stemmer

STEMMED: Sequence[str] = ("russian", "arabic", "german", "italian", "dutch", "turkish")
"""Languages by Snowball's names, where the stems find more (`eval/languages`): not French, Spanish or Portuguese. The
place of a language is its mark in an index."""

MARKS = tuple(chr(0xF1000 + place) for place in range(len(STEMMED)))
"""Words that the passages of a language are indexed with, one for each language."""

_MARK_OF: Mapping[str, str] = dict(zip(STEMMED, MARKS, strict=True))

_SCRIPTS = {"russian": re.compile("[\u0400-\u04ff]+"), "arabic": re.compile("[\u0620-\u064a]+")}
"""Languages recognised by a word's letters; any other is recognised by its function words."""

_MIN_FUNCTION_WORDS = 2
"""A single one may be a name, or of another language."""

_MIN_SHARE = 0.01

_MIN_LETTERS = 4
"""Shorter words are function words, as a rule, which no question is about."""

_CACHED_STEMS = 100_000

_LOCK = Lock()
"""A stemmer keeps the word that it works on."""


def stems(text: str) -> list[str]:
    """Return the marks of the languages of a passage, and the marked stem of each word."""
    words = [word.lower() for word in WORD.findall(text)]
    latin = _language(words)
    marked = [_stem(name, word) for word in words if (name := _script(word) or latin) in _MARK_OF and _has_stem(word)]
    return [*sorted({stem[0] for stem in marked}), *marked]


def query_stems(words: Sequence[str], passages: Sequence[int], total: int) -> tuple[str, ...]:
    """Return the marked stems of the words of a question, in each language that one passage in a hundred is in.

    Args:
        words: The words.
        passages: The number of passages with each of `MARKS`.
        total: The number of passages.
    """
    # Of English passages one in a hundred is a list with a few words of another language.
    names = [name for name, count in zip(STEMMED, passages, strict=True) if count > total * _MIN_SHARE]
    return tuple(
        _stem(name, word.lower())
        for word in words
        for name in names
        if _has_stem(word) and _script(word) == (name if name in _SCRIPTS else "")
    )


def _language(words: Sequence[str]) -> str:
    """Return the language that the most different function words are of; empty if they are too few.

    Words are counted once: `I/O` ten times, or `a` in each line of English, is no Italian.
    """
    known = _function_words()
    counts = Counter(name for word in set(words) if word in known for name in known[word])
    (first, most), (_, next_most) = [*counts.most_common(2), ("", 0), ("", 0)][:2]
    return first if most >= _MIN_FUNCTION_WORDS and most > next_most else ""


def _script(word: str) -> str:
    return "" if word.isascii() else next((name for name, letters in _SCRIPTS.items() if letters.fullmatch(word)), "")


def _has_stem(word: str) -> bool:
    return len(word) >= _MIN_LETTERS and word.isalpha()


@lru_cache(maxsize=_CACHED_STEMS)
def _stem(name: str, word: str) -> str:
    with _LOCK:
        return _MARK_OF[name] + _stemmer(name).stemWord(word)


@cache
def _stemmer(name: str) -> "Stemmer":
    import_once("snowballstemmer")
    from snowballstemmer import stemmer  # noqa: PLC0415 - documents in English need none

    return stemmer(name)


@cache
def _function_words() -> Mapping[str, Sequence[str]]:
    """Return the languages of each function word."""
    languages: dict[str, list[str]] = {}
    for line in Path(__file__).with_name("function_words.tsv").read_text("utf-8").splitlines():
        name, _, words = line.partition("\t")
        for word in words.split():
            languages.setdefault(word, []).append(name)
    return languages
