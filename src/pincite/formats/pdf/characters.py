"""Characters of a page: where they stand and how they are set, asked of pdfium with as few calls as can be."""

import ctypes
import math
import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium

from pincite.formats.pdf.page import Handle, PdfPage, Place

SOFT_BREAK = "\x02"
"""How pdfium gives a hyphen that breaks a word at the end of a line."""
UNKNOWN = "\ufffd"
"""A character without a Unicode value."""
BOLD_WEIGHT = 600
_AHEAD = 40
_NEAR = 1.0
_WITHIN = 0.7
_TALL = 2.0
"""A shape this many times as tall as its font's line is that of a damaged font."""
_BOLD_NAMES = re.compile(r"bold|black|heavy|demi|-medi|^(?:cm|sf|lm|ec)\w{0,3}bx")
_ITALIC_NAMES = re.compile(r"ital|obli|slanted|^(?:cm|sf|lm|ec)\w{0,3}(?:ti|sl)\d")
"""Also of fonts that TeX uses: CMBX10, SFTI1000, NimbusRomNo9L-Medi."""
_CONTROL = re.compile(r"[\x00\x01\x03-\x08\x0e-\x1f\x7f]")
_UNICODES = range(0x110000)
_SURROGATES = range(0xD800, 0xE000)

Rectangle = tuple[float, float, float, float]
"""Left, top, right and bottom edge."""


@dataclass(frozen=True, slots=True)
class Style:
    """What the characters of a word share; see `Word`.

    Attributes:
        seen: Whether it is painted at all.
    """

    size: float
    font: str
    bold: bool
    italic: bool
    colour: int
    mcid: int
    turns: int
    seen: bool


def _bound(function: Handle, result: Handle, *arguments: Handle) -> Callable[..., Any]:
    """A function of pdfium's with plain addresses for pointers, for those that are called for every character."""
    return ctypes.CFUNCTYPE(result, *arguments)(ctypes.cast(function, ctypes.c_void_p).value or 0)


