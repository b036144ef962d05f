"""The characters of a document and their offsets in the file ([MS-DOC] 2.4.1: the piece table)."""

import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from struct import iter_unpack, unpack_from

from pincite.errors import InvalidInput
from pincite.formats.doc.fib import DAMAGED, Fib, Part

_PROPERTIES, _PIECES = 1, 2
"""First bytes of the entries of the piece table's structure."""
_ONE_BYTE = 1 << 30
_PIECE_BYTES = 8


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters that follow each other in the file.

    Attributes:
        start: Position of its first character in the text.
        end: One past its last.
        offset: Offset of its first character in the main stream.
        width: Bytes of a character, 1 or 2.
    """

    start: int
    end: int
    offset: int
    width: int


@dataclass(frozen=True, slots=True)
class Text:
    """The characters of all stories.

    Attributes:
        units: The UTF-16 units, each as a character; of Word 6 the bytes, which the font says how to read.
        pieces: The pieces in the order of the text.
    """

    units: str
    pieces: tuple[Piece, ...]

    def offset(self, position: int) -> int:
        """Return the offset in the main stream of the character at a position; 0 beyond the text."""
        index = bisect_right(self.pieces, position, key=lambda piece: piece.start) - 1
        piece = self.pieces[index] if index >= 0 else None
        return piece.offset + (position - piece.start) * piece.width if piece and position < piece.end else 0

    def spans(self, start: int, end: int) -> Iterator[tuple[int, int, Piece]]:
        """Yield start and end of each part of a range that is in one piece, and the piece."""
        index = max(0, bisect_right(self.pieces, start, key=lambda piece: piece.start) - 1)
        for piece in map(self.pieces.__getitem__, range(index, len(self.pieces))):
            if piece.start >= end:
                return
            first, last = max(start, piece.start), min(end, piece.end)
            if first < last:
                yield first, last, piece


def read_text(fib: Fib) -> Text:
    """Return the characters of a document.

    Raises:
        InvalidInput: The piece table is damaged.
    """
    pieces = tuple(_pieces(fib))
    # Characters take a byte at least: pieces that repeat each other are an attack.
    if sum(piece.end - piece.start for piece in pieces) > len(fib.main):
        raise InvalidInput(DAMAGED)
    encoding = "latin-1" if fib.is_old else "cp1252"
    units = "".join(_characters(fib.main, piece, encoding) for piece in pieces)
    if fib.stories.text and not units:
        raise InvalidInput(DAMAGED)
    return Text(units, pieces)


def _pieces(fib: Fib) -> Iterator[Piece]:
    old_width = 2 if fib.is_wide else 1
    if fib.text_start:
        length = max(0, len(fib.main) - fib.text_start) // old_width
        yield Piece(0, min(fib.stories.total, length), fib.text_start, old_width)
        return
    table = _piece_table(fib.part(Part.PIECES))
    count = max(0, (len(table) - 4) // (4 + _PIECE_BYTES))
    bounds = unpack_from(f"<{count + 1}I", table) if count else ()
    offsets = (unpack_from("<I", table, 4 * (count + 1) + _PIECE_BYTES * index + 2)[0] for index in range(count))
    position = 0
    for start, end, raw in zip(bounds, bounds[1:], offsets, strict=False):
        offset, width = (raw, old_width) if fib.is_old else _place(raw)
        length = min(end - start, max(0, len(fib.main) - offset) // width)
        if start != position or length <= 0:
            # The offsets of what follows are unknown.
            return
        yield Piece(start, start + length, offset, width)
        position = start + length


def _place(raw: int) -> tuple[int, int]:
    """Return the offset of a piece, and the bytes of its letters."""
    offset = raw & (_ONE_BYTE - 1)
    return (offset // 2, 1) if raw & _ONE_BYTE else (offset, 2)


def _piece_table(data: bytes) -> bytes:
    """Return the piece table, which follows the properties that pieces share."""
    at = 0
    try:
        while data[at] == _PROPERTIES:
            at += 3 + unpack_from("<H", data, at + 1)[0]
        if data[at] == _PIECES:
            return data[at + 5 : at + 5 + unpack_from("<I", data, at + 1)[0]]
    except (IndexError, struct.error) as error:
        raise InvalidInput(DAMAGED) from error
    raise InvalidInput(DAMAGED)


def _characters(data: bytes, piece: Piece, encoding: str) -> str:
    raw = data[piece.offset : piece.offset + (piece.end - piece.start) * piece.width]
    if piece.width == 1:
        return raw.decode(encoding, "replace")
    # Unit by unit: positions count units, not characters.
    return "".join(chr(unit) for (unit,) in iter_unpack("<H", raw))


def joined(units: str) -> str:
    """Return a text with each pair of UTF-16 units as the character that it encodes."""
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
