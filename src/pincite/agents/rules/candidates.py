"""Collect what a document says as label and value: table cells, `label: value` lines, values in running text."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import pairwise

from pincite.model.chunk import Chunk, ChunkKind
from pincite.model.extraction import Material
from pincite.text.grids import TextCell, TextGrid
from pincite.text.terms.labels import is_amount_label, is_known, label_terms
from pincite.text.values.dates import read_dates

MAX_VALUE_CHARS = 300
"""Maximum length of a value: a longer one is a paragraph."""
_MAX_LABEL_WORDS = 7
"""Words of a line before a value that may be its label."""
_COLON = re.compile(r"(?<=[^\s\d/])\s?[:：](?=\s|$)")  # noqa: RUF001 - the colon of CJK text
_LAST_WORDS = re.compile(r"(?:\S+\s+){0,3}\S+\s*\Z")
_IDENTIFIER = re.compile(r"(?<![\w/.-])(?=[\w/.-]*\d)[A-Z0-9][\w/.-]{2,40}(?:\s\d{2,})?", re.IGNORECASE)
_AMOUNT = re.compile(r"(?:[€$£]\s?)?[-+]?\d[\d.,'’\u00a0]*(?:\s?(?:€|EUR|USD|GBP|CHF|%))?")
_MARKS = " \t*_#>|`-•·:："  # noqa: RUF001 - as above
PREPOSITIONS = frozenset(
    {
        "nr",
        "nr.",
        "no",
        "no.",
        "n°",
        "nº",
        "numéro",
        "vom",
        "von",
        "am",
        "du",
        "le",
        "de",
        "del",
        "dated",
        "of",
        "from",
        "on",
        "van",
        "op",
        "il",
    }
)
_BRACKETED = _MARKS + "()[]"
_FORM_COLUMNS = 2
"""Columns of a form: a label and its value."""


_DIGITS = tuple("0123456789")
_DURATION = re.compile(
    r"(?:days?|tagen?|tag|jours?|d[ií]as?|giorn[oi]|dag(?:en)?|months?|monate?n?|mois|mes(?:es|[ei])?|maand(?:en)?"
    r"|weeks?|wochen?|semaines?|semanas?)\Z",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[^\W\d_]{3})\.\s+(?=[^\W\d_]{3})")
"""Not after an abbreviation, as `Inv. no.`"""
_DATE_RANGE = re.compile(r"\s*(?:[-–—~～]|to|until|bis|au|al|hasta|tot)\s*", re.IGNORECASE)  # noqa: RUF001 - CJK text
_WORD_AFTER = re.compile(r"\s(?P<word>[^\W\d_]+)")


class Source(IntEnum):
    """Where a candidate was read, the most reliable first."""

    TABLE_ROW = 0
    TABLE_COLUMN = 1
    COLON = 2
    IN_TEXT = 3
    BELOW = 4
    TITLE = 5


@dataclass(frozen=True, slots=True)
class Candidate:
    """A label and a value of a document.

    Attributes:
        label: The text that names the value.
        context: Texts that qualify the label: group of rows, heading.
        start: The value's first character in the document's text.
        end: One past its last character.
        value: The value's text.
        quote_start: First character of the smallest passage that has label and value.
        source: Where it was read.
        grid: Its table.
        cell: Its cell there.
        header: The header of its column; empty without one.
        row: The name of its row, where the header is the label; empty without one.
        is_of_item: Whether it is of an item of a table of goods: its amounts are none of the document.
    """

    label: str
    context: tuple[str, ...]
    start: int
    end: int
    value: str
    quote_start: int
    source: Source
    grid: TextGrid | None = None
    cell: TextCell | None = None
    header: str = ""
    row: str = ""
    is_of_item: bool = False

    @property
    def is_attached(self) -> bool:
        """True if it is of an attached file."""
        return self.grid is not None and self.grid.attachment != ""


def collect(material: Material, grids: Sequence[TextGrid]) -> list[Candidate]:
    """Return the candidates of a document in order of their values."""
    found: list[Candidate] = []
    headings = {grid.start: _heading_at(material.chunks, grid.start) for grid in grids}
    for grid in grids:
        found += _of_table(grid, headings[grid.start])
    for chunk in material.chunks:
        found += _of_text(chunk)
    found += _title(material)
    return sorted(found, key=lambda one: (one.start, one.source))


def _title(material: Material) -> Iterator[Candidate]:
    """Yield the document's first heading as its own label: a series is named "Acme X Series"."""
    for section in material.document.sections:
        block = section.blocks[0] if section.number == 1 else None
        if block is not None and block.title and (start := material.document.text.find(block.title, block.start)) >= 0:
            end = start + len(block.title)
            yield Candidate(block.title, (), start, end, block.title, start, Source.TITLE)


