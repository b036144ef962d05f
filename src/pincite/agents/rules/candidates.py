"""Collect what a document says as label and value: table cells, `label: value` lines, values in running text."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from pincite.model.chunk import Chunk, ChunkKind
from pincite.model.extraction import Material
from pincite.text.tables.columns import ticked, truth_columns
from pincite.text.tables.grids import TextCell, TextGrid
from pincite.text.terms.labels import is_amount_label, is_known, label_terms
from pincite.text.values.booleans import read_boxes
from pincite.text.values.tokens import read_tokens

MAX_VALUE_CHARS = 300
"""Maximum length of a value: a longer one is a paragraph."""
_MAX_LABEL_WORDS = 7
"""Words of a line before a value that may be its label."""
_COLON = re.compile(r"(?<=[^\s\d/])\s?[:：](?=\*{0,2}(?:\s|$))")  # noqa: RUF001 - the colon of CJK text
_LAST_WORDS = re.compile(r"(?:\S+\s+){0,3}\S+\s*\Z")
_BARE_PERCENT = re.compile(r"\(?\d{1,3}(?:[.,]\d{1,3})?\s?%\)?")
_MIN_PROSE_WORDS = 12
_MIN_SENTENCE_WORDS = 6
"""The same of a line that ends with a full stop."""
_MIN_PROSE_SHARE = 0.5
"""Share of a line's words that are of small letters alone from which a long one is a sentence, and no row of values."""
_CROSS_REFERENCE = re.compile(
    r"(?:notes?|sections?|pages?|chapters?|items?|exhibits?|tables?|figures?|articles?|parts?|schedules?|appendix|annex"
    r"|anhang|anlage|abschnitt|kapitel|seiten?|tabelle|abbildung|artikel|ziffer|annexe|chapitre|tableau|anexo|sección"
    r"|capítulo|página|allegato|sezione|capitolo|pagina|bijlage|hoofdstuk|§+)\Z",
    re.IGNORECASE,
)
"""Words before the number of another place of the document, which is no value."""
_OTHER_DOCUMENT = re.compile(
    r"\b(?:report|form|filing|statement|letter|agreement|bericht|schreiben|vertrag|rapport|informe|rapporto|contratto)\b"
    r"[^.;:]{0,40}\Z",
    re.IGNORECASE,
)
"""Before a name in a sentence: what it says is of that other document."""
_MARKS = " \t*_#>|`-•·:："  # noqa: RUF001 - as above
PREPOSITIONS = frozenset("nr nr. no no. n° nº numéro vom von am du le de del dated of from on van op il".split(" "))  # noqa: SIM905
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
        quote_end: One past the last character of that passage; 0 if the value ends it.
        is_prose: Whether it is in a sentence, which may speak of other years and documents.
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
    is_prose: bool = False
    quote_end: int = 0

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
        block = next((block for block in section.blocks if block.title), None) if section.number == 1 else None
        if block is not None and (start := material.document.text.find(block.title, block.start)) >= 0:
            end = start + len(block.title)
            yield Candidate(block.title, (), start, end, block.title, start, Source.TITLE)


def _heading_at(chunks: Sequence[Chunk], index: int) -> tuple[str, ...]:
    return next((chunk.heading_path[-1:] for chunk in chunks if chunk.start <= index < chunk.end), ())


def _of_table(grid: TextGrid, heading: tuple[str, ...]) -> Iterator[Candidate]:
    headers = {cell.column: cell.text for cells in grid.rows[: grid.header_rows] for cell in cells}
    body = grid.rows[grid.header_rows :]
    lists_items = _lists_items(headers.values())
    answers = truth_columns(grid)
    # The first row of a form of two columns may look like a header, and is a label with its value.
    for cells in grid.rows if _is_form(grid) else body:
        above = grid.groups[cells[0].row] if cells else None
        group = above.text if above else ""
        label: TextCell | None = None
        answer = ticked(grid, cells[0].row) if cells else None
        for cell in cells:
            is_answer = answers is not None and cell.row > 0 and cell.column in answers
            if is_answer and not (answer is not None and cell is answer[0]):
                continue
            header = "" if is_answer else headers.get(cell.column, "")
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


def _is_form(grid: TextGrid) -> bool:
    """Return True if the first row of a table of two columns may be a label and its value, as the rows below."""
    below = [cells[0].text for cells in grid.rows[1:] if cells and cells[0].column == 0]
    return grid.columns == _FORM_COLUMNS and (grid.header_rows == 0 or 2 * sum(map(is_known, below)) >= len(below))


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
        first, last = _stripped(text, 0, _MARKS)
        stripped = text[first:last]
        is_prose = _is_prose(text)
        for one in _of_line(text, offset, context):
            is_other = is_prose and _OTHER_DOCUMENT.search(text, 0, max(0, one.quote_start - offset))
            if not (is_other and one.source is Source.IN_TEXT):
                yield replace(one, is_prose=is_prose and one.source is Source.IN_TEXT)
        if stripped and above and not any(map(str.isdigit, _BARE_PERCENT.sub("", above))):
            start = offset + first
            value = stripped[:MAX_VALUE_CHARS]
            yield Candidate(above, context, start, start + len(value), value, above_start, Source.BELOW)
        if stripped:
            is_label = len(stripped.split()) <= _MAX_LABEL_WORDS and is_known(stripped)
            above, above_start = (stripped, offset) if is_label else ("", 0)
        offset += len(line)


