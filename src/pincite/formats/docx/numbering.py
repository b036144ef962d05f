"""Labels of lists and headings, counted as Word counts them (ECMA-376 part 1, 17.9)."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from pincite.formats.docx.names import VAL, number, toggle, value, w
from pincite.formats.docx.styles import Styles
from pincite.formats.ooxml.package import Element
from pincite.formats.ooxml.text import number_label

LEVELS = 9
_PLACE = re.compile(r"%([1-9])")
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
    """What stands before a paragraph: empty text for a bullet."""

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
    """A list as paragraphs name it: the counters belong to the abstract one, which several lists may share."""

    abstract: str
    levels: list[_Level]
    starts: dict[int, int] = field(default_factory=dict[int, int])


class Numbering:
    """The lists of a document, counting."""

    def __init__(self, root: Element | None, styles: Styles) -> None:
        self._styles = styles
        self._abstract = _by_id(root, "abstractNum", "abstractNumId")
        self._nums = _by_id(root, "num", "numId")
        self._lists: dict[str, _List | None] = {}
        self._counters: dict[str, list[int | None]] = {}

    def level_of(self, num_id: str, style: str) -> int:
        """The level of a list that a style is tied to, else the first."""
        found = self._list(num_id)
        levels = found.levels if found else []
        return next((place for place, level in enumerate(levels) if style and level.style == style), 0)

    def count(self, num_id: str, level: int) -> Label | None:
        """The label of the next paragraph; None where it shows none."""
        found = self._list(num_id)
        if found is None:
            return None
        level = min(level, LEVELS - 1)
        counters = self._counters.setdefault(found.abstract, [None] * LEVELS)
        start, before = found.starts.pop(level, None), counters[level]
        if start is not None:
            counters[level] = start
        else:
            counters[level] = found.levels[level].start if before is None else before + 1
        for deeper in range(level + 1, LEVELS):
            restart = found.levels[deeper].restart
            if restart is None or level < restart:
                counters[deeper] = None
        return _label(found.levels, level, counters)

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
        if linked := value(abstract, w("numStyleLink")):
            other = value(self._nums.get(self._styles.list_of(linked)), w("abstractNumId")) or ""
            if other in self._abstract:
                abstract_id, abstract = other, self._abstract[other]
        found = _List(abstract_id, [_Level() for _ in range(LEVELS)])
        for element in abstract.findall(w("lvl")):
            found.levels[_place(element)] = _level(element)
        for override in num.findall(w("lvlOverride")):
            place = _place(override)
            element = override.find(w("lvl"))
            if element is not None:
                found.levels[place] = _level(element)
            start = value(override, w("startOverride"))
            if start is not None:
                found.starts[place] = number(start, 1)
        return found


def _by_id(root: Element | None, tag: str, attribute: str) -> dict[str, Element]:
    return {found.get(w(attribute)) or "": found for found in root.findall(w(tag))} if root is not None else {}


def _place(element: Element) -> int:
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

    def shown(match: re.Match[str]) -> str:
        place = int(match[1]) - 1
        count = counters[place]
        form = "decimal" if own.legal else levels[place].form
        return number_text(levels[place].start if count is None else count, form)

    text = _PLACE.sub(shown, own.text).strip()
    return Label(text, bullet=False) if text or own.form != "none" else None


def number_text(count: int, form: str) -> str:
    """A number in a format of `w:numFmt`; formats that are not known here are decimal."""
    if form in _SCHEMES:
        return number_label(count, _SCHEMES[form]) if count else "0"
    write = _FORMS.get(form)
    return write(count) if write else str(count)


def _ordinal(count: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
    return f"{count}th" if count % 100 in _TEENS else f"{count}{ending}"


def _circled(count: int) -> str:
    """As far as Unicode goes."""
    return chr(ord("①") + count - 1) if count in range(1, 21) else str(count)


def _chinese(count: int) -> str:
    """Up to 99."""
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
