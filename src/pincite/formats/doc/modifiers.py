"""Property modifiers ([MS-DOC] 2.6: "sprms"): what a format changes, and where the file keeps it for each character."""

import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from struct import unpack_from

_PAGE_BYTES = 512
_SIZES = (1, 1, 2, 4, 2, 2, 0, 3)
"""Bytes of an operand by the upper three bits of its code; 0: the first byte of the operand is its length."""
_NO_SIZE = 0xFF


class Code(IntEnum):
    """Codes of the modifiers that are read."""

    DELETED = 0x0800
    BOLD = 0x0835
    ITALIC = 0x0836
    CAPS = 0x083B
    HIDDEN = 0x083C
    SPECIAL = 0x0855
    SYMBOL = 0x6A09
    PICTURE = 0x6A03
    OBJECT = 0x080A
    CHARACTER_STYLE = 0x4A30
    SCRIPT = 0x2A48
    SIZE = 0x4A43
    FONT = 0x4A4F
    COLOUR = 0x6870
    COLOUR_INDEX = 0x2A42
    HIGHLIGHT = 0x2A0C
    SHADING = 0xCA71
    OLD_SHADING = 0x4866
    STYLE = 0x4600
    LIST_LEVEL = 0x260A
    LIST = 0x460B
    OUTLINE = 0x2640
    IN_TABLE = 0x2416
    ROW_END = 0x2417
    DEPTH = 0x6649
    INNER_CELL_END = 0x244B
    INNER_ROW_END = 0x244C
    PARAGRAPH_SHADING = 0xC64D
    OLD_PARAGRAPH_SHADING = 0x442D
    CELLS = 0xD608
    HEADER_ROW = 0x3404
    CELL_SHADING = 0xD612
    OLD_CELL_SHADING = 0xD609


_TABS = 0xC615
_LONG_OPERANDS = frozenset({Code.CELLS, 0xD606})
"""Operands whose length takes two bytes and counts one byte more than follow."""

_OLD_CODES = {
    13: Code.LIST_LEVEL, 24: Code.IN_TABLE, 25: Code.ROW_END, 65: Code.DELETED, 85: Code.BOLD, 86: Code.ITALIC,
    91: Code.CAPS, 92: Code.HIDDEN, 93: Code.FONT, 99: Code.SIZE, 104: Code.SCRIPT, 117: Code.SPECIAL, 190: Code.CELLS,
}  # fmt: skip
"""Modifiers of Word 6 by their codes of one byte."""
_OLD_SIZES = {
    **dict.fromkeys((*range(4, 12), 13, 14, 24, 25, 29, 37, 44, 50, 51, *range(65, 68), 71, 75), 1),
    **dict.fromkeys((*range(85, 93), 94, 98, 100, 102, 104, 117, 118), 1),
    **dict.fromkeys((2, *range(16, 20), 21, 22, *range(26, 29), *range(30, 37), *range(38, 44), *range(45, 50)), 2),
    **dict.fromkeys((69, 72, 80, 93, 96, 97, 99, 101, 107, 109, 110), 2),
    **dict.fromkeys((73, 95), 3),
    **dict.fromkeys((20, 70), 4),
    83: 0,
    **dict.fromkeys((3, 12, 15, 23, 52, 68, 74, 81, 82, 103, 105, 106, 108, 187, 188, 190, 191), _NO_SIZE),
}
"""Bytes of their operands; `_NO_SIZE`: the first byte of the operand is its length."""
_OLD_CELLS = 190

Modifiers = dict[int, bytes]
"""The operand of each modifier by its code; of two of the same code the last."""


def modifiers(data: bytes, *, is_old: bool = False) -> Modifiers:
    """Return the modifiers of a list; what follows a damaged one is left out."""
    try:
        return dict(_old_list(data) if is_old else _list(data))
    except (IndexError, struct.error):
        return {}


def _list(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at + 2 < len(data):
        code: int = unpack_from("<H", data, at)[0]
        at += 2
        size = _SIZES[code >> 13]
        if code in _LONG_OPERANDS:
            size = unpack_from("<H", data, at)[0] - 1
            at += 2
        elif not size:
            size = data[at]
            at += 1
            # Such a list of tabs is longer than its length says; tabs are of no interest here.
            if code == _TABS and size == _NO_SIZE:
                return
        if size < 0:
            return
        yield code, data[at : at + size]
        at += size


def _old_list(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at < len(data):
        code = data[at]
        at += 1
        size = _OLD_SIZES.get(code, -1)
        if code == _OLD_CELLS:
            size = unpack_from("<H", data, at)[0] - 1
            at += 2
        elif size == _NO_SIZE:
            size = data[at]
            at += 1
        if size < 0:
            return
        if code in _OLD_CODES:
            yield _OLD_CODES[code], data[at : at + size]
        at += size


@dataclass(frozen=True, slots=True)
class Run:
    """Bytes of the main stream with the same format.

    Attributes:
        start: Offset of the first.
        end: One past the last.
        style: Index of the paragraph's style; 0 in runs of characters.
        changes: The modifiers.
    """

    start: int
    end: int
    style: int
    changes: Modifiers


class Runs:
    """The runs of paragraphs or characters, by offset; read from pages of 512 bytes when first needed."""

    def __init__(self, main: bytes, table: bytes, *, paragraphs: bool, is_old: bool) -> None:
        self._main = main
        self._paragraphs = paragraphs
        self._is_old = is_old
        width = 2 if is_old else 4
        count = max(0, (len(table) - 4) // (4 + width))
        self._starts: list[int] = list(unpack_from(f"<{count}I", table)) if count else []
        numbers = table[4 * (count + 1) : 4 * (count + 1) + width * count]
        self._pages = list(unpack_from(f"<{count}{'H' if is_old else 'I'}", numbers)) if count else []
        self._read: dict[int, list[Run]] = {}

    def at(self, offset: int) -> Run | None:
        """Return the run that contains a byte, or None."""
        index = bisect_right(self._starts, offset) - 1
        if index < 0:
            return None
        runs = self._page(self._pages[index] & 0x3FFFFF)
        position = bisect_right(runs, offset, key=lambda run: run.start) - 1
        return runs[position] if position >= 0 and offset < runs[position].end else None

    def _page(self, number: int) -> list[Run]:
        if number not in self._read:
            page = self._main[number * _PAGE_BYTES : (number + 1) * _PAGE_BYTES]
            self._read[number] = list(self._runs(page)) if len(page) == _PAGE_BYTES else []
        return self._read[number]

    def _runs(self, page: bytes) -> Iterator[Run]:
        count = page[-1]
        # A paragraph's entry has its height behind the offset of its modifiers.
        entry = (7 if self._is_old else 13) if self._paragraphs else 1
        if 4 * (count + 1) + entry * count > _PAGE_BYTES:
            return
        bounds = unpack_from(f"<{count + 1}I", page)
        for index, (start, end) in enumerate(pairwise(bounds)):
            offset = 2 * page[4 * (count + 1) + entry * index]
            style, data = self._changes(page, offset) if offset else (0, b"")
            yield Run(start, end, style, modifiers(data, is_old=self._is_old))

    def _changes(self, page: bytes, offset: int) -> tuple[int, bytes]:
        size, at = page[offset], offset + 1
        if not self._paragraphs:
            return 0, page[at : at + size]
        if size == 0 and not self._is_old:
            size, at = 2 * page[at], at + 1
        else:
            size = 2 * size - (0 if self._is_old else 1)
        return int.from_bytes(page[at : at + 2], "little"), page[at + 2 : at + size]
