"""The style sheet ([MS-DOC] 2.9.271: STSH), as a part of a newer Word document."""

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from struct import unpack_from

from pincite.formats.doc.fib import Fib, Part
from pincite.formats.doc.markup import NAMESPACES, paragraph_properties, run_properties, value
from pincite.formats.doc.modifiers import Modifiers, modifiers

_PARAGRAPH, _CHARACTER = 1, 2
_NO_STYLE = 0xFFF
_MAX_STYLES = 0xFFE
_BUILT_IN = {
    0: "Normal",
    **{number: f"heading {number}" for number in range(1, 10)},
    **{18 + number: f"toc {number}" for number in range(1, 10)},
    34: "caption", 35: "table of figures", 45: "macro", 48: "List Bullet", 49: "List Number", 62: "Title",
    **{52 + number: f"List Bullet {number}" for number in range(2, 6)},
    **{56 + number: f"List Number {number}" for number in range(2, 6)},
    68: "List Continue", 101: "HTML Preformatted",
}  # fmt: skip
"""Names of built-in styles, which a document may have in its user's language."""


@dataclass(frozen=True, slots=True)
class Style:
    """A style.

    Attributes:
        name: Its name; of a built-in one the English name.
        kind: 1 of paragraphs, 2 of characters; others are of tables and lists.
        base: Index of the style that it is based on; None for none.
        paragraph: Its modifiers of paragraphs.
        characters: Its modifiers of characters.
    """

    name: str
    kind: int
    base: int | None
    paragraph: Modifiers
    characters: Modifiers


def read_styles(fib: Fib) -> dict[int, Style]:
    """Return the styles by index; damaged ones are left out."""
    data = fib.part(Part.STYLES)
    styles: dict[int, Style] = {}
    try:
        size, count, base_bytes = unpack_from("<HHH", data)
        at = 2 + size
        for index in range(min(count, _MAX_STYLES)):
            length = unpack_from("<H", data, at)[0]
            at += 2
            if style := _style(data[at : at + length], base_bytes, is_old=fib.is_old):
                styles[index] = style
            at += length + length % 2
    except struct.error:
        return styles
    return styles


def _style(data: bytes, base_bytes: int, *, is_old: bool) -> Style | None:
    if not data:
        return None
    try:
        first, second, third = unpack_from("<HHH", data)
        name, at = _name(data, base_bytes, is_old=is_old)
        kind, base, formats = second & 0xF, second >> 4, third & 0xF
        lists = list(_formats(data, at, formats))
    except (struct.error, IndexError):
        return None
    paragraph = modifiers(lists[0][2:], is_old=is_old) if kind == _PARAGRAPH and lists else {}
    characters = modifiers(lists[-1], is_old=is_old) if lists and (kind == _CHARACTER or len(lists) > 1) else {}
    base_index = base if base != _NO_STYLE else None
    return Style(_BUILT_IN.get(first & 0xFFF, name), kind, base_index, paragraph, characters)


def _name(data: bytes, at: int, *, is_old: bool) -> tuple[str, int]:
    """Return the name of a style, and the offset of what follows it."""
    if is_old:
        end = at + 1 + data[at]
        return data[at + 1 : end].decode("cp1252", "replace"), end + 1
    end = at + 2 + 2 * unpack_from("<H", data, at)[0]
    return data[at + 2 : end].decode("utf-16-le", "replace"), end + 2


def _formats(data: bytes, at: int, count: int) -> Iterator[bytes]:
    for _ in range(count):
        at += at % 2
        size = unpack_from("<H", data, at)[0]
        yield data[at + 2 : at + 2 + size]
        at += 2 + size


def styles_part(styles: Mapping[int, Style], fonts: Mapping[int, str]) -> str:
    """Return the part `word/styles.xml`."""
    elements = "".join(_element(index, style, fonts) for index, style in styles.items())
    return f"<w:styles {NAMESPACES}>{elements}</w:styles>"


def _element(index: int, style: Style, fonts: Mapping[int, str]) -> str:
    if style.kind not in (_PARAGRAPH, _CHARACTER):
        return ""
    kind = "paragraph" if style.kind == _PARAGRAPH else "character"
    default = ' w:default="1"' if index == 0 else ""
    based_on = value("basedOn", style.base) if style.base is not None else ""
    paragraph = paragraph_properties(style.paragraph) if style.kind == _PARAGRAPH else ""
    return (
        f'<w:style w:type="{kind}" w:styleId="{index}"{default}>{value("name", style.name)}{based_on}'
        f"<w:pPr>{paragraph}</w:pPr>{run_properties(style.characters, fonts, with_colour=True)}</w:style>"
    )
