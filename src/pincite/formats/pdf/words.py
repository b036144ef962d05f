"""Characters of a page, as words and lines."""

import ctypes
import math
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import NamedTuple

import numpy as np
import pypdfium2.raw as pdfium

from pincite.formats.pdf.page import Handle, PdfPage

WORD_GAP = 0.22
"""Gap in em from which two characters belong to two words (`measured`)."""
SOFT_BREAK = "\x02"
"""How pdfium gives a hyphen that breaks a word at the end of a line."""
BOLD_WEIGHT = 600
LEAST_SIZE = 2.0
"""Points below which nobody can read a character."""
RAISED = 0.8
"""A mark is smaller than its line by this factor."""
MARK_GAP = 0.7
"""A mark stands no further (em) behind its word."""
MOST_MARKS, LONGEST_MARK = 3, 5
_NO_WIDTH = 0.01
_AHEAD = 40
_NEAR = 1.0
_WITHIN = 0.7
_TALL = 2.0
"""A shape this many times as tall as its font's line is that of a damaged font."""
_SAME_SIZE = 0.15
_BOLD_NAMES = re.compile(r"bold|black|heavy|demi|-medi|^(?:cm|sf|lm|ec)\w{0,3}bx")
_ITALIC_NAMES = re.compile(r"ital|obli|slanted|^(?:cm|sf|lm|ec)\w{0,3}(?:ti|sl)\d")
"""Also of fonts that TeX uses: CMBX10, SFTI1000, NimbusRomNo9L-Medi."""
_TOKEN = re.compile(r"\S+")
_RTL = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
"""Hebrew, Arabic, Syriac, Thaana, N'Ko and their presentation forms."""
_UNICODES = range(0x110000)
_SURROGATES = range(0xD800, 0xE000)


Rectangle = tuple[float, float, float, float]
"""Left, top, right and bottom edge."""


class Word(NamedTuple):
    """A run of characters without white space (a named tuple: a page has a thousand of them).

    Attributes:
        text: Its characters; a soft hyphen at a line's end is `SOFT_BREAK`.
        x0: Left edge, in points from the top left of the page as displayed; by loose boxes.
        y0: Top edge.
        x1: Right edge.
        y1: Bottom edge.
        size: Effective font size in points.
        font: Base font name.
        bold: By the font's weight or name.
        italic: By the font's angle or name.
        colour: Fill colour, 0xRRGGBB.
        first: Index of its first character in pdfium's text page.
        last: Index of its last character.
        mcid: Marked-content id; -1 for none.
        turns: Quarter turns clockwise that its line of writing has on the page as displayed.
        object: Address of pdfium's text object of its first character; 0 for none.
        above: Where the shapes of its text object's characters begin, across its line of writing (y; x where it is
            turned): a box that is no taller holds nothing of the lines around it.
        below: Where they end.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    font: str
    bold: bool
    italic: bool
    colour: int
    first: int
    last: int
    mcid: int
    turns: int
    object: int
    above: float = -math.inf
    below: float = math.inf


@dataclass(frozen=True, slots=True)
class Line:
    """Words on one baseline, from left to right (right-to-left lines: in reading order).

    Attributes:
        words: At least one.
        x0: Left edge, as of `Word`.
        y0: Top edge.
        x1: Right edge.
        y1: Bottom edge.
        size: Font size of most of its characters.
    """

    words: tuple[Word, ...]
    x0: float
    y0: float
    x1: float
    y1: float
    size: float

    @property
    def text(self) -> str:
        """Its words, a space between two."""
        return " ".join(word.text for word in self.words)


@dataclass(slots=True)
class PageWords:
    """What stands on a page.

    Attributes:
        words: In pdfium's order.
        hidden: Words that nobody can see, in the same order.
        characters: Number of characters that are not white space, hidden ones too.
        unmapped: So many of them have no Unicode value.
    """

    words: list[Word] = field(default_factory=list[Word])
    hidden: list[Word] = field(default_factory=list[Word])
    characters: int = 0
    unmapped: int = 0


@dataclass(frozen=True, slots=True)
class _Style:
    """What the characters of a word share.

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


