"""Labels of items and headings, as a word processor numbers them (OpenDocument 1.3, 16.31 to 16.36, 19.816)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pincite.formats.odt.names import MAX_LEVEL, count, prefixed, q, value
from pincite.formats.ooxml.package import Element, whole_number
from pincite.formats.ooxml.text import number_label

_SCHEMES = {"a": "alphaLcPlain", "A": "alphaUcPlain", "i": "romanLcPlain", "I": "romanUcPlain"}
_NUMBERED = frozenset({"text:list-level-style-number", "text:outline-level-style"})
_MAX_NUMBER = 32_767


@dataclass(frozen=True, slots=True)
class _Level:
    """How a level is labelled; without a scheme it has no number, as bullets have none."""

    scheme: str = ""
    prefix: str = ""
    suffix: str = ""
    display_levels: int = 1
    start: int = 1


@dataclass(slots=True)
class Counters:
    """The numbers that a list has reached, by level."""

    numbers: list[int | None] = field(default_factory=lambda: [None] * MAX_LEVEL)


class Lists:
    """The list styles of a text, and the counters of its lists.

    Args:
        roots: Roots of the parts with styles.
    """

    def __init__(self, roots: Sequence[Element]) -> None:
        self._styles: dict[str, dict[int, _Level]] = {}
        self._outline: dict[int, _Level] = {}
        for root in roots:
            for element in root.iter(q("text:list-style")):
                self._styles[value(element, "style:name")] = _levels(element)
            for element in root.iter(q("text:outline-style")):
                self._outline = _levels(element)
        self._headings = Counters()
        self._last: dict[str, Counters] = {}
        self._by_id: dict[str, Counters] = {}

    def begin(self, element: Element, style: str) -> Counters:
        """Return the counters of an outermost list: new ones, or the counters of the list that it continues."""
        continued = value(element, "text:continue-list")
        counters = self._by_id.get(continued) if continued else None
        if counters is None and value(element, "text:continue-numbering") == "true":
            counters = self._last.get(style)
        counters = counters or Counters()
        self._last[style] = counters
        if identity := value(element, "xml:id"):
            self._by_id[identity] = counters
        return counters

    def label(self, style: str, counters: Counters, level: int, start: str = "") -> str:
        """Return the label of a list's next item, and count it; empty for a bullet.

        Args:
            style: Name of the list style.
            counters: The counters of the list.
            level: Level of the item, from 0.
            start: The number that the item itself gives, as an attribute; empty for none.
        """
        return _count(self._styles.get(style, {}), counters, min(level, MAX_LEVEL - 1), start)

    def heading_label(self, level: int, start: str = "") -> str:
        """Return the number of the text's next heading of a level from 0, and count it; empty without numbers."""
        return _count(self._outline, self._headings, min(level, MAX_LEVEL - 1), start)


def _levels(style: Element) -> dict[int, _Level]:
    levels: dict[int, _Level] = {}
    for element in style:
        number = count(element, "text:level", 1, MAX_LEVEL) - 1
        if prefixed(element) in _NUMBERED:
            levels[number] = _Level(
                value(element, "style:num-format"),
                value(element, "style:num-prefix"),
                value(element, "style:num-suffix"),
                count(element, "text:display-levels", 1, MAX_LEVEL),
                max(0, min(whole_number(element.get(q("text:start-value")), 1), _MAX_NUMBER)),
            )
        else:
            levels[number] = _Level()
    return levels


def _count(levels: dict[int, _Level], counters: Counters, level: int, start: str) -> str:
    numbers = counters.numbers
    own, last = levels.get(level, _Level()), numbers[level]
    given = max(0, min(whole_number(start, -1), _MAX_NUMBER)) if start else None
    for above in range(level):
        # A level that an item passed over is counted, as by Writer: the next item of it has the next number.
        if numbers[above] is None:
            numbers[above] = levels.get(above, _Level()).start
    numbers[level] = given if given is not None else own.start if last is None else last + 1
    numbers[level + 1 :] = [None] * (MAX_LEVEL - level - 1)
    if not own.scheme:
        return ""
    shown = range(max(0, level - own.display_levels + 1), level + 1)
    parts = [_number(levels.get(above, _Level()), numbers[above]) for above in shown]
    return f"{own.prefix}{'.'.join(filter(None, parts))}{own.suffix}".strip()


def _number(level: _Level, number: int | None) -> str:
    if not level.scheme:
        return ""
    number = level.start if number is None else number
    scheme = _SCHEMES.get(level.scheme)
    return number_label(number, scheme) if scheme and number > 0 else str(number)
