"""Headings: paragraphs that differ from running text, and the level that each way of differing has."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pincite.formats.pdf.layout.paragraphs import Paragraph
from pincite.formats.pdf.page.markers import is_bullet, section_depth
from pincite.formats.pdf.page.words import Word
from pincite.formats.writing.page_writer import MAX_HEADING_LEVEL

LARGER, MUCH_LARGER = 1.1, 1.25
"""A heading is larger than running text by this factor (if it is bold; if not), or bold, coloured, italic, capitals."""
SMALLER = 0.9
LEAST_BODY = 500
"""Characters of one look from which a page has running text of its own."""
MOST_LINES = 4
MOST_CHARACTERS = 300
SHORT = 100
LEAST_USES = 2
"""Paragraphs that look so, from which a look counts as that of headings (`measured`)."""
MOST_DIGITS = 0.5
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


def looks(words: Iterable[Word]) -> Counter[Look]:
    """How many characters have which look."""
    counts: Counter[tuple[float, bool, bool, int]] = Counter()
    for word in words:
        counts[word.size, word.bold, word.italic, word.colour] += len(word.text)
    found: Counter[Look] = Counter()
    for (size, bold, italic, colour), count in counts.items():
        found[Look(_half(size), bold, italic, colour, capitals=False)] += count
    return found


def body_look(seen: Counter[Look]) -> Look:
    """The look that most characters have."""
    common = seen.most_common(1)
    return common[0][0] if common else Look(10.0, bold=False, italic=False, colour=0, capitals=False)


def page_look(seen: Counter[Look], body: Look) -> Look:
    """The look of running text on a page: its own where it is set throughout in another one than the document."""
    common = seen.most_common(1)
    own = bool(common) and common[0][1] > max(LEAST_BODY, seen.total() / 2)
    return common[0][0] if own else body


def heading_look(paragraph: Paragraph, body: Look) -> Look | None:
    """The look of a paragraph that may be a heading; None for one that is none for certain."""
    text = paragraph.text.text
    if len(paragraph.lines) > MOST_LINES or len(text) > MOST_CHARACTERS or not _names_something(text):
        return None
    look = _look(paragraph, text, body)
    if look is None or look.size < SMALLER * body.size or is_bullet(paragraph.lines[0].words[0].text):
        return None
    if _is_larger(look, body):
        return look
    if text[0].islower() or text.endswith((".", ",", ";", ":")) or len(text) > 2 * SHORT:
        return None
    if look.bold and not body.bold:
        return look
    marked = look.colour != body.colour or (look.italic and not body.italic) or look.capitals
    return look if marked and paragraph.alone and len(text) <= SHORT else None


def _is_larger(look: Look, body: Look) -> bool:
    return look.size >= (LARGER if look.bold else MUCH_LARGER) * body.size


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
    looks = [look for look in uses if uses[look] >= LEAST_USES or (look.size == largest and _is_larger(look, body))]
    deep = frozenset(look for look in looks if len(depths[look] - {0}) > 1)
    told = {_ranked(look, section_depth(text), deep) for look, text in found if look in looks}
    ranked = sorted(told, key=lambda look: (*_rank(look, body), look.colour))
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


def level(paragraph: Paragraph, known: Styles, body: Look) -> int:
    """The heading level of a paragraph; 0 for running text.

    Args:
        paragraph: It.
        known: The document's styles.
        body: How running text looks on its page.
    """
    look = heading_look(paragraph, body)
    if look is None:
        return 0
    own = _ranked(look, section_depth(paragraph.text.text), known.deep)
    if own in known.levels:
        return known.levels[own]
    if not _is_larger(own, body):
        return 0
    return min(
        MAX_HEADING_LEVEL, max((known.levels[look] for look in known.levels if look.size >= own.size), default=1)
    )


def _ranked(look: Look, depth: int, deep: frozenset[Look]) -> Look:
    return look._replace(depth=depth) if look in deep else look


def _rank(look: Look, body: Look) -> tuple[float, bool, bool, int, bool, bool]:
    """The most prominent first: of one size, capitals and colours (mostly on a bar) stand above weight and slant."""
    return -look.size, not look.capitals, look.colour == body.colour, look.depth, not look.bold, look.italic


def _look(paragraph: Paragraph, text: str, body: Look) -> Look | None:
    """The one look of all words of a paragraph; None where they differ. Several colours count as none."""
    words = [word for word in paragraph.words if any(map(str.isalnum, word.text))]
    if not words:
        return None
    first = words[0]
    size = max(line.size for line in paragraph.lines)
    if any(word.bold != first.bold for word in words):
        return None
    colours = {word.colour for word in words}
    italic = all(word.italic for word in words)
    letters = [character for character in text if character.isalpha()]
    capitals = len(letters) >= _CAPITALS and all(not letter.islower() for letter in letters) and letters[0].isupper()
    return Look(_half(size), first.bold, italic, first.colour if len(colours) == 1 else body.colour, capitals)


def _names_something(text: str) -> bool:
    letters, digits = sum(map(str.isalpha, text)), sum(map(str.isdigit, text))
    return letters > 0 and digits <= MOST_DIGITS * (letters + digits)


def _half(size: float) -> float:
    return round(size * 2) / 2
