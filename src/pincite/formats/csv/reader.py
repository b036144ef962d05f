"""Reader for delimited text (CSV, TSV): one table, and the notes above it."""

import csv
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.csv.dialect import find_delimiter
from pincite.formats.detect.decode import decode
from pincite.formats.text import gaps
from pincite.formats.writing import long_tables
from pincite.formats.writing.addresses import area
from pincite.formats.writing.page_writer import PageWriter
from pincite.formats.writing.table_headers import BODY_ROWS, HEADER_SEARCH_ROWS, find_header
from pincite.model.call import Call
from pincite.model.document import CELL_END, Head, Page

MAX_FIELD_CHARACTERS = 1_000_000
"""Maximum length of a field, and of a line; a longer one is cut and reported."""
MAX_COLUMNS = 16_384
"""The limit of Excel."""

MAX_FAILURES = 10
"""Failures reported for one file."""

_CHECK_ROWS = 500
"""Rows between two checks for cancellation."""
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+\Z")
# The separators of packed cells (`model.document`) must not occur in a cell.
_MARKS = str.maketrans(dict.fromkeys("\x1e\x1f", "\ufffd"))


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`. The encoding and the delimiter, which are guessed, are properties of the document."""
    # Spreadsheet programs export in the encoding of the system, without naming it.
    decoded = decode(blob.data)
    text = decoded.text.translate(_MARKS) if "\x1e" in decoded.text or "\x1f" in decoded.text else decoded.text
    call.check()
    delimiter = find_delimiter(text)
    yield Head(
        properties={"encoding": decoded.encoding, "delimiter": "tab" if delimiter == "\t" else delimiter},
    )
    writer = PageWriter(options.max_blocks)
    records = _Records(text, delimiter, call)
    _write(writer, records, call)
    for reason in records.failures:
        writer.fail(reason)
    for failure in gaps(decoded):
        writer.fail(failure.reason)
    yield writer.page()


class _Records:
    """Iterates over the records of a text that are not empty.

    Attributes:
        numbers: The number of each record yielded so far, from 0, empty ones counted.
        failures: What could not be read.
    """

    def __init__(self, text: str, delimiter: str, call: Call) -> None:
        self._text = text
        self.delimiter = delimiter
        self._call = call
        self.failures: list[str] = []
        self.numbers = array("L")
        self._line = 0

    def __iter__(self) -> Iterator[list[str]]:
        # The csv module has one limit for the whole process; all code here sets the same value.
        csv.field_size_limit(MAX_FIELD_CHARACTERS)
        for number, row in enumerate(self._parsed()):
            if number % _CHECK_ROWS == 0:
                self._call.check()
            if len(row) > MAX_COLUMNS:
                self._fail(f"line {self._line} has {len(row):,} columns, the first {MAX_COLUMNS:,} were read")
                row = row[:MAX_COLUMNS]  # noqa: PLW2901 - the other columns are not needed
            # Empty records are left out but counted, so that addresses match the file.
            if any(row):
                self.numbers.append(number)
                yield row

    def _parsed(self) -> Iterator[list[str]]:
        """Yield every record. After one whose quotation never ends, lines are parsed without quoting."""
        reader = csv.reader(self._lines(0), delimiter=self.delimiter)
        complete = 0
        try:
            for row in reader:
                complete = self._line = reader.line_num
                yield row
        except csv.Error:
            self._fail(
                f"the record at line {complete + 1} has a quotation mark without its second: no quote counts after it"
            )
            plain = csv.reader(self._lines(complete), delimiter=self.delimiter, quoting=csv.QUOTE_NONE)
            for row in plain:
                self._line = complete + plain.line_num
                yield row

    def _lines(self, skipped: int) -> Iterator[str]:
        for number, match in enumerate(_LINE.finditer(self._text), 1):
            if number <= skipped:
                continue
            if match.end() - match.start() > MAX_FIELD_CHARACTERS:
                self._fail(f"line {number} is longer than {MAX_FIELD_CHARACTERS:,} characters and was cut")
                yield self._text[match.start() : match.start() + MAX_FIELD_CHARACTERS]
            else:
                yield match[0]

    def _fail(self, reason: str) -> None:
        if len(self.failures) < MAX_FAILURES and reason not in self.failures:
            self.failures.append(reason)


def _write(writer: PageWriter, records: _Records, call: Call) -> None:
    rows = iter(records)
    top = list(islice(rows, HEADER_SEARCH_ROWS + BODY_ROWS))
    if not top:
        return
    width = Counter(len(row) for row in top).most_common(1)[0][0]
    header_row = find_header(top, width)
    first = header_row if header_row is not None else _first_full(top, width)
    notes = [records.delimiter.join(row).strip() for row in top[:first]]
    if len(notes) > 1:
        writer.paragraph("\n".join(notes))
    numbers = records.numbers
    header = [CELL_END.join(row) for row in top[first:] if header_row is not None][:1]
    body = map(CELL_END.join, chain(top[first + len(header) :], rows))

    def address(start: int, end: int, columns: int) -> str:
        return area(numbers[first + start], 0, numbers[first + end], columns - 1)

    caption = notes[0] if len(notes) == 1 else ""
    long_tables.write(writer, long_tables.Grid(header, body, width, caption, address, {}), call)


def _first_full(rows: Sequence[Sequence[str]], width: int) -> int:
    """The index of the first row of the most common width; those above it are notes."""
    return next(number for number, row in enumerate(rows) if len(row) == width)
