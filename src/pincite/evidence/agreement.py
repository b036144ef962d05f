"""Decide whether a quote and its candidate match differ in typography only."""

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from pincite.evidence.boundaries import is_unspaced
from pincite.text.characters import CELL, SOFT

_LETTER = r"[^\x00-@\[-`{-\x7f]"
_SPACES = rf"[ {CELL}]*+"
GAP = re.compile(
    rf"[ {CELL}{SOFT}-](?:(?<={_LETTER}[ {CELL}]){_SPACES}[{SOFT}-]{_SPACES}(?={_LETTER})"
    rf"|(?<={_LETTER}[{SOFT}-]){_SPACES}(?={_LETTER})|(?<=[ {CELL}{SOFT}])[ {CELL}{SOFT}]*+)"
)
"""Gaps, removed from quote and document before the search: spaces, and hyphens between letters."""

MIN_CHARS_FOR_SPACING = 12
"""Minimum length, without spaces, of a quote in which a space inside a word may differ: "now here" is not "nowhere"."""
_MAX_UNIT_LETTERS = 5
"""Maximum length of a unit, whose first letter may be an SI prefix with its own case: 5 Mmol is not 5 mmol."""

_SPACED_RANGE = re.compile(r"(?<=\d) ++-(?: ++)(?=\d)")
_NUMBER_LEFT = re.compile(r"\d[.,:/'^×]?\Z|[-+]\Z")
_NUMBER_RIGHT = re.compile(r"[.,:/'^×+-]?\d|[eE][+-]?\d")
_SIGNED = re.compile(r"[-+]\d")
_WORD = re.compile(r"(?:[^\W\d_][\u0300-\u036f]*+)++")
_MARKS = re.compile(r"[\u0300-\u036f]+")
_VOWELS = "aeiouy"
"""Letters that can be a word by themselves; other single letters are symbols."""
_THOUSANDS_DIGITS = 3


def squeeze(text: str) -> str:
    """Return a folded text without its gaps, in its own case."""
    return GAP.sub("", text)


def lower(text: str) -> str:
    """Return the lower case of a text, one character for one, with final sigma as sigma.

    Not `casefold`: it turns ß into ss, and Maße is another word than Masse.
    """
    return text.lower().replace("\u03c2", "\u03c3")


def has_same_gaps(quote: str, match: str) -> bool:
    """Return True if two folded texts, equal in lower case without gaps, have equivalent gaps.

    Args:
        quote: The quote.
        match: The match in the document, from its first to its last character.
    """
    if quote == match:
        return True
    # `3 - 5` and `3-5` are the same range.
    quote, match = _SPACED_RANGE.sub("-", quote), _SPACED_RANGE.sub("-", match)
    return _are_equivalent(_gaps(quote), _gaps(match), squeeze(match))


def first_letter(text: str) -> int | None:
    """Return the index of the first letter of a folded text; None without one."""
    word = _WORD.search(text)
    return word and word.start()


def may_be_capital(text: str, index: int) -> bool:
    """Return True if the letter at an index of a folded text may have either case; not in a symbol or a unit."""
    word = _WORD.match(text, index)
    if word is None:
        return False
    letters = _MARKS.sub("", word[0])
    # After a number a short word may be a unit, where the case is the prefix: m is not M. A word with an inner
    # capital (pH, iOS) or a single consonant is a symbol.
    is_unit = text[:index].rstrip(" ")[-1:].isdigit() and len(letters) <= _MAX_UNIT_LETTERS
    return not is_unit and (letters[1:].islower() if len(letters) > 1 else letters.lower() in _VOWELS)


def _gaps(text: str) -> dict[int, str]:
    """Return the kind of each gap by its index in the text without gaps."""
    gaps: dict[int, str] = {}
    removed = 0
    for match in GAP.finditer(text):
        gaps[match.start() - removed] = _kind(match[0])
        removed += match.end() - match.start()
    return gaps


def _kind(gap: str) -> str:
    # Strongest first: a gap of a hyphen and spaces is a hyphen.
    return next((kind for kind in (SOFT, "-", CELL) if kind in gap), " ")


def _are_equivalent(quote: Mapping[int, str], match: Mapping[int, str], core: str) -> bool:
    places = quote.keys() | match.keys()
    return all(
        _may_differ({quote.get(place, ""), match.get(place, "")}, core, place, places)
        for place in places
        if quote.get(place) != match.get(place)
    )


def _may_differ(kinds: set[str], core: str, place: int, places: AbstractSet[int]) -> bool:
    """Return True if two gaps at one index may be of these different kinds."""
    # A line-end hyphen may be part of the word or not, and the quote may have joined the lines.
    if SOFT in kinds:
        return kinds <= {SOFT, "", "-"}
    # "re-sign" is not "resign".
    if "-" in kinds:
        return False
    # A border between table cells may be quoted as a space, unless it would join two numbers into one.
    if CELL in kinds:
        return kinds == {CELL, " "} and not _reads_as_thousands(core, place, places)
    return _may_lack_space(core, place)


def _reads_as_thousands(core: str, place: int, places: AbstractSet[int]) -> bool:
    """Return True if two numbers with a space between them would read as one."""
    left = right = 0
    while left <= _THOUSANDS_DIGITS and core[place - left - 1 : place - left].isdigit():
        left += 1
        if place - left in places:
            break
    while core[place + right : place + right + 1].isdigit() and right <= _THOUSANDS_DIGITS:
        right += 1
        if place + right in places:
            break
    return 0 < left <= _THOUSANDS_DIGITS == right


def _may_lack_space(core: str, place: int) -> bool:
    left, right = core[max(0, place - 2) : place], core[place : place + 3]
    # A space must not join or split numbers, or detach a sign.
    if (_NUMBER_LEFT.search(left) and _NUMBER_RIGHT.match(right)) or _SIGNED.match(right):
        return False
    in_word = left[-1:].isalpha() and right[:1].isalnum()
    return not in_word or len(core) >= MIN_CHARS_FOR_SPACING or is_unspaced(left[-1]) or is_unspaced(right[0])