def _is_prose(line: str) -> bool:
    words = line.split()
    plain = sum(word.strip(".,;()").isalpha() and word.islower() for word in words)
    is_long = len(words) >= _MIN_PROSE_WORDS or (len(words) >= _MIN_SENTENCE_WORDS and line.rstrip().endswith("."))
    return is_long and plain >= _MIN_PROSE_SHARE * len(words)


def _boxes(line: str, offset: int, context: tuple[str, ...]) -> Iterator[Candidate]:
    """Yield the boxes to tick of a line, each with its option as the label."""
    boxes = [one for one in read_boxes(line) if one.option]
    for one in boxes if any(box.is_ticked for box in boxes) or len(boxes) == 1 else ():
        start, mark_end, end = offset + one.start, offset + one.mark_end, offset + one.end
        mark = line[one.start : one.mark_end]
        yield Candidate(one.option, context, start, mark_end, mark, offset, Source.COLON, quote_end=end)


def _of_line(line: str, offset: int, context: tuple[str, ...]) -> Iterator[Candidate]:
    yield from _colons(line, offset, context)
    yield from _boxes(line, offset, context)
    previous = 0
    above, above_quote = "", offset
    for start, end in _values(line):
        between = line[previous:start]
        words = between.strip(_BRACKETED).split()[-_MAX_LABEL_WORDS:]
        label = " ".join(words)
        quote = offset + line.index(words[0], previous) if words else offset + start
        # "Invoice no. 5 of 3 May": a preposition goes on with the label before it.
        if above and words and PREPOSITIONS.issuperset(word.lower() for word in words):
            label = f"{above} {label}"
        # "VAT (20 %) 450.00": a rate goes with the label before it.
        elif above and line[:previous].endswith("%") and not any(map(str.isalpha, between)):
            label, quote = above, above_quote
        above, above_quote = label, quote
        # "30 days" is a duration: its unit names nothing that follows.
        is_unit = line[:previous].endswith(_DIGITS) and words and _DURATION.match(words[0])
        is_place = words and _CROSS_REFERENCE.match(words[-1])
        if label and not is_unit and not is_place and is_known(label):
            # The unit of a duration is a part of it: "net 30 days" is no amount.
            word = _WORD_AFTER.match(line, end)
            is_part = word and line[end - 1] in _DIGITS and _DURATION.match(word["word"])
            last = word.end() if word and is_part else end
            yield Candidate(label, context, offset + start, offset + last, line[start:last], quote, Source.IN_TEXT)
        previous = end


def _colons(line: str, offset: int, context: tuple[str, ...]) -> Iterator[Candidate]:
    """Yield what a line has as `label: value`, also several in one line."""
    colons = list(_COLON.finditer(line))
    labels = [_label_before(line, colons[number - 1].end() if number else 0, colon.start(), not number)
              for number, colon in enumerate(colons)]  # fmt: skip
    for number, colon in enumerate(colons):
        until = labels[number + 1] if number + 1 < len(colons) else len(line)
        start, end = _stripped(line[:until], colon.end(), _MARKS + ",;")
        if start == end:
            continue
        label = line[labels[number] : colon.start()].strip(_MARKS)
        value = line[start : min(end, start + MAX_VALUE_CHARS)]
        yield Candidate(
            label, context, offset + start, offset + start + len(value), value, offset + labels[number], Source.COLON
        )


def _stripped(text: str, first: int, marks: str) -> tuple[int, int]:
    """Return the span of a text from an index on without marks around it; the minus of an amount is none."""
    rest = text[first:]
    start, end = first + len(rest) - len(rest.lstrip(marks)), first + len(rest.rstrip(marks))
    if end <= start:
        return start, start
    numbers = [one for token in read_tokens(text[first:]) for one in token.numbers]
    starts, ends = [start, *(first + one.start for one in numbers)], [end, *(first + one.end for one in numbers)]
    return min(starts), max(ends)


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
    """Return the spans of dates, identifiers and quantities in a line, in order and apart."""
    spans: list[tuple[int, int]] = []
    previous = False
    certain = (one for one in read_tokens(line) if all(len(number.readings) == 1 for number in one.numbers))
    for token in certain:
        # From one day to another is one value: neither day is the date of what the label names.
        is_range = previous and token.days and _DATE_RANGE.fullmatch(line, spans[-1][1], token.start)
        start = spans.pop()[0] if is_range else token.start
        spans.append((start, token.end))
        previous = bool(token.days)
    return spans
