"""How large a grid a sheet spans, told from its XML: a guard against two cells that are a million rows apart."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from pincite.formats.writing.addresses import column_number, parse_cell
from pincite.model.call import Call

SPARSE_FACTOR = 20
SPARSE_FLOOR = 1_000_000

_TAG = re.compile(rb"<(?:[\w.-]+:)?(row|c)(?=[\s/>])([^>]*)")
_R = re.compile(rb"""(?:\A|\s)r\s*=\s*["']\s*([A-Za-z]{0,9}\d{1,19})\s*["']""")
"""Also places beyond any sheet: the library lays out a grid as far as they say."""

_ERROR = re.compile(rb'<c r="([A-Z]{1,3})(\d{1,7})"[^>]*\bt="e"[^>]*>(?:<f[^<]*(?:</f>)?)?<v>([^<]{1,20})</v>')
_BARE = re.compile(rb"<c[>/\t\r\n]")
_PREFIXED = re.compile(rb"<[^<>\s]{1,50}:c[\s/>]")
_OPEN_DOCUMENT = re.compile(rb"<table:(table|table-row|table-cell|covered-table-cell)(?=[\s/>])([^>]*?)(/?)>")
_MAX_DIGITS = 7


def measure(chunks: Callable[[], Iterable[bytes]], call: Call) -> "Extent":
    """Look through a sheet's XML; again, tag by tag, where it is of an unusual form or may be sparse.

    Args:
        chunks: Gives the XML in pieces, from its beginning.
        call: Asked between them.
    """
    extent = Extent()
    for piece in _whole_tags(chunks()):
        call.check()
        if not extent.add(piece):
            break
    else:
        if not extent.sparse:
            return extent
    exact = Extent(errors=extent.errors)
    for piece in _whole_tags(chunks()):
        call.check()
        exact.add_each(piece)
    return exact


@dataclass(slots=True)
class Extent:
    """What was seen so far.

    Attributes:
        cells: Number of cells.
        rows: Number of the last row; up to ten times too high where every tag is of the common form.
        columns: Number of the last column.
        errors: Row → column (from 0) → error value, where tags are of the common form.
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
        """Whether the grid is far larger than its cells are many: over 20 times and a million.

        A reader that lays out the whole grid would take gigabytes for it.
        """
        return self.rows * self.columns > SPARSE_FACTOR * self.cells + SPARSE_FLOOR

    def add(self, piece: bytes) -> bool:
        """Look at a piece that ends between two tags; whether all its cells are of the common form.

        One search over all is a tenth of the time of a loop.
        """
        cells = piece.count(b"<c ")
        while len(names := _common(self._digits).findall(piece)) < cells and self._digits < _MAX_DIGITS:
            self._digits += 1
        if len(names) != cells or _BARE.search(piece) or (b":c" in piece and _PREFIXED.search(piece)):
            return False
        new = set(names) - self._names
        self._names |= new
        self.columns = max([self.columns, *(column_number(name.decode()) + 1 for name in new)])
        self.rows = max(self.rows, 10**self._digits - 1 if cells else 0)
        self.cells += cells
        if b't="e"' in piece:
            self._take_errors(piece)
        return True

    def _take_errors(self, piece: bytes) -> None:
        for name, number, value in _ERROR.findall(piece):
            column = column_number(name.decode())
            self.errors.setdefault(int(number) - 1, {})[column] = value.decode("utf-8", "replace")

    def add_each(self, piece: bytes) -> None:
        """Look at it tag by tag, for cells that do not say where they are or say it in another way."""
        for tag in _TAG.finditer(piece):
            found = _R.search(tag[2])
            if tag[1] == b"row":
                self._row = int(found[1]) if found and found[1].isdigit() else self._row + 1
                self._column = 0
                continue
            self.cells += 1
            place = parse_cell(found[1].decode()) if found else None
            row, self._column = (place[0] + 1, place[1] + 1) if place else (self._row, self._column + 1)
            self.rows = max(self.rows, row)
            self.columns = max(self.columns, self._column)


@lru_cache(maxsize=_MAX_DIGITS)
def _common(digits: int) -> re.Pattern[bytes]:
    return re.compile(rb'<c r="([A-Z]{1,3})\d{1,%d}"' % digits)


def _whole_tags(chunks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        text = rest + chunk
        end = max(text.rfind(b"<"), 0)
        yield text[:end]
        rest = text[end:]
    yield rest


def open_document_places(chunks: Iterable[bytes], call: Call) -> int:
    """The places of the largest grid that a table of an ODS file spans, repeated rows and columns counted.

    Args:
        chunks: `content.xml`, in pieces.
        call: Asked between them.
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


def _repeats(attributes: bytes, what: bytes) -> int:
    found = re.search(rb'number-%s-repeated\s*=\s*["\']\s*(\d{1,9})' % what, attributes)
    return int(found[1]) if found else 1
