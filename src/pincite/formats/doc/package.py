"""A Word 97 document as the parts of a newer one, which the reader of Word documents reads."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from struct import unpack_from

from pincite.formats.doc.assemble import Related, assembled, comments_part, notes_part, story_part
from pincite.formats.doc.fib import Fib, Part
from pincite.formats.doc.fonts import read_fonts
from pincite.formats.doc.lists import numbering_part
from pincite.formats.doc.modifiers import Runs
from pincite.formats.doc.story import Formats, StoryWriter, box_markup, reference
from pincite.formats.doc.styles import read_styles, styles_part
from pincite.formats.doc.text import joined, read_text
from pincite.formats.ole.compound import CompoundFile
from pincite.formats.ole.pictures import Pictures
from pincite.model.call import Call
from pincite.text.xml_text import escaped

_NOTE_MARK_BYTES, _COMMENT_MARK_BYTES = 2, 30
_SHAPE_BYTES, _BOX_BYTES, _BOX_SHAPE_AT = 26, 22, 14
_SEPARATORS = 6
"""Texts before the first header: lines above notes."""
_MARGINS = ("header", "header", "footer", "footer", "header", "footer")
"""The texts of a section: of even, odd and first pages."""
_MAX_NOTES = 100_000
_MAX_MARGINS = 200


@dataclass(frozen=True, slots=True)
class Translated:
    """A document as a package of Office Open XML.

    Attributes:
        package: The bytes of the package.
        lost: Number of characters that the file should have and does not.
    """

    package: bytes
    lost: int


def translate(file: CompoundFile, fib: Fib, call: Call) -> Translated:
    """Return a document as a package of Office Open XML.

    Raises:
        InvalidInput: The text is damaged.
    """
    translation = _Translation(fib, Pictures(file.stream("Data") or b""), call)
    return Translated(translation.package(), translation.lost)


@dataclass(slots=True)
class _Boxes:
    """The text boxes of a document.

    Attributes:
        by_shape: Their texts, start and end, by the identity of their shape.
        shapes: The identity of the shape at a position of the text.
        written: The shapes whose text was written.
    """

    by_shape: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    shapes: dict[int, int] = field(default_factory=dict[int, int])
    written: set[int] = field(default_factory=set[int])


class _Translation:
    def __init__(self, fib: Fib, pictures: Pictures, call: Call) -> None:
        self._fib = fib
        self._pictures = pictures
        self._text = read_text(fib)
        self.lost = max(0, fib.stories.total - len(self._text.units))
        self._styles, self._fonts = read_styles(fib), read_fonts(fib)
        self._formats = Formats(
            Runs(fib.main, fib.part(Part.PARAGRAPH_PAGES), paragraphs=True, is_old=fib.is_old),
            Runs(fib.main, fib.part(Part.CHARACTER_PAGES), paragraphs=False, is_old=fib.is_old),
            self._styles,
            self._fonts,
        )
        self._boxes = _boxes(fib)
        self._footnotes = _marks(fib.part(Part.FOOTNOTE_MARKS), _NOTE_MARK_BYTES)
        self._endnotes = _marks(fib.part(Part.ENDNOTE_MARKS), _NOTE_MARK_BYTES)
        marks = {position: reference("footnote", index) for index, position in enumerate(self._footnotes)}
        marks |= {position: reference("endnote", index) for index, position in enumerate(self._endnotes)}
        picture = partial(picture_element, pictures)
        self._main = StoryWriter(self._text, self._formats, marks, self._box, picture, call)
        self._other = StoryWriter(self._text, self._formats, {}, _nothing, _nothing, call)

    def package(self) -> bytes:
        """Return the package of Office Open XML."""
        related = list(self._related())
        return assembled(self._body(), related, self._pictures.parts)

    def _body(self) -> str:
        stories = self._fib.stories
        body = self._main.write(0, stories.text)
        # Boxes in groups of shapes, and texts whose anchor is not known, follow the text.
        rest = (span for shape, span in self._boxes.by_shape.items() if shape not in self._boxes.written)
        body += "".join(self._other.write(*span) for span in rest)
        if stories.endnotes and not self._endnotes:
            start = stories.start("endnotes")
            body += self._other.write(start, start + stories.endnotes)
        if stories.footnotes and not self._footnotes:
            start = stories.start("footnotes")
            body += self._other.write(start, start + stories.footnotes)
        return body

    def _related(self) -> Iterator[Related]:
        yield Related("styles", styles_part(self._styles, self._fonts.names))
        numbering = numbering_part(self._fib)
        if numbering:
            yield Related("numbering", numbering)
        for kind, part in (("footnote", Part.FOOTNOTE_TEXTS), ("endnote", Part.ENDNOTE_TEXTS)):
            yield notes_part(kind, list(self._texts(part, f"{kind}s")))
        yield comments_part(list(self._comments()))
        yield from self._margins()

    def _comments(self) -> Iterator[tuple[str, str]]:
        marks = self._fib.part(Part.COMMENT_MARKS)
        start = 4 * (len(_marks(marks, _COMMENT_MARK_BYTES)) + 1)
        for index, text in enumerate(self._texts(Part.COMMENT_TEXTS, "comments")):
            yield escaped(_initials(marks[start + index * _COMMENT_MARK_BYTES :])), text

    def _margins(self) -> Iterator[Related]:
        spans = _bounds(self._fib.part(Part.MARGIN_TEXTS), 0)[_SEPARATORS : _SEPARATORS + _MAX_MARGINS]
        start = self._fib.stories.start("margins")
        for index, (first, last) in enumerate(spans):
            if last - first > 1:
                kind = _MARGINS[index % len(_MARGINS)]
                yield story_part(kind, self._other.write(start + first, start + min(last, self._fib.stories.margins)))

    def _texts(self, part: Part, story: str) -> Iterator[str]:
        """Yield the texts of a story that has one for each mark."""
        start, length = self._fib.stories.start(story), getattr(self._fib.stories, story)
        # The last text is an empty paragraph.
        for first, last in _bounds(self._fib.part(part), 0)[:-1]:
            yield self._other.write(start + first, start + min(last, length))

    def _box(self, position: int) -> str:
        shape = self._boxes.shapes.get(position)
        span = self._boxes.by_shape.get(shape) if shape is not None else None
        if shape is None or span is None or shape in self._boxes.written:
            return ""
        self._boxes.written.add(shape)
        return box_markup(self._other.write(*span))


def _nothing(_position: int) -> str:
    return ""


def _boxes(fib: Fib) -> _Boxes:
    boxes = _Boxes()
    start = fib.stories.start("boxes")
    data = fib.part(Part.BOX_TEXTS)
    bounds = _bounds(data, _BOX_BYTES)
    entries = 4 * (len(bounds) + 1)
    for index, (first, last) in enumerate(bounds):
        at = entries + index * _BOX_BYTES + _BOX_SHAPE_AT
        shape = int.from_bytes(data[at : at + 4], "little")
        if last - first > 1 and last <= fib.stories.boxes:
            boxes.by_shape.setdefault(shape, (start + first, start + last))
    shapes = fib.part(Part.SHAPES)
    positions = _marks(shapes, _SHAPE_BYTES)
    for index, position in enumerate(positions):
        at = 4 * (len(positions) + 1) + index * _SHAPE_BYTES
        boxes.shapes[position] = int.from_bytes(shapes[at : at + 4], "little")
    return boxes


def _positions(data: bytes, entry: int) -> tuple[int, ...]:
    """The positions at the start of a list, of which each but the last has an entry of some bytes behind them."""
    count = min(max(0, (len(data) - 4) // (4 + entry)), _MAX_NOTES)
    return unpack_from(f"<{count + 1}I", data) if count else ()


def _marks(data: bytes, entry: int) -> tuple[int, ...]:
    return _positions(data, entry)[:-1]


def _bounds(data: bytes, entry: int) -> list[tuple[int, int]]:
    """Start and end of each text."""
    return list(pairwise(_positions(data, entry)))


def _initials(data: bytes) -> str:
    length = int.from_bytes(data[:2], "little")
    return joined(data[2 : 2 + 2 * min(length, 9)].decode("utf-16-le", "replace"))


def picture_element(pictures: Pictures, offset: int) -> str:
    """Return the picture at an offset as an element that refers to its part by name; empty for none.

    See [MS-DOC] 2.9.192: PICFAndOfficeArtData.
    """
    head = pictures.data[offset : offset + 6]
    size, header = int.from_bytes(head[:4], "little"), int.from_bytes(head[4:], "little")
    name = pictures.add(offset + header, offset + size)
    return f'<w:pict><w:imagedata r:id="{name}"/></w:pict>' if name else ""