@dataclass(slots=True)
class _Source:
    """A page's characters, and what has been asked about them so far.

    Attributes:
        text: The n-th is pdfium's n-th.
        boxes: Left, top, right, bottom of every character, in the page's own space; loose boxes.
        gaps: Between a character and the next, in whichever direction they follow each other.
        fonts: Name, bold, italic, by the address of pdfium's font.
        shapes: Around the shapes of the characters of one text object after the other, on the page as displayed.
    """

    page: PdfPage
    handle: int
    text: str
    boxes: list[float]
    gaps: list[float]
    fonts: dict[int, tuple[str, bool, bool]]
    matrix: Handle
    colour: Handle
    shapes: list[Rectangle]
    shape: int = 0


def _bound(function: Handle, result: Handle, *arguments: Handle) -> Handle:
    """A function of pdfium's with plain addresses for pointers, for those that are called for every character."""
    return ctypes.CFUNCTYPE(result, *arguments)(ctypes.cast(function, ctypes.c_void_p).value or 0)


_text_object = _bound(pdfium.FPDFText_GetTextObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
_loose_box = _bound(pdfium.FPDFText_GetLooseCharBox, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
_matrix = _bound(pdfium.FPDFText_GetMatrix, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
_font_size = _bound(pdfium.FPDFText_GetFontSize, ctypes.c_double, ctypes.c_void_p, ctypes.c_int)
_font = _bound(pdfium.FPDFTextObj_GetFont, ctypes.c_void_p, ctypes.c_void_p)
_render_mode = _bound(pdfium.FPDFTextObj_GetTextRenderMode, ctypes.c_int, ctypes.c_void_p)
_mcid = _bound(pdfium.FPDFPageObj_GetMarkedContentID, ctypes.c_int, ctypes.c_void_p)
_fill = _bound(pdfium.FPDFPageObj_GetFillColor, ctypes.c_int, *[ctypes.c_void_p] * 5)


def page_words(page: PdfPage) -> PageWords:
    """The words of a page, in pdfium's order."""
    source = _source(page)
    made = PageWords()
    for token in _TOKEN.finditer(source.text):
        for first, last, style, address in _runs(source, token.start(), token.end() - 1):
            made.characters += last - first + 1
            word = _word(source, first, last, style, address)
            (made.words if style.seen and has_room(word) else made.hidden).append(word)
    made.unmapped = source.text.count("\0") + source.text.count("\ufffd")
    return made


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
            return whole
    # Characters beyond the basic plane count twice there, characters without a value not at all.
    return "".join(_character(pdfium.FPDFText_GetUnicode(text_page, index)) for index in range(count))


def lines_of(words: Iterable[Word]) -> list[Line]:
    """Words as lines, in the order in which the words come.

    A line ends where the next word does not stand on its baseline or stands left of it.
    """
    lines: list[Line] = []
    run: list[Word] = []
    for word in words:
        if run and not _same_line(run, word):
            lines.append(line_of(run))
            run = []
        run.append(word)
    if run:
        lines.append(line_of(run))
    return _with_marks(lines)


def visual_lines(words: Iterable[Word]) -> list[Line]:
    """Words as lines from top to bottom: all that stand on one baseline, from left to right, whatever their order.

    For tables. Words that are not upright on the page as displayed are left out.
    """
    rows: list[list[Word]] = []
    for word in sorted((word for word in words if not word.turns), key=lambda word: word.y0 + word.y1):
        fitting = next((row for row in rows[:-4:-1] if _on_baseline(row[0], word)), None)
        if fitting is None:
            rows.append([word])
        else:
            fitting.append(word)
    rows.sort(key=lambda row: min(word.y0 for word in row))
    return [line_of(sorted(row, key=lambda word: word.x0)) for row in rows]


def line_of(words: Sequence[Word]) -> Line:
    """A line of these words, as they come."""
    sizes: dict[float, int] = {}
    for word in words:
        sizes[word.size] = sizes.get(word.size, 0) + len(word.text)
    return Line(
        tuple(words),
        min(word.x0 for word in words),
        min(word.y0 for word in words),
        max(word.x1 for word in words),
        max(word.y1 for word in words),
        max(sizes, key=lambda size: sizes[size]),
    )


def is_rtl(word: Word) -> bool:
    """Whether a word has letters that are written from right to left."""
    return _RTL.search(word.text) is not None


def _character(code: int) -> str:
    return chr(code) if code in _UNICODES and code not in _SURROGATES else "\ufffd"


def _source(page: PdfPage) -> _Source:
    text = page_characters(page.text)
    handle = ctypes.cast(page.text, ctypes.c_void_p).value or 0
    buffer = (ctypes.c_float * (4 * len(text) + 4))()
    address = ctypes.addressof(buffer)
    every = range(address, address + 16 * len(text), 16)
    deque(map(_loose_box, repeat(handle), range(len(text)), every), maxlen=0)
    grid = np.frombuffer(bytes(buffer), np.float32).reshape(-1, 4)
    left, top, right, bottom = grid[:, 0], grid[:, 1], grid[:, 2], grid[:, 3]
    across = np.maximum(left[1:] - right[:-1], left[:-1] - right[1:])
    along = np.maximum(bottom[1:] - top[:-1], bottom[:-1] - top[1:])
    gaps = np.maximum(across, along).tolist()
    values, shapes = grid.ravel().tolist(), list(_shapes(page, len(text)))
    return _Source(page, handle, text, values, gaps, {}, pdfium.FS_MATRIX(), (ctypes.c_uint * 4)(), shapes)


def _shapes(page: PdfPage, count: int) -> Iterator[Rectangle]:
    """Around the shapes of characters that follow each other in one text object."""
    edges = [ctypes.c_double() for _ in range(4)]
    left, top, right, bottom = edges
    for index in range(max(0, pdfium.FPDFText_CountRects(page.text, 0, count))):
        pdfium.FPDFText_GetRect(page.text, index, *edges)
        yield page.place.rectangle(left.value, bottom.value, right.value, top.value)


def _extent(source: _Source, place: Rectangle, turns: int) -> tuple[float, float]:
    """From where to where the shapes of a word reach across its line; its own box where pdfium does not tell.

    Words and shapes come in the same order, so the search goes on where the word before was found.
    """
    x, y = (place[0] + place[2]) / 2, (place[1] + place[3]) / 2
    low, high = (place[0], place[2]) if turns % 2 else (place[1], place[3])
    for number in range(source.shape, min(source.shape + _AHEAD, len(source.shapes))):
        x0, y0, x1, y1 = source.shapes[number]
        start, end = (x0, x1) if turns % 2 else (y0, y1)
        along = y0 - _NEAR <= y <= y1 + _NEAR if turns % 2 else x0 - _NEAR <= x <= x1 + _NEAR
        if along and min(end, high) - max(start, low) >= _WITHIN * (end - start) > 0:
            source.shape = number
            return (start, end) if end - start < _TALL * (high - low) else (low, high)
    return low, high


def _runs(source: _Source, first: int, last: int) -> Iterator[tuple[int, int, _Style, int]]:
    """A token as runs of one style without a gap: mostly one. First, last, style, address of its text object.

    The styles of the first and the last character are compared; those between are looked at only where they differ.
    """
    address = _text_object(source.handle, first) or 0
    style = _style(source, first, address)
    end_address = address if first == last else _text_object(source.handle, last) or 0
    alike = end_address == address or _goes_on(style, _style(source, last, end_address))
    if alike and max(source.gaps[first:last], default=0.0) <= WORD_GAP * style.size:
        yield first, last, style, address
        return
    start = first
    for index in range(first + 1, last + 1):
        own_address = address if alike else _text_object(source.handle, index) or 0
        own = style if own_address == address else _style(source, index, own_address)
        if source.gaps[index - 1] > WORD_GAP * style.size or not _goes_on(style, own):
            yield start, index - 1, style, address
            start, style, address = index, own, own_address
    yield start, last, style, address


def _goes_on(style: _Style, other: _Style) -> bool:
    """Whether characters of two text objects may stand in one word."""
    if style is other:
        return True
    return (
        style.turns == other.turns
        and style.seen == other.seen
        and abs(style.size - other.size) <= _SAME_SIZE * max(style.size, other.size)
        and style.mcid == other.mcid
    )


def _word(source: _Source, first: int, last: int, style: _Style, address: int) -> Word:
    run = source.boxes[4 * first : 4 * last + 4]
    place = source.page.place.rectangle(min(run[::4]), min(run[3::4]), max(run[2::4]), max(run[1::4]))
    return Word(
        source.text[first : last + 1],
        *place,
        style.size,
        style.font,
        style.bold,
        style.italic,
        style.colour,
        first,
        last,
        style.mcid,
        style.turns,
        address,
        *_extent(source, place, style.turns),
    )


def has_room(word: Word) -> bool:
    """Whether a word is large enough to be seen."""
    return word.size >= LEAST_SIZE and max(word.x1 - word.x0, word.y1 - word.y0) > _NO_WIDTH * word.size


def _style(source: _Source, index: int, address: int) -> _Style:
    matrix = source.matrix
    _matrix(source.handle, index, ctypes.addressof(matrix))
    a, b, c, d = matrix.a, matrix.b, matrix.c, matrix.d
    size = round(_font_size(source.handle, index) * math.hypot(c, d), 1)
    upright = b == 0 and a > 0
    turns = source.page.place.turns if upright else _turns(a, b, source.page.place.turns)
    if not address:
        return _Style(size, "", bold=False, italic=False, colour=0, mcid=-1, turns=turns, seen=True)
    font = _font(address) or 0
    if font not in source.fonts:
        source.fonts[font] = _font_facts(font)
    name, bold, italic = source.fonts[font]
    colour = source.colour
    at = ctypes.addressof(colour)
    painted = _fill(address, at, at + 4, at + 8, at + 12)
    red, green, blue, alpha = colour if painted else (0, 0, 0, 255)
    seen = alpha > 0 and _render_mode(address) != pdfium.FPDF_TEXTRENDERMODE_INVISIBLE
    return _Style(size, name, bold, italic, red << 16 | green << 8 | blue, _mcid(address), turns, seen)


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


def _with_marks(lines: list[Line]) -> list[Line]:
    """Lines with the raised marks (`®`, `(1)`) that the file has apart from them."""
    marks = [line for line in lines if len(line.words) <= MOST_MARKS and _is_short(line)]
    if not marks:
        return lines
    joined: dict[int, list[Word]] = {}
    gone: set[int] = set()
    for mark in marks:
        home = next((number for number, line in enumerate(lines) if _is_home(line, mark)), None)
        if home is not None:
            joined.setdefault(home, []).extend(mark.words)
            gone.add(mark.words[0].first)
    made: list[Line] = []
    for number, line in enumerate(lines):
        if line.words[0].first in gone:
            continue
        more = joined.get(number)
        made.append(line_of(sorted((*line.words, *more), key=lambda word: word.x0)) if more else line)
    return made


def _is_short(line: Line) -> bool:
    return all(len(word.text) <= LONGEST_MARK for word in line.words)


def _is_home(line: Line, mark: Line) -> bool:
    """Whether a mark stands raised behind a word of a line."""
    if mark.size > RAISED * line.size or not _on_baseline(line.words[0], mark.words[0]):
        return False
    place = mark.words[0].x0
    return any(-0.2 * line.size <= place - word.x1 <= MARK_GAP * line.size for word in line.words)


def _same_line(run: list[Word], word: Word) -> bool:
    last = run[-1]
    if last.turns != word.turns or not _on_baseline(last, word):
        return False
    return word.x0 >= last.x0 or is_rtl(last) or is_rtl(word)


def _on_baseline(last: Word, word: Word) -> bool:
    overlap = min(last.y1, word.y1) - max(last.y0, word.y0)
    lower = min(last.y1 - last.y0, word.y1 - word.y0)
    return overlap > lower / 2
