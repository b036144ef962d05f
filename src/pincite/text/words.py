"""Words as the full-text index and its queries have them, whatever their script and spelling.

Spellings that readers take for the same fold to one form: compatibility characters (NFKC), accents, vowel points, soft
hyphens. Scripts without spaces, and Korean, whose particles join a word, are divided into overlapping pairs of letters,
as Lucene's CJKBigramFilter does. Words with spaces between them are left to the index's own tokenizer.
"""

# ruff: noqa: RUF001 - letters of other scripts

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from pincite.text.lexical import WORD
from pincite.text.mapped import Mapped, MappedBuilder

_UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecd\u0edc-\u0edf"  # Thai, Lao
    "\u1000-\u103f\u1050-\u109d\u1780-\u17d3\u17dc"  # Burmese, Khmer
    "\u1100-\u11ff\uac00-\ud7a3"  # Hangul
    "\u3005-\u3007\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
"""Letters and marks that are divided into pairs, as a part of a regular expression's set."""

_PICTURES = "\u2600-\u27bf\U0001f000-\U0001faff"
"""Emoji, each a word of its own."""

PAIRED = re.compile(f"[{_UNSPACED}]+")
_PART = re.compile(
    rf"(?P<paired>{PAIRED.pattern})|(?P<picture>[{_PICTURES}])"
    rf"|(?P<other>[^\x00-\x7f\u2010-\u2027\u2030-\u205e{_UNSPACED}{_PICTURES}]+)"
)
"""What folding may change: characters beyond ASCII, but for the punctuation of Latin texts."""

_DROPPED = re.compile(
    "[\u00ad\u061c\u0640\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff"  # format, tatweel
    "\u0300-\u0305\u0307\u0309-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # accents, points of Hebrew
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]"  # points of Arabic
    "|(?<![иИ])\u0306|(?<![іІ])\u0308"  # й and ї are letters of their own; ё and ü are not to all who type them
)
_LETTERS = {
    **str.maketrans('øØłŁđĐıىیکة"', "oOlLdDiييكه "),
    **str.maketrans({"ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE"}),
}
"""Letters that Unicode does not decompose, forms of one Arabic letter, and what is made of a full-width quotation mark:
a folded query may be in quotation marks."""

_RAISED = re.compile("[²³¹⁰-⁹]+")
"""A power or the number of a note, which is no part of what it follows."""

_PRIVATE = 0xF0000
"""Where pictures are moved to: the tokenizer takes private characters for letters, and symbols for spaces."""

_HYPHEN = re.compile("[-\u2010\u2011]")
_HYPHENATED = re.compile(r"(?<![\w-])([^\W\d_]+)-([^\W\d_]+)(?![\w-])")
_HYPHENS = str.maketrans("\u2010\u2011", "--")
_UMLAUT = re.compile("[äöüÄÖÜ]")
_WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


def folded(text: str) -> str:
    """Return a text with one form of each word; folding twice changes nothing but spaces."""
    return text if text.isascii() else folded_with_map(text).text


def indexed(text: str) -> str:
    """Return a text for the full-text index: folded, then other spellings of its words.

    These are at the end, where they divide no phrase; the letters of what is divided into pairs, too.
    """
    letters = [] if text.isascii() else sorted(set("".join(PAIRED.findall(unicodedata.normalize("NFKC", text)))))
    others = dict.fromkeys([*joined(text), *written_out(text), *letters])
    return f"{folded(text)}\n{' '.join(others)}" if others else folded(text)


def joined(text: str) -> list[str]:
    """Return, folded, the hyphenated words of a text as one word each: `cooperation` for `co-operation`."""
    # Most words have no hyphen: a pattern would look at each letter of them.
    words = [word for word in text.translate(_HYPHENS).split() if "-" in word] if _HYPHEN.search(text) else []
    return [folded(first + second) for word in words for first, second in _HYPHENATED.findall(word)]


def written_out(text: str) -> list[str]:
    """Return, folded, the words with an umlaut as they are written without: `Buero` for `Büro`."""
    if text.isascii() or not _UMLAUT.search(text := unicodedata.normalize("NFC", text)):
        return []
    return [folded(word.translate(_WRITTEN_OUT)) for word in WORD.findall(text) if _UMLAUT.search(word)]


def divided(text: str) -> str:
    """Return a text with spaces between the words of scripts that have none: the pairs of `folded`."""
    return text if text.isascii() else PAIRED.sub(lambda run: "".join(piece for piece, *_ in _pairs(run[0])), text)


def folded_with_map(text: str) -> Mapped:
    """Return `folded`, with a map to the characters of the text."""
    builder = MappedBuilder()
    position = 0
    for match in _PART.finditer(text):
        builder.put(text[position : match.start()], position, match.start())
        position = match.end()
        if match.lastgroup == "paired":
            for piece, start, end in _pairs(match[0]):
                builder.put(piece, match.start() + start, match.start() + end)
        elif match.lastgroup == "picture":
            builder.put(f" {chr(_PRIVATE + ord(match[0]))} ", *match.span())
        else:
            builder.put(_fold(match[0]), *match.span())
    builder.put(text[position:], position, len(text))
    return builder.done()


def _pairs(run: str) -> Iterator[tuple[str, int, int]]:
    """Yield each letter with the next one, between spaces, and their span; a single letter as it is."""
    composed = unicodedata.normalize("NFKC", run)
    starts = [place for place, letter in enumerate(composed) if not place or unicodedata.category(letter)[0] != "M"]
    starts.append(len(composed))
    is_aligned = len(composed) == len(run)
    for start, end in zip(starts, starts[2:] or starts[1:], strict=False):
        yield f" {composed[start:end]} ", start if is_aligned else 0, end if is_aligned else len(run)


@lru_cache(4096)
def _fold(part: str) -> str:
    composed = unicodedata.normalize("NFKC", _RAISED.sub(r" \g<0>", part))
    plain = unicodedata.normalize("NFC", _DROPPED.sub("", unicodedata.normalize("NFD", composed)))
    # Compatibility characters may be of any script: ㍿ is 株式会社.
    return divided(plain.translate(_LETTERS))