def _heading_at(chunks: Sequence[Chunk], index: int) -> tuple[str, ...]:
    return next((chunk.heading_path[-1:] for chunk in chunks if chunk.start <= index < chunk.end), ())


def _of_table(grid: TextGrid, heading: tuple[str, ...]) -> Iterator[Candidate]:
    headers = {cell.column: cell.text for cells in grid.rows[: grid.header_rows] for cell in cells}
    body = grid.rows[grid.header_rows :]
    lists_items = _lists_items(headers.values())
    # The first row of a form of two columns may look like a header, and is a label with its value.
    for cells in grid.rows if grid.columns == _FORM_COLUMNS else body:
        above = grid.groups[cells[0].row] if cells else None
        group = above.text if above else ""
        label: TextCell | None = None
        for cell in cells:
            header = headers.get(cell.column, "")
            yield from _in_cell(cell, grid, (*heading, group), lists_items)
            if label is not None and len(cell.text) <= MAX_VALUE_CHARS:
                context = tuple(filter(None, (*heading, group)))
                row = Source.TABLE_ROW
                # A header is of the rows that begin in the first column: what is set in from it has its own.
                header = header if label.column == 0 and cell.row >= grid.header_rows else ""
                is_of_item = lists_items and not is_amount_label(label.text)
                yield Candidate(
                    label.text, context, cell.start, cell.end, cell.text, label.start, row, grid, cell, header,
                    is_of_item=is_of_item,
                )  # fmt: skip
            # With a header the first cell names the row; without one a cell of words names what is right of it.
            # The name of a sum names what is right of it in any table.
            is_label = not grid.header_rows and not any(map(str.isdigit, cell.text))
            if label is None or is_label or is_amount_label(cell.text):
                label = cell if any(map(str.isalpha, cell.text)) else label
            if header and len(body) == 1:
                row_name = label.text if label is not None and label is not cell else ""
                yield Candidate(
                    header, heading, cell.start, cell.end, cell.text, cell.start, Source.TABLE_COLUMN, grid, cell,
                    row=row_name, is_of_item=lists_items,
                )  # fmt: skip


def _lists_items(headers: Iterable[str]) -> bool:
    """Return True if a table's columns are those of goods: what, how many, for how much."""
    terms = [label_terms(header) for header in headers]
    return len(terms) > _FORM_COLUMNS and any("quantity" in one for one in terms)


def _in_cell(cell: TextCell, grid: TextGrid, context: tuple[str, ...], lists_items: bool) -> Iterator[Candidate]:
    for one in _of_line(cell.text, cell.start, tuple(filter(None, context))):
        is_of_item = lists_items and not is_amount_label(cell.text.partition(":")[0])
        yield replace(one, grid=grid, cell=cell, is_of_item=is_of_item)


def _of_text(chunk: Chunk) -> Iterator[Candidate]:
    offset = chunk.start
    context = chunk.heading_path[-1:]
    above = ""
    above_start = 0
    for line in chunk.text.splitlines(keepends=True):
        if chunk.kind is ChunkKind.TABLE and line.lstrip().startswith("|"):
            return  # the heading of the section is in the chunk, too, and no row of its table
        text = line.rstrip("\r\n")
        stripped = text.strip(_MARKS)
        yield from _of_line(text, offset, context)
        if stripped and above and not any(map(str.isdigit, above)):
            start = offset + text.index(stripped)
            value = stripped[:MAX_VALUE_CHARS]
            yield Candidate(above, context, start, start + len(value), value, above_start, Source.BELOW)
        if stripped:
            is_label = len(stripped.split()) <= _MAX_LABEL_WORDS and is_known(stripped)
            above, above_start = (stripped, offset) if is_label else ("", 0)
        offset += len(line)


