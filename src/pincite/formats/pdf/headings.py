"""Headings: paragraphs that differ from running text, and the level that each way of differing has."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pincite.formats.canonical import MAX_HEADING_LEVEL
from pincite.formats.pdf.markers import is_bullet, section_depth
from pincite.formats.pdf.paragraphs import Paragraph
from pincite.formats.pdf.words import Word

LARGER = 1.1
"""A heading is larger than running text by this factor, or else bold, coloured, italic or in capitals."""
SMALLER = 0.9
MOST_LINES = 4
MOST_CHARACTERS = 200
SHORT = 100
LEAST_USES = 2
"""Paragraphs that look so, from which a look counts as that of headings (`measured`)."""
MOST_DIGITS = 0.4
"""Share of digits among a heading's letters and digits."""
_CAPITALS = 4


class Look(NamedTuple):
    """How a paragraph is set; ranked from the most to the least prominent.

    Attributes:
        size: Font size, to half a point.
        capitals: Whether all its letters are.
        depth: Of its section number, where headings of one look have numbers of several depths; else 0.
    """

    size: float
    bold: bool
    italic: bool
    colour: int
    capitals: bool
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Styles:
    """What a document's pages look like.

    Attributes:
        body: Running text: its size, weight, slant and colour.
        levels: Heading level by look.
        deep: Looks whose headings are told apart by the depth of their numbers.
    """

    body: Look
    levels: Mapping[Look, int] = field(default_factory=dict[Look, int])
    deep: frozenset[Look] = frozenset()


def body_look(words: Iterable[Word]) -> Look:
    """The look that most characters have."""
    counts: Counter[tuple[float, bool, bool, int]] = Counter()
    for word in words:
        counts[_half(word.size), word.bold, word.italic, word.colour] += len(word.text)
    if not counts:
        return Look(10.0, bold=False, italic=False, colour=0, capitals=False)
    (size, bold, italic, colour), _ = counts.most_common(1)[0]
    return Look(size, bold, italic, colour, capitals=False)


def heading_look(paragraph: Paragraph, body: Look) -> Look | None:
    """The look of a paragraph that may be a heading; None for one that is none for certain."""
    text = paragraph.text.text
    if len(paragraph.lines) > MOST_LINES or len(text) > MOST_CHARACTERS or not _names_something(text):
        return None
    look = _look(paragraph, text)
    if look is None or look.size < SMALLER * body.size or is_bullet(paragraph.lines[0].words[0].text):
        return None
    larger = look.size >= LARGER * body.size
    if not larger and (text[0].islower() or text.endswith((".", ",", ";", ":")) or len(text) > SHORT * 1.5):
        return None
    heavier = look.bold and not body.bold
    coloured = look.colour != body.colour and len(text) <= SHORT
    slanted = look.italic and not body.italic and len(text) <= SHORT
    capitals = look.capitals and len(text) <= SHORT
    return look if larger or heavier or coloured or slanted or capitals else None


def styles(found: Sequence[tuple[Look, str]], body: Look, known: Sequence[tuple[Look, int]] = ()) -> Styles:
    """The levels of the looks that headings have.

    Args:
        found: Looks and texts of paragraphs that may be headings.
        body: How running text looks.
        known: Looks of those that the outline names, with their depth in it.
    """
    uses = Counter(look for look, _ in found)
    depths: dict[Look, set[int]] = {}
    for look, text in found:
        depths.setdefault(look, set()).add(section_depth(text))
    largest = max((look.size for look in uses), default=0.0)
    looks = [look for look in uses if uses[look] >= LEAST_USES or look.size == largest > LARGER * body.size]
    deep = frozenset(look for look in looks if len(depths[look] - {0}) > 1)
    ranked = sorted({_ranked(look, section_depth(text), deep) for look, text in found if look in looks}, key=_rank)
    return Styles(body, _levels(ranked, known), deep)


def _levels(ranked: Sequence[Look], known: Sequence[tuple[Look, int]]) -> dict[Look, int]:
    """A level for each look: the depth that the outline gives it most often, or else one more than that before it."""
    depths: dict[Look, Counter[int]] = {}
    for look, depth in known:
        depths.setdefault(look._replace(depth=0), Counter())[depth] += 1
    levels: dict[Look, int] = {}
    last = 0
    for look in ranked:
        told = depths.get(look)
        last = told.most_common(1)[0][0] if told else last + 1
        levels[look] = min(last, MAX_HEADING_LEVEL)
    return levels


def level(paragraph: Paragraph, known: Styles) -> int:
    """The heading level of a paragraph; 0 for running text."""
    look = heading_look(paragraph, known.body)
    if look is None:
        return 0
    own = _ranked(look, section_depth(paragraph.text.text), known.deep)
    if own in known.levels:
        return known.levels[own]
    if own.size < LARGER * known.body.size:
        return 0
    return min(
        MAX_HEADING_LEVEL, max((known.levels[look] for look in known.levels if look.size >= own.size), default=1)
    )


def _ranked(look: Look, depth: int, deep: frozenset[Look]) -> Look:
    return look._replace(depth=depth) if look in deep else look


def _rank(look: Look) -> tuple[float, bool, int, bool, bool, int]:
    return -look.size, not look.capitals, look.depth, not look.bold, look.italic, look.colour


def _look(paragraph: Paragraph, text: str) -> Look | None:
    """The one look of all words of a paragraph; None where they differ."""
    words = [word for word in paragraph.words if any(character.isalnum() for character in word.text)]
    if not words:
        return None
    first = words[0]
    size = max(line.size for line in paragraph.lines)
    if any(word.bold != first.bold or word.colour != first.colour for word in words):
        return None
    italic = all(word.italic for word in words)
    letters = [character for character in text if character.isalpha()]
    capitals = len(letters) >= _CAPITALS and all(not letter.islower() for letter in letters) and letters[0].isupper()
    return Look(_half(size), first.bold, italic, first.colour, capitals)


def _names_something(text: str) -> bool:
    letters = sum(character.isalpha() for character in text)
    digits = sum(character.isdigit() for character in text)
    return letters > 1 and digits <= MOST_DIGITS * (letters + digits)


def _half(size: float) -> float:
    return round(size * 2) / 2
