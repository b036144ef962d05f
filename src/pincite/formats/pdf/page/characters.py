"""Characters of a page: where they stand and how they are set, asked of pdfium with as few calls as can be."""

import ctypes
import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.page import Handle, PdfPage
from pincite.formats.pdf.page.pdfium import ADDRESS, POINTER, address, columns, fast_binding
from pincite.formats.pdf.page.rectangles import Grid, displayed, spans

SOFT_BREAK = "\x02"
"""How pdfium gives a hyphen that breaks a word at the end of a line."""
UNKNOWN = "\ufffd"
"""A character without a Unicode value."""
BOLD_WEIGHT = 600
_BOLD_NAMES = re.compile(r"bold|black|heavy|demi|-medi|^(?:cm|sf|lm|ec)\w{0,3}bx")
_ITALIC_NAMES = re.compile(r"ital|obli|slanted|^(?:cm|sf|lm|ec)\w{0,3}(?:ti|sl)\d")
"""Also of fonts that TeX uses: CMBX10, SFTI1000, NimbusRomNo9L-Medi."""
_CONTROL = re.compile(r"[\x00\x01\x03-\x08\x0e-\x1f\x7f]")
_UNICODES = range(0x110000)
_SURROGATES = range(0xD800, 0xE000)

_BLACK = (0, 0, 0, 255)


class Style(NamedTuple):
    """What the characters of a word share; see `Word` (a named tuple: a page may have thousands).

    Attributes:
        seen: Whether it is painted at all.
        face: Address of pdfium's font; 0 for none.
    """

    size: float
    font: str
    bold: bool
    italic: bool
    colour: int
    mcid: int
    turns: int
    seen: bool
    face: int


_text_object = fast_binding(pdfium.FPDFText_GetTextObject, POINTER, ctypes.c_int, result=ADDRESS)
_loose_box = fast_binding(pdfium.FPDFText_GetLooseCharBox, POINTER, ctypes.c_int, POINTER)
_get_matrix = fast_binding(pdfium.FPDFText_GetMatrix, POINTER, ctypes.c_int, POINTER)
_font_size = fast_binding(pdfium.FPDFText_GetFontSize, POINTER, ctypes.c_int, result=ctypes.c_double)
_font = fast_binding(pdfium.FPDFTextObj_GetFont, POINTER, result=ADDRESS)
_render_mode = fast_binding(pdfium.FPDFTextObj_GetTextRenderMode, POINTER)
_mcid = fast_binding(pdfium.FPDFPageObj_GetMarkedContentID, POINTER)
_fill = fast_binding(pdfium.FPDFPageObj_GetFillColor, *[POINTER] * 5)


@dataclass(slots=True)
class Characters:
    """A page's characters, and what has been asked about them so far: for many at once, as each call has its cost.

    Attributes:
        text: The n-th is pdfium's n-th.
        edges: Left, top, right and bottom edges on the page as displayed, a row of each; loose boxes.
        gaps: Between a character and the next, in whichever direction they follow each other.
    """

    page: PdfPage
    text: str
    edges: Grid
    gaps: Grid
    _fonts: dict[int, tuple[str, bool, bool]] = field(default_factory=lambda: {0: ("", False, False)})
    _styles: dict[int, Style] = field(default_factory=dict[int, Style])

    def objects(self, indices: Sequence[int]) -> list[int]:
        """Addresses of the text objects of characters; 0 for none."""
        return list(map(_text_object, repeat(address(self.page.text)), indices))

    def styles(self, indices: Sequence[int], objects: Sequence[int]) -> list[Style]:
        """How characters are set, by their indices and text objects: as all of their object's characters."""
        known = self._styles
        keys = [item or ~index for index, item in zip(indices, objects, strict=True)]
        fresh = {key: index for key, index in zip(keys, indices, strict=True) if key not in known}
        if fresh:
            known.update(zip(fresh, self._asked(list(fresh.values()), [max(key, 0) for key in fresh]), strict=True))
        return [known[key] for key in keys]

    def alike(
        self, firsts: Sequence[int], lasts: Sequence[int], objects: Sequence[int], styles: Sequence[Style]
    ) -> list[bool]:
        """Whether the characters of words are set alike for certain: in one font at one height, marked as one.

        Args:
            firsts: The words' first characters.
            lasts: Their last ones.
            objects: The text objects of their first ones.
            styles: How those are set.
        """
        _, tops, _, bottoms = self.edges
        level = (tops[firsts] == tops[lasts]) & (bottoms[firsts] == bottoms[lasts])
        return [
            one == other or (one != 0 != other and same and _font(other) == style.face and _mcid(other) == style.mcid)
            for one, other, style, same in zip(objects, self.objects(lasts), styles, level.tolist(), strict=True)
        ]

    def widest(self, firsts: Sequence[int], lasts: Sequence[int]) -> list[float]:
        """The widest gap between two of the characters from each first to its last; 0 where there is none."""
        gaps = np.append(self.gaps, 0.0)
        gaps[lasts] = 0.0
        found: list[float] = np.maximum.reduceat(gaps, spans(firsts, lasts, gaps.size))[::2].tolist()
        return found

    def _asked(self, indices: Sequence[int], objects: Sequence[int]) -> Iterator[Style]:
        number, text = len(indices), address(self.page.text)
        matrices, colours = np.zeros((number, 6), np.float32), np.zeros((number, 4), np.uint32)
        deque(map(_get_matrix, repeat(text), indices, columns(matrices)[0]), maxlen=0)
        painted = np.fromiter(map(_fill, objects, *columns(colours)), np.bool_, number)
        colours[~painted] = _BLACK
        faces = list(map(_font, objects))
        for face in set(faces) - self._fonts.keys():
            self._fonts[face] = _font_facts(face)
        modes = np.fromiter(map(_render_mode, objects), np.int32, number)
        a, b, c, d = matrices.T[:4].astype(np.float64)
        red, green, blue, alpha = colours.T
        made: dict[tuple[Any, ...], Style] = {}
        for key in zip(
            faces,
            np.multiply(list(map(_font_size, repeat(text), indices)), np.hypot(c, d)).tolist(),
            (red << 16 | green << 8 | blue).tolist(),
            map(_mcid, objects),
            _turns(a, b, self.page.space.turns),
            ((alpha > 0) & (modes != pdfium.FPDF_TEXTRENDERMODE_INVISIBLE)).tolist(),
            strict=True,
        ):
            style = made.get(key)
            if style is None:
                face, size, colour, mcid, turns, seen = key
                style = Style(round(size, 1), *self._fonts[face], colour, mcid, turns, seen, face)
                made[key] = style
            yield style


def characters(page: PdfPage) -> Characters:
    """The characters of a page."""
    text = page_characters(page.text)
    boxes = np.zeros((len(text), 4), np.float32)
    deque(map(_loose_box, repeat(address(page.text)), range(len(text)), columns(boxes)[0]), maxlen=0)
    edges = displayed(boxes.astype(np.float64), page.space)
    x0, y0, x1, y1 = edges
    across = np.maximum(x0[1:] - x1[:-1], x0[:-1] - x1[1:])
    along = np.maximum(y0[1:] - y1[:-1], y0[:-1] - y1[1:])
    return Characters(page, text, edges, np.maximum(across, along))


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


def _turns(a: Grid, b: Grid, page_turns: int) -> list[int]:
    """Quarter turns clockwise on the page as displayed, of matrices and a page that is turned itself."""
    turned: list[int] = ((page_turns - np.rint(np.degrees(np.arctan2(b, a)) / 90).astype(np.int64)) % 4).tolist()
    return turned


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
