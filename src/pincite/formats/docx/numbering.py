"""Labels of lists and headings, as Word numbers them (ECMA-376 part 1, 17.9)."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from pincite.formats.docx.names import VAL, number, toggle, value, w
from pincite.formats.docx.styles import Styles
from pincite.formats.ooxml.package import Element
from pincite.formats.ooxml.text import number_label

LEVELS = 9
"""Levels of a list (17.9.3)."""
_PLACEHOLDER = re.compile(r"%([1-9])")
_SCHEMES = {
    "lowerLetter": "alphaLcPlain",
    "upperLetter": "alphaUcPlain",
    "lowerRoman": "romanLcPlain",
    "upperRoman": "romanUcPlain",
}
_CHINESE = "〇一二三四五六七八九十"
_TEENS = (11, 12, 13)


@dataclass(frozen=True, slots=True)
class Label:
    """The label before a paragraph; for a bullet its text is empty."""

    text: str
    bullet: bool


@dataclass(frozen=True, slots=True)
class _Level:
    form: str = "decimal"
    text: str = ""
    start: int = 1
    restart: int | None = None
    legal: bool = False
    style: str = ""


@dataclass(slots=True)
class _List:
    """A list (`w:num`). Its counters belong to the abstract list, which several lists may share."""

    abstract: str
    levels: list[_Level]
    starts: dict[int, int] = field(default_factory=dict[int, int])


class Numbering:
    """The lists of a document and their counters."""

    def __init__(self, root: Element | None, styles: Styles) -> None:
        self._styles = styles
        self._abstract = _by_id(root, "abstractNum", "abstractNumId")
        self._nums = _by_id(root, "num", "numId")
        self._lists: dict[str, _List | None] = {}
        self._counters: dict[str, list[int | None]] = {}

    def level_of(self, num_id: str, style: str) -> int:
        """Return the level of a list that is linked to a style, or 0."""
        numbered_list = self._list(num_id)
        levels = numbered_list.levels if numbered_list else []
        return next((index for index, level in enumerate(levels) if style and level.style == style), 0)

    def count(self, num_id: str, level: int) -> Label | None:
        """Return the label of the list's next paragraph, and count it; None if it has no label."""
        numbered_list = self._list(num_id)
        if numbered_list is None:
            return None
        level = min(level, LEVELS - 1)
        counters = self._counters.setdefault(numbered_list.abstract, [None] * LEVELS)
        # `pop`, as an override of the start applies to the first paragraph only.
        start, last = numbered_list.starts.pop(level, None), counters[level]
        if start is not None:
            counters[level] = start
        else:
            counters[level] = numbered_list.levels[level].start if last is None else last + 1
        # By default a paragraph restarts all deeper levels; `w:lvlRestart` limits which levels do.
        for deeper in range(level + 1, LEVELS):
            restart = numbered_list.levels[deeper].restart
            if restart is None or level < restart:
                counters[deeper] = None
        return _label(numbered_list.levels, level, counters)

    def _list(self, num_id: str) -> _List | None:
        if num_id not in self._lists:
            self._lists[num_id] = self._read(num_id)
        return self._lists[num_id]

    def _read(self, num_id: str) -> _List | None:
        num = self._nums.get(num_id)
        abstract_id = value(num, w("abstractNumId")) or ""
        abstract = self._abstract.get(abstract_id)
        if num is None or abstract is None:
            return None
        # A list may take its levels from a numbering style, which names another list.
        if linked := value(abstract, w("numStyleLink")):
            linked_id = value(self._nums.get(self._styles.list_of(linked)), w("abstractNumId")) or ""
            if linked_id in self._abstract:
                abstract_id, abstract = linked_id, self._abstract[linked_id]
        numbered_list = _List(abstract_id, [_Level() for _ in range(LEVELS)])
        for element in abstract.findall(w("lvl")):
            numbered_list.levels[_level_index(element)] = _level(element)
        for override in num.findall(w("lvlOverride")):
            index = _level_index(override)
            # An override may replace the whole level, its start, or both.
            element = override.find(w("lvl"))
            if element is not None:
                numbered_list.levels[index] = _level(element)
            start = value(override, w("startOverride"))
            if start is not None:
                numbered_list.starts[index] = number(start, 1)
        return numbered_list


def _by_id(root: Element | None, tag: str, attribute: str) -> dict[str, Element]:
    return {element.get(w(attribute)) or "": element for element in root.findall(w(tag))} if root is not None else {}


def _level_index(element: Element) -> int:
    return min(number(element.get(w("ilvl"))), LEVELS - 1)


def _level(element: Element) -> _Level:
    restart = value(element, w("lvlRestart"))
    form = element.find(w("numFmt"))
    return _Level(
        form=(form.get(VAL) or "decimal") if form is not None else "decimal",
        text=value(element, w("lvlText")) or "",
        start=number(value(element, w("start")), 0),
        restart=number(restart) if restart is not None else None,
        legal=bool(toggle(element, w("isLgl"))),
        style=value(element, w("pStyle")) or "",
    )


def _label(levels: list[_Level], level: int, counters: list[int | None]) -> Label | None:
    own = levels[level]
    if own.form == "bullet":
        return Label("", bullet=True)

    def formatted(match: re.Match[str]) -> str:
        index = int(match[1]) - 1
        count = counters[index]
        form = "decimal" if own.legal else levels[index].form
        return number_text(levels[index].start if count is None else count, form)

    text = _PLACEHOLDER.sub(formatted, own.text).strip()
    return Label(text, bullet=False) if text or own.form != "none" else None


def number_text(count: int, form: str) -> str:
    """Return a number in a format of `w:numFmt`; unsupported formats are decimal."""
    if form in _SCHEMES:
        return number_label(count, _SCHEMES[form]) if count else "0"
    write = _FORMS.get(form)
    return write(count) if write else str(count)


def _ordinal(count: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
    return f"{count}th" if count % 100 in _TEENS else f"{count}{ending}"


def _circled(count: int) -> str:
    """Unicode has circled numbers from 1 to 20; others are decimal."""
    return chr(ord("①") + count - 1) if count in range(1, 21) else str(count)


def _chinese(count: int) -> str:
    """Chinese numerals up to 99; larger numbers are decimal."""
    tens, ones = divmod(count, 10)
    if tens >= len(_CHINESE) - 1:
        return str(count)
    if not tens:
        return _CHINESE[ones]
    return (_CHINESE[tens] if tens > 1 else "") + _CHINESE[10] + (_CHINESE[ones] if ones else "")


def _nothing(_count: int) -> str:
    return ""


_FORMS: dict[str, Callable[[int], str]] = {
    "none": _nothing,
    "bullet": _nothing,
    "decimalZero": "{:02}".format,
    "ordinal": _ordinal,
    "decimalEnclosedCircle": _circled,
    "chineseCounting": _chinese,
    "chineseCountingThousand": _chinese,
    "taiwaneseCounting": _chinese,
    "japaneseCounting": _chinese,
}
