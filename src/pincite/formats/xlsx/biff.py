"""Read what calamine drops from an XLS workbook: number formats, errors, hidden rows and columns.

Records by [MS-XLS] 2.4, as Excel 5 to 2003 write them (BIFF5 and BIFF8).
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from struct import unpack_from

from pincite.formats.xlsx.number_formats import BUILTIN, formatted, general
from pincite.formats.xlsx.second_pass import MIN_COLUMN_CHARACTERS, Extras
from pincite.model.call import Call

_BIFF8 = b"\x06"
"""The major version of Excel 97 and later, whose strings have wide characters."""
_HIDDEN_ROW, _HIDDEN_COLUMN = 0x20, 0x01
_WIDTH_UNITS = 256
"""A column's width is in 256ths of a character."""
_NO_NUMBER, _ERROR = 0xFFFF, 2
"""The end of a formula's value that is no number, and its beginning if it is an error ([MS-XLS] 2.5.133)."""
_ERRORS = {0: "#NULL!", 7: "#DIV/0!", 15: "#VALUE!", 23: "#REF!", 29: "#NAME?", 36: "#NUM!", 42: "#N/A"}
_CHECK_RECORDS = 4096


class _Kind(IntEnum):
    """The kinds of records that are read."""

    FORMULA = 0x06
    EOF = 0x0A
    DATE_1904 = 0x22
    COLUMNS = 0x7D
    SHEET = 0x85
    FILTERED = 0x9B
    NUMBERS = 0xBD
    STYLE = 0xE0
    FLOAT = 0x203
    ERROR = 0x205
    ROW = 0x208
    NUMBER = 0x27E
    FORMAT = 0x41E
    BOF = 0x809


@dataclass(slots=True)
class _Workbook:
    """What its sheets share, and the offset of each."""

    is_wide: bool
    codes: dict[int, str] = field(default_factory=lambda: dict(BUILTIN))
    styles: list[int] = field(default_factory=list[int])
    sheets: list[int] = field(default_factory=list[int])
    from_1904: bool = False

    def add(self, kind: int, body: bytes) -> None:
        """Add a record."""
        match kind:
            case _Kind.FORMAT:
                self.codes[unpack_from("<H", body)[0]] = self._code(body)
            case _Kind.STYLE:
                self.styles.append(unpack_from("<2xH", body)[0])
            case _Kind.SHEET:
                self.sheets.append(unpack_from("<I", body)[0])
            case _Kind.DATE_1904:
                self.from_1904 = body[:1] == b"\1"
            case _:
                pass

    def _code(self, body: bytes) -> str:
        if not self.is_wide:
            return body[3 : 3 + body[2]].decode("cp1252", "replace")
        length, options = unpack_from("<HB", body, 2)
        is_double = options & 1
        return body[5 : 5 + (length << is_double)].decode("utf-16-le" if is_double else "latin-1", "replace")

    def text(self, number: float, style: int) -> str | None:
        """Return a number as it is displayed; None in the general format."""
        code = self.codes.get(self.styles[style], "") if style < len(self.styles) else ""
        return (formatted(number, code, from_1904=self.from_1904) or general(number)) if code else None


def read_sheets(stream: bytes, call: Call) -> list[Extras]:
    """Return the extras of each sheet, in the workbook's order.

    Args:
        stream: The stream `Workbook` or `Book`.
        call: Checked for cancellation between records.
    """
    workbook = _Workbook(is_wide=stream[5:6] >= _BIFF8)
    sheets: list[Extras] = []
    try:
        for kind, body in _records(stream, 0, call):
            workbook.add(kind, body)
    except (struct.error, IndexError):
        return []
    for start in workbook.sheets:
        extras, is_filtered = Extras(), False
        try:
            for kind, body in _records(stream, start, call):
                _add(extras, workbook, kind, body)
                is_filtered |= kind == _Kind.FILTERED
        except struct.error as error:
            extras.damaged = type(error).__name__
        if is_filtered:
            extras.hidden_rows.clear()
        sheets.append(extras)
    return sheets


def _records(stream: bytes, start: int, call: Call) -> Iterator[tuple[int, bytes]]:
    """Yield the records of a substream, without those of charts within it."""
    at, depth, count = start, 0, 0
    while at + 4 <= len(stream):
        kind, size = unpack_from("<HH", stream, at)
        depth += (kind == _Kind.BOF) - (kind == _Kind.EOF)
        if depth <= 0:
            return
        if depth == 1:
            yield kind, stream[at + 4 : at + 4 + size]
        at += 4 + size
        count += 1
        if count % _CHECK_RECORDS == 0:
            call.check()


def _add(extras: Extras, workbook: _Workbook, kind: int, body: bytes) -> None:
    """Add a record of a sheet."""
    match kind:
        case _Kind.ROW:
            row, options = unpack_from("<H10xB", body)
            if options & _HIDDEN_ROW:
                extras.hidden_rows.add(row)
        case _Kind.COLUMNS:
            first, last, width, options = unpack_from("<HHH2xH", body)
            if options & _HIDDEN_COLUMN or width < MIN_COLUMN_CHARACTERS * _WIDTH_UNITS:
                extras.hidden_columns.update(range(first, last + 1))
        case _Kind.FLOAT | _Kind.NUMBER | _Kind.NUMBERS | _Kind.FORMULA | _Kind.ERROR:
            row, column = unpack_from("<HH", body)
            for index, text in enumerate(_texts(workbook, kind, body)):
                if text is not None:
                    extras.texts.setdefault(row, {})[column + index] = text
        case _:
            pass


def _texts(workbook: _Workbook, kind: int, body: bytes) -> Iterator[str | None]:
    """Yield the displayed text of each cell of a record; None where calamine's is right."""
    match kind:
        case _Kind.NUMBERS:
            for at in range(4, len(body) - 7, 6):
                style, packed = unpack_from("<HI", body, at)
                yield workbook.text(_unpacked(packed), style)
        case _Kind.NUMBER:
            style, packed = unpack_from("<HI", body, 4)
            yield workbook.text(_unpacked(packed), style)
        case _Kind.ERROR:
            code, is_error = unpack_from("<BB", body, 6)
            yield _ERRORS.get(code) if is_error else None
        case _Kind.FORMULA if unpack_from("<H", body, 12)[0] == _NO_NUMBER:
            yield _ERRORS.get(body[8]) if body[6] == _ERROR else None
        case _:
            style, number = unpack_from("<Hd", body, 4)
            yield workbook.text(number, style)


def _unpacked(packed: int) -> float:
    """Return the number of four bytes ([MS-XLS] 2.5.217): an integer or the high half of a float, or its hundredth."""
    if packed & 2:
        number: float = (packed >> 2) - (packed >> 31 << 30)
    else:
        number = unpack_from("<d", struct.pack("<II", 0, packed & 0xFFFFFFFC))[0]
    return number / 100 if packed & 1 else number
