"""Whether a quote and what was found for it differ in typography only."""

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
"""What is left out of both sides before one is looked for in the other: spaces, and hyphens between letters."""

SHORT = 12
"""Characters without spaces up to which a space may not come or go inside a word: "now here" is not "nowhere"."""
_UNIT = 5
"""Letters of the longest unit whose first letter's case may be its prefix: 5 Mmol is not 5 mmol."""

_SPACED_RANGE = re.compile(r"(?<=\d) ++-(?: ++)(?=\d)")
_NUMBER_LEFT = re.compile(r"\d[.,:/'^×]?\Z|[-+]\Z")
_NUMBER_RIGHT = re.compile(r"[.,:/'^×+-]?\d|[eE][+-]?\d")
_SIGNED = re.compile(r"[-+]\d")
_WORD = re.compile(r"(?:[^\W\d_][\u0300-\u036f]*+)++")
_MARKS = re.compile(r"[\u0300-\u036f]+")
_VOWELS = "aeiouy"
"""Words of one letter; other single letters are symbols."""
_GROUP = 3


def squeeze(text: str) -> str:
    """A folded text in the form in which a quote is looked for, case kept."""
    return GAP.sub("", text)


def lower(text: str) -> str:
    """Lower case, one character for one, the Greek final sigma as any; ß stays, since Maße are no Masse."""
    return text.lower().replace("\u03c2", "\u03c3")


def agree(quote: str, found: str) -> bool:
    """Whether two folded texts that are equal in lower case without their gaps have the same gaps.

    Args:
        quote: The quote.
        found: What was found for it, from its first to its last character.
    """
    if quote == found:
        return True
    quote, found = _SPACED_RANGE.sub("-", quote), _SPACED_RANGE.sub("-", found)
    return _same_gaps(_gaps(quote), _gaps(found), squeeze(found))


def first_letter(text: str) -> int | None:
    """Where the first letter of a folded text is; None without one."""
    word = _WORD.search(text)
    return word and word.start()


def may_be_capital(text: str, index: int) -> bool:
    """Whether the letter at an index of a folded text may be small or a capital; that of a symbol or a unit may not."""
    word = _WORD.match(text, index)
    if word is None:
        return False
    letters = _MARKS.sub("", word[0])
    is_unit = text[:index].rstrip(" ")[-1:].isdigit() and len(letters) <= _UNIT
    return not is_unit and (letters[1:].islower() if len(letters) > 1 else letters.lower() in _VOWELS)


def _gaps(text: str) -> dict[int, str]:
    """Gaps by their place in the text without them."""
    gaps: dict[int, str] = {}
    left_out = 0
    for match in GAP.finditer(text):
        gaps[match.start() - left_out] = _kind(match[0])
        left_out += match.end() - match.start()
    return gaps


def _kind(gap: str) -> str:
    return next((kind for kind in (SOFT, "-", CELL) if kind in gap), " ")


def _same_gaps(quote: Mapping[int, str], found: Mapping[int, str], core: str) -> bool:
    places = quote.keys() | found.keys()
    return all(
        _may_differ({quote.get(place, ""), found.get(place, "")}, core, place, places)
        for place in places
        if quote.get(place) != found.get(place)
    )


def _may_differ(kinds: set[str], core: str, place: int, places: AbstractSet[int]) -> bool:
    """Whether two gaps at one place may be of different kinds."""
    if SOFT in kinds:
        return kinds <= {SOFT, "", "-"}
    if "-" in kinds:
        return False
    if CELL in kinds:
        return kinds == {CELL, " "} and not _thousands(core, place, places)
    return _space_may_go(core, place)


def _thousands(core: str, place: int, places: AbstractSet[int]) -> bool:
    """Whether two numbers with a space between them would read as one."""
    left = right = 0
    while left <= _GROUP and core[place - left - 1 : place - left].isdigit():
        left += 1
        if place - left in places:
            break
    while core[place + right : place + right + 1].isdigit() and right <= _GROUP:
        right += 1
        if place + right in places:
            break
    return 0 < left <= _GROUP == right


def _space_may_go(core: str, place: int) -> bool:
    left, right = core[max(0, place - 2) : place], core[place : place + 3]
    if (_NUMBER_LEFT.search(left) and _NUMBER_RIGHT.match(right)) or _SIGNED.match(right):
        return False
    in_word = left[-1:].isalpha() and right[:1].isalnum()
    return not in_word or len(core) >= SHORT or is_unspaced(left[-1]) or is_unspaced(right[0])
