"""Read what calamine drops from an XLS workbook: number formats, errors, hidden rows and columns.

Records by [MS-XLS] 2.4, as Excel 5 to 2003 write them (BIFF5 and BIFF8).
"""

import struct
from collections.abc import Iterator
from contextlib import suppress
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
_MAX_COLUMNS = 256
"""The limit of a sheet of Excel 97."""
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


class Workbook:
    """The records of a workbook.

    Args:
        stream: The stream `Workbook` or `Book`; empty for none.
        call: Checked for cancellation between records.
    """

    def __init__(self, stream: bytes, call: Call) -> None:
        self._stream = stream
        self._call = call
        self._is_wide = stream[5:6] >= _BIFF8
        self._codes = dict(BUILTIN)
        self._styles: list[int] = []
        self._starts: list[int] = []
        self._from_1904 = False
        with suppress(struct.error, IndexError):
            for kind, body in self._records(0):
                self._share(kind, body)

    def extras(self, index: int) -> Extras:
        """Return the extras of a sheet, by its index in the workbook; none if its records are not found."""
        extras, is_filtered = Extras(), False
        try:
            for kind, body in self._records(self._starts[index]) if index < len(self._starts) else ():
                self._add(extras, kind, body)
                is_filtered |= kind == _Kind.FILTERED
        except struct.error:
            extras.damaged = "a record is cut off"
        if is_filtered:
            extras.hidden_rows.clear()
        return extras

    def _share(self, kind: int, body: bytes) -> None:
        """Add a record that all sheets share."""
        match kind:
            case _Kind.FORMAT:
                self._codes[unpack_from("<H", body)[0]] = self._code(body)
            case _Kind.STYLE:
                self._styles.append(unpack_from("<2xH", body)[0])
            case _Kind.SHEET:
                self._starts.append(unpack_from("<I", body)[0])
            case _Kind.DATE_1904:
                self._from_1904 = body[:1] == b"\1"
            case _:
                pass

    def _code(self, body: bytes) -> str:
        if not self._is_wide:
            return body[3 : 3 + body[2]].decode("cp1252", "replace")
        length, options = unpack_from("<HB", body, 2)
        is_double = options & 1
        return body[5 : 5 + (length << is_double)].decode("utf-16-le" if is_double else "latin-1", "replace")

    def _shown(self, number: float, style: int) -> str | None:
        """Return a number as it is displayed; None in the general format."""
        code = self._codes.get(self._styles[style], "") if style < len(self._styles) else ""
        return (formatted(number, code, from_1904=self._from_1904) or general(number)) if code else None

    def _records(self, start: int) -> Iterator[tuple[int, bytes]]:
        """Yield the records of a substream, without those of charts within it."""
        at, depth, count = start, 0, 0
        while at + 4 <= len(self._stream):
            kind, size = unpack_from("<HH", self._stream, at)
            depth += (kind == _Kind.BOF) - (kind == _Kind.EOF)
            if depth <= 0:
                return
            if depth == 1:
                yield kind, self._stream[at + 4 : at + 4 + size]
            at += 4 + size
            count += 1
            if count % _CHECK_RECORDS == 0:
                self._call.check()

    def _add(self, extras: Extras, kind: int, body: bytes) -> None:
        """Add a record of a sheet."""
        match kind:
            case _Kind.ROW:
                row, options = unpack_from("<H10xB", body)
                if options & _HIDDEN_ROW:
                    extras.hidden_rows.add(row)
            case _Kind.COLUMNS:
                first, last, width, options = unpack_from("<HHH2xH", body)
                if options & _HIDDEN_COLUMN or width < MIN_COLUMN_CHARACTERS * _WIDTH_UNITS:
                    extras.hidden_columns.update(range(first, min(last + 1, _MAX_COLUMNS)))
            case _Kind.FLOAT | _Kind.NUMBER | _Kind.NUMBERS | _Kind.FORMULA | _Kind.ERROR:
                row, column = unpack_from("<HH", body)
                for index, text in enumerate(self._texts(kind, body)):
                    if text is not None and column + index < _MAX_COLUMNS:
                        extras.texts.setdefault(row, {})[column + index] = text
            case _:
                pass

    def _texts(self, kind: int, body: bytes) -> Iterator[str | None]:
        """Yield the displayed text of each cell of a record; None where calamine's is right."""
        match kind:
            case _Kind.NUMBERS:
                for at in range(4, len(body) - 7, 6):
                    style, packed = unpack_from("<HI", body, at)
                    yield self._shown(_unpacked(packed), style)
            case _Kind.NUMBER:
                style, packed = unpack_from("<HI", body, 4)
                yield self._shown(_unpacked(packed), style)
            case _Kind.ERROR:
                code, is_error = unpack_from("<BB", body, 6)
                yield _ERRORS.get(code) if is_error else None
            case _Kind.FORMULA if unpack_from("<H", body, 12)[0] == _NO_NUMBER:
                yield _ERRORS.get(body[8]) if body[6] == _ERROR else None
            case _:
                style, number = unpack_from("<Hd", body, 4)
                yield self._shown(number, style)


def _unpacked(packed: int) -> float:
    """Return the number of four bytes ([MS-XLS] 2.5.217): an integer or the high half of a float, or its hundredth."""
    if packed & 2:
        number = float((packed >> 2) - (packed >> 31 << 30))
    else:
        number = unpack_from("<d", struct.pack("<II", 0, packed & 0xFFFFFFFC))[0]
    return number / 100 if packed & 1 else number
