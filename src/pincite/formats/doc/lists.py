"""The lists of a document ([MS-DOC] 2.9.150: LSTF, LVL, LFO), as the part `word/numbering.xml`."""

import struct
from collections.abc import Iterator
from struct import unpack_from

from pincite.formats.doc.fib import Fib, Part
from pincite.formats.doc.markup import NAMESPACES, value

_LIST_BYTES, _LEVEL_BYTES, _OVERRIDE_BYTES = 28, 28, 16
_LEVELS = 9
_MAX_LISTS = 20_000
_NO_STYLE = 0xFFF
_SIMPLE, _LEGAL = 0x01, 0x04
_STARTS, _FORMATS = 0x10, 0x20
_FORMS = {
    0: "decimal", 1: "upperRoman", 2: "lowerRoman", 3: "upperLetter", 4: "lowerLetter", 5: "ordinal",
    10: "chineseCounting", 18: "decimalEnclosedCircle", 22: "decimalZero", 23: "bullet", 35: "taiwaneseCounting",
    37: "chineseCountingThousand", 255: "none",
}  # fmt: skip


def numbering_part(fib: Fib) -> str:
    """Return the part; empty for a document without lists."""
    lists, overrides = fib.part(Part.LISTS), fib.part(Part.LIST_OVERRIDES)
    if not lists or not overrides:
        return ""
    # The levels of all lists follow the structure, whose length does not count them.
    levels = fib.table[fib.end(Part.LISTS) :]
    abstract = "".join(_abstract_lists(lists, levels))
    return f"<w:numbering {NAMESPACES}>{abstract}{''.join(_numbers(overrides))}</w:numbering>"


def _abstract_lists(lists: bytes, levels: bytes) -> Iterator[str]:
    at = 0
    try:
        for index in range(min(unpack_from("<H", lists)[0], _MAX_LISTS)):
            start = 2 + index * _LIST_BYTES
            identity = unpack_from("<I", lists, start)[0]
            styles = unpack_from(f"<{_LEVELS}H", lists, start + 8)
            elements: list[str] = []
            for level in range(1 if lists[start + 26] & _SIMPLE else _LEVELS):
                element, at = _level(levels, at, level, styles[level])
                elements.append(element)
            yield f'<w:abstractNum w:abstractNumId="{identity}">{"".join(elements)}</w:abstractNum>'
    except (struct.error, IndexError):
        return


def _level(data: bytes, at: int, level: int, style: int = _NO_STYLE) -> tuple[str, int]:
    """Return a level as `w:lvl`, and the offset of what follows it."""
    start, form, flags = unpack_from("<IBB", data, at)
    characters, paragraph = data[at + 24], data[at + 25]
    at += _LEVEL_BYTES + characters + paragraph
    length = unpack_from("<H", data, at)[0]
    text = data[at + 2 : at + 2 + 2 * length].decode("utf-16-le", "replace")
    label = "".join(f"%{ord(letter) + 1}" if ord(letter) < _LEVELS else letter for letter in text)
    parts = [value("start", start), value("numFmt", _FORMS.get(form, "decimal"))]
    parts += [value("pStyle", style)] if style != _NO_STYLE else []
    parts += ["<w:isLgl/>"] if flags & _LEGAL else []
    parts.append(value("lvlText", label))
    return f'<w:lvl w:ilvl="{level}">{"".join(parts)}</w:lvl>', at + 2 + 2 * length


def _numbers(data: bytes) -> Iterator[str]:
    """Yield the lists that paragraphs name, `w:num`: one for each override of an abstract list."""
    try:
        count = min(unpack_from("<I", data)[0], _MAX_LISTS)
        heads = [unpack_from("<I8xB", data, 4 + index * _OVERRIDE_BYTES) for index in range(count)]
        at = 4 + count * _OVERRIDE_BYTES
    except struct.error:
        return
    for index, (identity, levels) in enumerate(heads, 1):
        elements, at = _overrides(data, at, levels)
        yield f'<w:num w:numId="{index}">{value("abstractNumId", identity)}{elements}</w:num>'


def _overrides(data: bytes, at: int, count: int) -> tuple[str, int]:
    elements: list[str] = []
    try:
        at += 4
        for _ in range(min(count, _LEVELS)):
            start, flags = unpack_from("<II", data, at)
            at += 8
            level, content = flags & 0xF, ""
            if flags & _FORMATS:
                content, at = _level(data, at, level)
            elif flags & _STARTS:
                content = value("startOverride", start)
            elements.append(f'<w:lvlOverride w:ilvl="{level}">{content}</w:lvlOverride>')
    except (struct.error, IndexError):
        return "".join(elements), len(data)
    return "".join(elements), at
