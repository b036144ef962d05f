"""Texts of a presentation ([MS-PPT] 2.9) as DrawingML paragraphs."""

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from struct import unpack_from

from pincite.formats.ppt.records import Kind, Record
from pincite.text.xml_text import escaped

TITLES = frozenset({0, 6})
"""Types of the text in a title."""
NOTES = 2
_BULLETED = frozenset({1, 7, 8})
"""Types of the text in the body of a slide, which has bullets unless a paragraph says no."""
_FIELDS = frozenset({4056, 4087, 4088, 4089, 4090})
"""Records that replace a character, an asterisk, by a slide number, a date, a header or a footer."""
_MAX_LEVEL = 8
_HAS_BULLET = 1


@dataclass(frozen=True, slots=True)
class Text:
    """A text.

    Attributes:
        kind: Its type: 0 and 6 a title, 1 a body, 2 notes, 4 anything else.
        letters: Its letters; a carriage return ends a paragraph.
        style: The formats of its paragraphs and letters.
    """

    kind: int
    letters: str
    style: bytes = b""


def texts(records: Iterable[Record]) -> Iterator[Text]:
    """Yield the texts in a list of records: each begins with a header."""
    kind, letters, style = -1, "", b""
    for record in records:
        if record.kind in _FIELDS and record.data:
            # Its value (a date, a number) is not in the file; NUL is no character of XML.
            at = int.from_bytes(record.data[:4], "little")
            letters = letters[:at] + "\0" + letters[at + 1 :] if at < len(letters) else letters
        if record.kind == Kind.TEXT_HEADER:
            if kind >= 0:
                yield Text(kind, letters, style)
            kind, letters, style = int.from_bytes(record.data[:4], "little"), "", b""
        elif record.kind == Kind.CHARACTERS:
            letters = record.data.decode("utf-16-le", "replace")
        elif record.kind == Kind.BYTES:
            letters = record.data.decode("latin-1")
        elif record.kind == Kind.STYLE:
            style = record.data
    if kind >= 0:
        yield Text(kind, letters, style)


def body_markup(text: Text) -> str:
    """Return a text as paragraphs (`a:p`)."""
    formats = list(_paragraph_formats(text.style, len(text.letters) + 1))
    position, parts = 0, list[str]()
    for line in text.letters.split("\r"):
        level, bullet = _at(formats, position)
        has_bullet = text.kind in _BULLETED if bullet is None else bullet
        mark = '<a:buChar char="•"/>' if has_bullet and line.strip() else "<a:buNone/>"
        runs = "<a:br/>".join(f"<a:r><a:t>{escaped(run)}</a:t></a:r>" for run in line.split("\x0b"))
        parts.append(f'<a:p><a:pPr lvl="{level}">{mark}</a:pPr>{runs}</a:p>')
        position += len(line) + 1
    return "".join(parts)


def _at(formats: Sequence[tuple[int, int, bool | None]], position: int) -> tuple[int, bool | None]:
    return next(((level, bullet) for end, level, bullet in formats if position < end), (0, None))


def _paragraph_formats(data: bytes, length: int) -> Iterator[tuple[int, int, bool | None]]:
    """Yield end, level and bullet of the paragraphs' runs; a bullet that is not set is None."""
    at = end = 0
    try:
        while end < length and at < len(data):
            count, level, masks = unpack_from("<IHI", data, at)
            at += 10
            bullet = None
            if masks & 0xF:
                bullet = bool(unpack_from("<H", data, at)[0] & _HAS_BULLET) if masks & _HAS_BULLET else None
                at += 2
            at += 2 * sum(bool(masks >> bit & 1) for bit in (4, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16))
            at += 4 * (masks >> 5 & 1) + 2 * bool(masks >> 17 & 7) + 2 * (masks >> 21 & 1)
            if masks >> 20 & 1:
                at += 2 + 4 * unpack_from("<H", data, at)[0]
            end += count
            yield end, min(level, _MAX_LEVEL), bullet
    except struct.error:
        return
