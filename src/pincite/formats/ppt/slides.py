"""Slides of a presentation as PresentationML: shapes with their text and position, tables, notes."""

import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from struct import unpack_from

from pincite.formats.ppt.records import Kind, Record
from pincite.formats.ppt.text import TITLES, Text, body_markup, texts
from pincite.text.xml_text import escaped

NAMESPACES = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
_EMU_PER_UNIT = 914_400 // 576
_PLACEHOLDERS = {7: "dt", 8: "sldNum", 9: "ftr", 10: "hdr", 13: "title", 15: "ctrTitle", 16: "subTitle"}
"""Types of placeholders without text; a text's type tells its placeholder's."""
_HIDDEN_SLIDE = 0x4
_TABLE, _ALTERNATIVE, _PICTURE = 0x39F, 0x381, 0x104
"""Properties of shapes: that a group is a table, an alternative text, and the number of a picture."""
_MAX_DEPTH = 40
_MAX_COLUMNS = 200
_OBJECT = "<a:graphic><a:graphicData><p:oleObj/></a:graphicData></a:graphic>"

Rectangle = tuple[int, int, int, int]
"""Left, top, right, bottom, in 576ths of an inch."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """A shape.

    Attributes:
        text: Its text, or None.
        rectangle: Its position; None if unknown.
        placeholder: The type of the placeholder that it is; empty for none.
        alternative: Its alternative text.
        is_object: True if it shows an embedded document or chart.
        picture: The number of the picture that it shows; 0 for none.
    """

    text: Text | None
    rectangle: Rectangle | None
    placeholder: str
    alternative: str
    is_object: bool = False
    picture: int = 0


def slide_markup(slide: Record, outline: Sequence[Text], picture: Callable[[int], str]) -> str:
    """Return a slide as `p:sld`.

    Args:
        slide: The record of the slide.
        outline: Its texts that the document's list has, which its shapes refer to by number.
        picture: Returns the name of a picture by its number; empty for none.
    """
    drawing = slide.first(Kind.DRAWING)
    used: set[int] = set()
    shapes = "".join(_markup(shape, picture) for shape in _tree(drawing, outline, used, 0)) if drawing else ""
    # The drawing is damaged if texts of the list have no shape.
    rest = (text for index, text in enumerate(outline) if index not in used and text.letters.strip())
    shapes += "".join(_shape(_Shape(text, None, "", ""), "") for text in rest)
    show = slide.first(Kind.SHOW)
    hidden = show is not None and int.from_bytes(show.data[10:12], "little") & _HIDDEN_SLIDE
    return f'<p:sld {NAMESPACES} show="{0 if hidden else 1}"><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>'


def notes_markup(notes: Record) -> str:
    """Return the notes of a slide as `p:notes`."""
    drawing = notes.first(Kind.DRAWING)
    shapes = "".join(_markup(shape, _no_picture) for shape in _tree(drawing, (), set(), 0)) if drawing else ""
    return f"<p:notes {NAMESPACES}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:notes>"


def _no_picture(_index: int) -> str:
    return ""


def _tree(parent: Record, outline: Sequence[Text], used: set[int], depth: int) -> Iterator[_Shape | list[_Shape]]:
    """Yield the shapes; the cells of a table as a list."""
    for child in parent.children():
        if child.kind == Kind.SHAPE:
            yield _read(child, outline, used)
        elif child.kind == Kind.SHAPE_GROUP and _is_table(child):
            yield [_read(shape, outline, used) for shape in child.all(Kind.SHAPE)]
        elif depth < _MAX_DEPTH:
            yield from _tree(child, outline, used, depth + 1)


def _markup(shape: _Shape | list[_Shape], picture: Callable[[int], str]) -> str:
    return _table(shape) if isinstance(shape, list) else _shape(shape, picture(shape.picture) if shape.picture else "")


def _is_table(group: Record) -> bool:
    first = group.first(Kind.SHAPE)
    return first is not None and _TABLE in dict(_properties(first))


def _read(shape: Record, outline: Sequence[Text], used: set[int]) -> _Shape:
    text: Text | None = None
    rectangle: Rectangle | None = None
    placeholder, is_object = "", False
    for child in shape.children():
        if child.kind == Kind.TEXT_BOX:
            text = _text(child, outline, used)
        elif child.kind == Kind.ANCHOR and len(child.data) >= 8:  # noqa: PLR2004 - four numbers of two bytes
            top, left, right, bottom = unpack_from("<4h", child.data)
            rectangle = left, top, right, bottom
        elif child.kind == Kind.CHILD_ANCHOR and len(child.data) >= 16:  # noqa: PLR2004 - of four bytes
            rectangle = unpack_from("<4i", child.data)
        elif child.kind == Kind.CLIENT_DATA:
            is_object = child.first(Kind.OBJECT_REFERENCE) is not None
            holder = child.first(Kind.PLACEHOLDER)
            placeholder = _PLACEHOLDERS.get(holder.data[4], "") if holder and len(holder.data) > 4 else ""  # noqa: PLR2004
    properties = dict(_properties(shape))
    alternative = properties.get(_ALTERNATIVE, (0, ""))[1]
    return _Shape(text, rectangle, placeholder, alternative, is_object, properties.get(_PICTURE, (0, ""))[0])


def _text(box: Record, outline: Sequence[Text], used: set[int]) -> Text | None:
    # A box of a text is no container by its head, but has records all the same.
    children = list(Record(box.kind, box.instance, box.data, is_container=True).children())
    for child in children:
        if child.kind == Kind.OUTLINE_REFERENCE:
            index = int.from_bytes(child.data[:4], "little")
            if index < len(outline):
                used.add(index)
                return outline[index]
    return next(texts(children), None)


def _properties(shape: Record) -> Iterator[tuple[int, tuple[int, str]]]:
    """Yield the properties of a shape by identity, each as a number and, for one that has a text, the text."""
    for child in shape.children():
        if child.kind not in (Kind.PROPERTIES, Kind.MORE_PROPERTIES):
            continue
        at = 6 * child.instance
        try:
            for index in range(min(child.instance, len(child.data) // 6)):
                identity, size = unpack_from("<HI", child.data, 6 * index)
                text = ""
                if identity & 0x8000:
                    text = child.data[at : at + size].decode("utf-16-le", "replace").rstrip("\0")
                    at += size
                yield identity & 0x3FFF, (size, text)
        except struct.error:
            return


def _transform(rectangle: Rectangle | None, tag: str) -> str:
    if rectangle is None:
        return ""
    left, top, right, bottom = (edge * _EMU_PER_UNIT for edge in rectangle)
    size = f'<a:ext cx="{max(0, right - left)}" cy="{max(0, bottom - top)}"/>'
    return f'<{tag}:xfrm><a:off x="{left}" y="{top}"/>{size}</{tag}:xfrm>'


def _shape(shape: _Shape, picture: str) -> str:
    text = shape.text
    holder = shape.placeholder or ("title" if text and text.kind in TITLES else "")
    embedded = f"<p:graphicFrame>{_OBJECT}</p:graphicFrame>" if shape.is_object else ""
    fill = f'<a:blipFill><a:blip r:embed="{picture}"/></a:blipFill>' if picture else ""
    if not picture and not (text and text.letters.strip(" \r\0")) and not shape.alternative:
        return embedded
    placeholder = f'<p:ph type="{holder}"/>' if holder else ""
    body = f"<p:txBody>{body_markup(text)}</p:txBody>" if text else ""
    name = f'<p:cNvPr id="1" name="" descr="{escaped(shape.alternative)}"/>'
    head = f"<p:nvSpPr>{name}<p:cNvSpPr/><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr>"
    return f"<p:sp>{head}<p:spPr>{_transform(shape.rectangle, 'a')}{fill}</p:spPr>{body}</p:sp>{embedded}"


def _table(shapes: Sequence[_Shape]) -> str:
    """Return the cells of a table, which are shapes, in rows and columns by their edges."""
    cells = {shape.rectangle: shape for shape in shapes if shape.rectangle and shape.text}
    tops = sorted({top for _, top, _, _ in cells})
    lefts = sorted({left for left, _, _, _ in cells})[:_MAX_COLUMNS]
    by_place = {(top, left): shape for (left, top, _, _), shape in cells.items()}
    rows = "".join(f"<a:tr>{''.join(_cell(by_place.get((top, left))) for left in lefts)}</a:tr>" for top in tops)
    edges = list(zip(*cells, strict=True))
    around = (min(edges[0]), min(edges[1]), max(edges[2]), max(edges[3])) if edges else None
    data = f"<a:graphic><a:graphicData><a:tbl>{rows}</a:tbl></a:graphicData></a:graphic>"
    return f"<p:graphicFrame>{_transform(around, 'p')}{data}</p:graphicFrame>" if rows else ""


def _cell(shape: _Shape | None) -> str:
    text = shape.text if shape else None
    return f"<a:tc><a:txBody>{body_markup(text)}</a:txBody></a:tc>" if text else "<a:tc><a:txBody/></a:tc>"
