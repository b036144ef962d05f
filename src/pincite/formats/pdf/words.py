"""Characters of a page, as words and lines."""

import ctypes
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import pypdfium2.raw as pdfium

from pincite.formats.pdf.page import Handle, PdfPage, Place

WORD_GAP = 0.22
"""Gap in em from which two characters belong to two words (`measured`)."""
SOFT_BREAK = "\x02"
"""How pdfium gives a hyphen that breaks a word at the end of a line."""
BOLD_WEIGHT = 600
_RAISED = 0.85
_SAME_SIZE = 0.15


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
    """What the characters of a text object share."""

    size: float
    font: str
    bold: bool
    italic: bool
    colour: int
    mcid: int
    turns: int
    object: int
    visible: bool


_NO_STYLE = _Style(0.0, "", bold=False, italic=False, colour=0, mcid=-1, turns=0, object=0, visible=True)
# pdfium's functions once more, with plain addresses for pointers: these two are called for every character.
_text_object = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)(
    ctypes.cast(pdfium.FPDFText_GetTextObject, ctypes.c_void_p).value or 0
)
_loose_box = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)(
    ctypes.cast(pdfium.FPDFText_GetLooseCharBox, ctypes.c_void_p).value or 0
)


def page_words(page: PdfPage) -> PageWords:
    """The words of a page, in pdfium's order."""
    text = page_characters(page.text)
    made = PageWords()
    boxes = _boxes(page, len(text))
    styles: dict[int, _Style] = {}
    handle = ctypes.cast(page.text, ctypes.c_void_p).value
    run: list[int] = []
    style = _NO_STYLE
    previous = 0
    for index, character in enumerate(text):
        if character.isspace():
            _end(made, page.place, text, boxes, run, style)
            continue
        made.characters += 1
        if character in "\0\ufffd":
            made.unmapped += 1
        address = _text_object(handle, index) or 0
        if address not in styles:
            styles[address] = _style(page, index, address)
        own = styles[address]
        if run and not (_goes_on(style, own) and _gap(boxes, previous, index) <= WORD_GAP * own.size):
            _end(made, page.place, text, boxes, run, style)
        if not run:
            style = own
        run.append(index)
        previous = index
    _end(made, page.place, text, boxes, run, style)
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
    return lines


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


def _character(code: int) -> str:
    return chr(code) if 0 <= code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def _boxes(page: PdfPage, count: int) -> "ctypes.Array[ctypes.c_float]":
    """Left, top, right, bottom of every character, in the page's own space; loose boxes."""
    boxes = (ctypes.c_float * (4 * count + 4))()
    handle = ctypes.cast(page.text, ctypes.c_void_p).value
    address = ctypes.addressof(boxes)
    for index in range(count):
        _loose_box(handle, index, address + 16 * index)
    return boxes


def _goes_on(style: _Style, other: _Style) -> bool:
    """Whether characters of two text objects may stand in one word."""
    if style is other:
        return True
    return (
        style.turns == other.turns
        and style.visible == other.visible
        and abs(style.size - other.size) <= _SAME_SIZE * max(style.size, other.size)
        and style.mcid == other.mcid
    )


def _gap(boxes: "ctypes.Array[ctypes.c_float]", index: int, other: int) -> float:
    """Between two characters, in whichever direction they follow each other, in points; negative: they overlap."""
    a, b = 4 * index, 4 * other
    across = max(boxes[b] - boxes[a + 2], boxes[a] - boxes[b + 2])
    along = max(boxes[b + 3] - boxes[a + 1], boxes[a + 3] - boxes[b + 1])
    return max(across, along)


def _end(
    made: PageWords, place: Place, text: str, boxes: "ctypes.Array[ctypes.c_float]", run: list[int], style: _Style
) -> None:
    """Close a run of characters as a word."""
    if not run:
        return
    first, last = run[0], run[-1]
    left = min(boxes[index * 4] for index in run)
    top = max(boxes[index * 4 + 1] for index in run)
    right = max(boxes[index * 4 + 2] for index in run)
    bottom = min(boxes[index * 4 + 3] for index in run)
    x0, y0, x1, y1 = place.rectangle(left, bottom, right, top)
    word = Word(
        text[first : last + 1],
        x0,
        y0,
        x1,
        y1,
        style.size,
        style.font,
        style.bold,
        style.italic,
        style.colour,
        first,
        last,
        style.mcid,
        style.turns,
        style.object,
    )
    (made.words if style.visible else made.hidden).append(word)
    run.clear()


def _style(page: PdfPage, index: int, address: int) -> _Style:
    """What the characters of a text object share, asked once."""
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(page.text, index, ctypes.byref(matrix))
    size = pdfium.FPDFText_GetFontSize(page.text, index) * math.hypot(matrix.c, matrix.d)
    turns = (-round(math.degrees(math.atan2(matrix.b, matrix.a)) / 90) + page.place.turns) % 4
    if not address:
        return _Style(
            round(size, 1), "", bold=False, italic=False, colour=0, mcid=-1, turns=turns, object=0, visible=True
        )
    handle = ctypes.cast(address, pdfium.FPDF_PAGEOBJECT)
    font = pdfium.FPDFTextObj_GetFont(handle)
    name = _font_name(font)
    lower = name.lower()
    angle = ctypes.c_int()
    pdfium.FPDFFont_GetItalicAngle(font, ctypes.byref(angle))
    mode = pdfium.FPDFTextObj_GetTextRenderMode(handle)
    return _Style(
        size=round(size, 1),
        font=name,
        bold=pdfium.FPDFFont_GetWeight(font) >= BOLD_WEIGHT or "bold" in lower or "black" in lower,
        italic=bool(angle.value) or "italic" in lower or "oblique" in lower,
        colour=_colour(handle),
        mcid=pdfium.FPDFPageObj_GetMarkedContentID(handle),
        turns=turns,
        object=address,
        visible=mode != pdfium.FPDF_TEXTRENDERMODE_INVISIBLE,
    )


def _font_name(font: Handle) -> str:
    buffer = ctypes.create_string_buffer(128)
    length = pdfium.FPDFFont_GetBaseFontName(font, buffer, len(buffer))
    name = buffer.raw[: max(0, min(length, len(buffer)) - 1)].decode("utf-8", "replace")
    return name[7:] if name[6:7] == "+" else name


def _colour(handle: Handle) -> int:
    parts = [ctypes.c_uint() for _ in range(4)]
    if not pdfium.FPDFPageObj_GetFillColor(handle, *(ctypes.byref(part) for part in parts)):
        return 0
    return parts[0].value << 16 | parts[1].value << 8 | parts[2].value


def _same_line(run: list[Word], word: Word) -> bool:
    last = run[-1]
    return last.turns == word.turns and word.x0 >= last.x0 and _on_baseline(last, word)


def _on_baseline(last: Word, word: Word) -> bool:
    overlap = min(last.y1, word.y1) - max(last.y0, word.y0)
    lower = min(last.y1 - last.y0, word.y1 - word.y0)
    return overlap > lower / 2