def _of_line(line: str, offset: int, context: tuple[str, ...]) -> Iterator[Candidate]:
    yield from _colons(line, offset, context)
    previous = 0
    above = ""
    for start, end in _values(line):
        words = line[previous:start].strip(_BRACKETED).split()[-_MAX_LABEL_WORDS:]
        label = " ".join(words)
        # "Invoice no. 5 of 3 May": a preposition goes on with the label before it.
        if above and words and PREPOSITIONS.issuperset(word.lower() for word in words):
            label = f"{above} {label}"
        above = label
        # "30 days" is a duration: its unit names nothing that follows.
        is_unit = line[:previous].endswith(_DIGITS) and words and _DURATION.match(words[0])
        if label and not is_unit and is_known(label):
            quote = offset + line.index(words[0], previous) if words else offset + start
            # The unit of a duration is a part of it: "net 30 days" is no amount.
            word = _WORD_AFTER.match(line, end)
            last = word.end() if word and line[end - 1] in _DIGITS and _DURATION.match(word["word"]) else end
            yield Candidate(label, context, offset + start, offset + last, line[start:last], quote, Source.IN_TEXT)
        previous = end


def _colons(line: str, offset: int, context: tuple[str, ...]) -> Iterator[Candidate]:
    """Yield what a line has as `label: value`, also several in one line."""
    colons = list(_COLON.finditer(line))
    labels = [_label_before(line, colons[number - 1].end() if number else 0, colon.start(), not number)
              for number, colon in enumerate(colons)]  # fmt: skip
    for number, colon in enumerate(colons):
        until = labels[number + 1] if number + 1 < len(colons) else len(line)
        raw = line[colon.end() : until]
        value = raw.strip(_MARKS + ",;")
        if not value:
            continue
        start = colon.end() + raw.index(value)
        label = line[labels[number] : colon.start()].strip(_MARKS)
        value = value[:MAX_VALUE_CHARS]
        yield Candidate(
            label, context, offset + start, offset + start + len(value), value, offset + labels[number], Source.COLON
        )


def _label_before(line: str, first: int, end: int, is_first: bool) -> int:
    """Return where the label before a colon begins: where its line or sentence does, or with its last known words."""
    sentences = list(_SENTENCE_END.finditer(line, first, end))
    if sentences:
        first, is_first = sentences[-1].end(), True
    if is_first:
        words = line[first:end].split()
        if len(words) <= _MAX_LABEL_WORDS:
            return first + len(line[first:end]) - len(line[first:end].lstrip(_MARKS))
    match = _LAST_WORDS.search(line, first, end)
    if match is None:
        return end
    words = list(re.finditer(r"\S+", line[match.start() : end]))
    start = words[-1].start() if words else 0
    for word in reversed(words[:-1]):
        if any(map(str.isdigit, word[0])) or not is_known(word[0]):
            break
        start = word.start()
    return match.start() + start


def _values(line: str) -> list[tuple[int, int]]:
    """Return the spans of dates, identifiers and amounts in a line, in order and apart."""
    spans = [(one.start, one.end) for one in read_dates(line)]
    # From one day to another is one value: neither day is the date of what the label names.
    for one, other in reversed(list(pairwise(spans))):
        if _DATE_RANGE.fullmatch(line, one[1], other[0]):
            spans = [span for span in spans if span not in (one, other)] + [(one[0], other[1])]
    for pattern in (_IDENTIFIER, _AMOUNT):
        for match in pattern.finditer(line):
            span = match.start(), match.start() + len(match[0].rstrip(" .,"))
            if span[1] > span[0] and all(span[1] <= start or end <= span[0] for start, end in spans):
                spans.append(span)
    return sorted(spans)
