"""Measure the grid of a sheet from its XML: a guard against two cells a million rows apart."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from pincite.formats.writing.addresses import column_number, parse_cell
from pincite.model.call import Call

MAX_POSITIONS_PER_CELL = 20
"""Grid positions for each cell, above which a sheet is sparse."""
ALWAYS_ALLOWED_POSITIONS = 1_000_000
"""A grid of this size is cheap, however empty: some 30 bytes a position."""

_TAG = re.compile(rb"<(?:[\w.-]+:)?(row|c)(?=[\s/>])([^>]*)")
_ADDRESS = re.compile(rb"""(?:\A|\s)r\s*=\s*["']\s*([A-Za-z]{0,9}\d{1,19})\s*["']""")
"""Includes addresses beyond any sheet, as calamine allocates a grid that contains them."""

_ERROR = re.compile(rb'<c r="([A-Z]{1,3})(\d{1,7})"[^>]*\bt="e"[^>]*>(?:<f[^<]*(?:</f>)?)?<v>([^<]{1,20})</v>')
_BARE = re.compile(rb"<c[>/\t\r\n]")
_PREFIXED = re.compile(rb"<[^<>\s]{1,50}:c[\s/>]")
_OPEN_DOCUMENT = re.compile(rb"<table:(table|table-row|table-cell|covered-table-cell)(?=[\s/>])([^>]*?)(/?)>")
_MAX_DIGITS = 7
"""Digits of the highest row number, 1,048,576."""


def measure(chunks: Callable[[], Iterable[bytes]], call: Call) -> "Extent":
    """Measure a sheet from its XML, a second time tag by tag if its form is unusual or it may be sparse.

    Args:
        chunks: Returns the XML in pieces, from its beginning.
        call: Checked for cancellation between pieces.
    """
    extent = Extent()
    for piece in _whole_tags(chunks()):
        call.check()
        if not extent.add(piece):
            break
    else:
        # `rows` is rounded up to a power of ten here, so only a sheet that passes is certain not to be sparse.
        if not extent.sparse:
            return extent
    exact = Extent(errors=extent.errors)
    for piece in _whole_tags(chunks()):
        call.check()
        exact.add_each(piece)
    return exact


@dataclass(slots=True)
class Extent:
    """The extent of the cells so far.

    Attributes:
        cells: Number of cells.
        rows: Number of the last row; up to ten times too high if every tag has the common form.
        columns: Number of the last column.
        errors: Row → column (from 0) → error value, of tags in the common form.
    """

    cells: int = 0
    rows: int = 0
    columns: int = 0
    errors: dict[int, dict[int, str]] = field(default_factory=dict[int, dict[int, str]])
    _digits: int = 1
    _names: set[bytes] = field(default_factory=set[bytes])
    _row: int = 0
    _column: int = 0

    @property
    def sparse(self) -> bool:
        """True if the grid has far more positions than cells: over 20 for each, and a million in all.

        A reader that allocates the whole grid would take gigabytes.
        """
        return self.rows * self.columns > MAX_POSITIONS_PER_CELL * self.cells + ALWAYS_ALLOWED_POSITIONS

    def add(self, piece: bytes) -> bool:
        """Add a piece that ends between two tags; return False if a cell in it does not have the common form.

        One search over all cells takes a tenth of the time of a loop.
        """
        cells = piece.count(b"<c ")
        while len(names := _common(self._digits).findall(piece)) < cells and self._digits < _MAX_DIGITS:
            self._digits += 1
        if len(names) != cells or _BARE.search(piece) or (b":c" in piece and _PREFIXED.search(piece)):
            return False
        # Names of columns repeat in each piece: each is converted once.
        new = set(names) - self._names
        self._names |= new
        self.columns = max([self.columns, *(column_number(name.decode()) + 1 for name in new)])
        self.rows = max(self.rows, 10**self._digits - 1 if cells else 0)
        self.cells += cells
        if b't="e"' in piece:
            self._add_errors(piece)
        return True

    def _add_errors(self, piece: bytes) -> None:
        for name, number, value in _ERROR.findall(piece):
            column = column_number(name.decode())
            self.errors.setdefault(int(number) - 1, {})[column] = value.decode("utf-8", "replace")

    def add_each(self, piece: bytes) -> None:
        """Add a piece tag by tag, for cells without an address or with one in another form."""
        for tag in _TAG.finditer(piece):
            match = _ADDRESS.search(tag[2])
            if tag[1] == b"row":
                self._row = int(match[1]) if match and match[1].isdigit() else self._row + 1
                self._column = 0
                continue
            self.cells += 1
            address = parse_cell(match[1].decode()) if match else None
            row, self._column = (address[0] + 1, address[1] + 1) if address else (self._row, self._column + 1)
            self.rows = max(self.rows, row)
            self.columns = max(self.columns, self._column)


@lru_cache(maxsize=_MAX_DIGITS)
def _common(digits: int) -> re.Pattern[bytes]:
    return re.compile(rb'<c r="([A-Z]{1,3})\d{1,%d}"' % digits)


def _whole_tags(chunks: Iterable[bytes]) -> Iterator[bytes]:
    remainder = b""
    for chunk in chunks:
        text = remainder + chunk
        end = max(text.rfind(b"<"), 0)
        yield text[:end]
        remainder = text[end:]
    yield remainder


def count_open_document_positions(chunks: Iterable[bytes], call: Call) -> int:
    """Return the number of positions in the largest grid of an ODS file, repeated rows and columns counted.

    Args:
        chunks: `content.xml` in pieces.
        call: Checked for cancellation between pieces.
    """
    largest = rows = columns = row = column = repeated = 0
    for piece in _whole_tags(chunks):
        call.check()
        for name, attributes, end in _OPEN_DOCUMENT.findall(piece):
            if name == b"table":
                rows = columns = row = repeated = 0
            elif name == b"table-row":
                row += repeated
                repeated, column = _repeats(attributes, b"rows"), 0
            else:
                column += _repeats(attributes, b"columns")
                if not end or b"value" in attributes:
                    rows, columns = max(rows, row + repeated), max(columns, column)
                    largest = max(largest, rows * columns)
    return largest


def _repeats(attributes: bytes, axis: bytes) -> int:
    match = re.search(rb'number-%s-repeated\s*=\s*["\']\s*(\d{1,9})' % axis, attributes)
    return int(match[1]) if match else 1