_text_object = _bound(pdfium.FPDFText_GetTextObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
_loose_box = _bound(pdfium.FPDFText_GetLooseCharBox, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
_get_matrix = _bound(pdfium.FPDFText_GetMatrix, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
_font_size = _bound(pdfium.FPDFText_GetFontSize, ctypes.c_double, ctypes.c_void_p, ctypes.c_int)
_font = _bound(pdfium.FPDFTextObj_GetFont, ctypes.c_void_p, ctypes.c_void_p)
_render_mode = _bound(pdfium.FPDFTextObj_GetTextRenderMode, ctypes.c_int, ctypes.c_void_p)
_mcid = _bound(pdfium.FPDFPageObj_GetMarkedContentID, ctypes.c_int, ctypes.c_void_p)
_fill = _bound(pdfium.FPDFPageObj_GetFillColor, ctypes.c_int, *[ctypes.c_void_p] * 5)
_rectangle = _bound(pdfium.FPDFText_GetRect, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, *[ctypes.c_void_p] * 4)


@dataclass(slots=True)
class Characters:
    """A page's characters, and what has been asked about them so far.

    Attributes:
        text: The n-th is pdfium's n-th.
        x0: Left edges on the page as displayed; loose boxes.
        y0: Top edges.
        x1: Right edges.
        y1: Bottom edges.
        gaps: Between a character and the next, in whichever direction they follow each other.
        shapes: Around the shapes of the characters of one text object after the other, on the page as displayed.
    """

    page: PdfPage
    handle: int
    text: str
    x0: list[float]
    y0: list[float]
    x1: list[float]
    y1: list[float]
    gaps: list[float]
    shapes: list[Rectangle]
    _shape: int = 0
    _fonts: dict[int, tuple[str, bool, bool]] = field(default_factory=dict[int, tuple[str, bool, bool]])
    _styles: dict[int, Style] = field(default_factory=dict[int, Style])
    _matrix: Handle = field(default_factory=pdfium.FS_MATRIX)
    _colour: Handle = field(default_factory=ctypes.c_uint * 4)

    def object_of(self, index: int) -> int:
        """Address of the text object of a character; 0 for none."""
        return _text_object(self.handle, index) or 0

    def alike(self, index: int, address: int, other: int, other_address: int) -> bool:
        """Whether two characters of one word are set alike for certain: in one font at one height, marked as one."""
        if address == other_address:
            return True
        if not address or not other_address or self.y0[index] != self.y0[other] or self.y1[index] != self.y1[other]:
            return False
        return _font(address) == _font(other_address) and _mcid(address) == _mcid(other_address)

    def style(self, index: int, address: int) -> Style:
        """How a character of a text object is set: as all of that object's characters."""
        if not address:
            return self._asked(index, address)
        known = self._styles.get(address)
        if known is None:
            known = self._styles[address] = self._asked(index, address)
        return known

    def _asked(self, index: int, address: int) -> Style:
        matrix = self._matrix
        _get_matrix(self.handle, index, ctypes.addressof(matrix))
        a, b, c, d = matrix.a, matrix.b, matrix.c, matrix.d
        size = round(_font_size(self.handle, index) * math.hypot(c, d), 1)
        page_turns = self.page.place.turns
        turns = page_turns if b == 0 and a > 0 else _turns(a, b, page_turns)
        if not address:
            return Style(size, "", bold=False, italic=False, colour=0, mcid=-1, turns=turns, seen=True)
        font = _font(address) or 0
        if font not in self._fonts:
            self._fonts[font] = _font_facts(font)
        name, bold, italic = self._fonts[font]
        at = ctypes.addressof(self._colour)
        painted = _fill(address, at, at + 4, at + 8, at + 12)
        red, green, blue, alpha = self._colour if painted else (0, 0, 0, 255)
        seen = alpha > 0 and _render_mode(address) != pdfium.FPDF_TEXTRENDERMODE_INVISIBLE
        return Style(size, name, bold, italic, red << 16 | green << 8 | blue, _mcid(address), turns, seen)

    def extent(self, place: Rectangle, turns: int) -> tuple[float, float]:
        """From where to where the shapes of a word reach across its line; its own box where pdfium does not tell.

        Words and shapes come in the same order, so the search goes on where the word before was found.
        """
        x, y = (place[0] + place[2]) / 2, (place[1] + place[3]) / 2
        low, high = (place[0], place[2]) if turns % 2 else (place[1], place[3])
        for number in range(self._shape, min(self._shape + _AHEAD, len(self.shapes))):
            x0, y0, x1, y1 = self.shapes[number]
            start, end = (x0, x1) if turns % 2 else (y0, y1)
            along = y0 - _NEAR <= y <= y1 + _NEAR if turns % 2 else x0 - _NEAR <= x <= x1 + _NEAR
            if along and min(end, high) - max(start, low) >= _WITHIN * (end - start) > 0:
                self._shape = number
                return (start, end) if end - start < _TALL * (high - low) else (low, high)
        return low, high


def characters(page: PdfPage) -> Characters:
    """The characters of a page."""
    text = page_characters(page.text)
    handle = ctypes.cast(page.text, ctypes.c_void_p).value or 0
    count = len(text)
    buffer = (ctypes.c_float * (4 * count + 4))()
    address = ctypes.addressof(buffer)
    deque(map(_loose_box, repeat(handle), range(count), range(address, address + 16 * count, 16)), maxlen=0)
    boxes = _displayed(
        np.frombuffer(bytes(buffer), np.float32)[: 4 * count].reshape(-1, 4).astype(np.float64), page.place
    )
    x0, y0, x1, y1 = boxes
    across = np.maximum(x0[1:] - x1[:-1], x0[:-1] - x1[1:])
    along = np.maximum(y0[1:] - y1[:-1], y0[:-1] - y1[1:])
    gaps = np.maximum(across, along).tolist()
    edges: list[list[float]] = boxes.tolist()
    return Characters(page, handle, text, edges[0], edges[1], edges[2], edges[3], gaps, _shapes(page, handle, count))


def page_characters(text_page: Handle) -> str:
    """The characters of a text page: the n-th of the string is pdfium's n-th."""
    count = pdfium.FPDFText_CountChars(text_page)
    if count <= 0:
        return ""
    buffer = (ctypes.c_ushort * (count * 2 + 2))()
    written = pdfium.FPDFText_GetText(text_page, 0, count, buffer) - 1
    if written == count:
        whole = bytes(buffer)[: written * 2].decode("utf-16-le", "replace").replace("\ufffe", SOFT_BREAK)
        if len(whole) == count:
            return _CONTROL.sub(UNKNOWN, whole)
    # Characters beyond the basic plane count twice there, characters without a value not at all.
    found = (_character(pdfium.FPDFText_GetUnicode(text_page, index)) for index in range(count))
    return _CONTROL.sub(UNKNOWN, "".join(found))


def _character(code: int) -> str:
    return chr(code) if code in _UNICODES and code not in _SURROGATES else UNKNOWN


def _shapes(page: PdfPage, handle: int, count: int) -> list[Rectangle]:
    """Around the shapes of characters that follow each other in one text object."""
    number = max(0, pdfium.FPDFText_CountRects(page.text, 0, count))
    buffer = (ctypes.c_double * (4 * number + 4))()
    at, size = ctypes.addressof(buffer), 32 * number
    edges = [range(at + offset, at + offset + size, 32) for offset in (0, 8, 16, 24)]
    deque(map(_rectangle, repeat(handle), range(number), *edges), maxlen=0)
    boxes = _displayed(np.frombuffer(bytes(buffer), np.float64)[: 4 * number].reshape(-1, 4), page.place)
    return list(zip(*(edge.tolist() for edge in boxes), strict=True))


def _displayed(grid: "np.ndarray[Any, np.dtype[np.float64]]", place: Place) -> "np.ndarray[Any, np.dtype[np.float64]]":
    """Rows of left, top, right, bottom in the page's space: x0, y0, x1, y1 of all of them on the page as displayed."""
    left, top, right, bottom = grid.T
    match place.turns:
        case 0:
            edges = left - place.left, place.top - top, right - place.left, place.top - bottom
        case 1:
            edges = bottom - place.bottom, left - place.left, top - place.bottom, right - place.left
        case 2:
            edges = place.right - right, bottom - place.bottom, place.right - left, top - place.bottom
        case _:
            edges = place.top - top, place.right - right, place.top - bottom, place.right - left
    x0, y0, x1, y1 = edges
    return np.array([np.minimum(x0, x1), np.minimum(y0, y1), np.maximum(x0, x1), np.maximum(y0, y1)])


def _turns(a: float, b: float, page_turns: int) -> int:
    """Quarter turns clockwise on the page as displayed, of a matrix and a page that is turned itself."""
    return (-round(math.degrees(math.atan2(b, a)) / 90) + page_turns) % 4


def _font_facts(font: int) -> tuple[str, bool, bool]:
    """Name, bold, italic."""
    handle = ctypes.cast(font, pdfium.FPDF_FONT)
    name = _font_name(handle)
    lower = name.lower()
    angle = ctypes.c_int()
    pdfium.FPDFFont_GetItalicAngle(handle, ctypes.byref(angle))
    bold = pdfium.FPDFFont_GetWeight(handle) >= BOLD_WEIGHT or _BOLD_NAMES.search(lower) is not None
    return name, bold, bool(angle.value) or _ITALIC_NAMES.search(lower) is not None


def _font_name(font: Handle) -> str:
    buffer = ctypes.create_string_buffer(128)
    length = pdfium.FPDFFont_GetBaseFontName(font, buffer, len(buffer))
    name = buffer.raw[: max(0, min(length, len(buffer)) - 1)].decode("utf-8", "replace")
    return name[7:] if name[6:7] == "+" else name
