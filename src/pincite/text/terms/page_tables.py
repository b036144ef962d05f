"""Read lists of a page by the boxes of its text, where no reader found their table, or a cut one."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise

from pincite.model.extraction import Material
from pincite.text.tables.grids import TextCell, TextGrid
from pincite.text.terms.form_pairs import Run, is_beside, runs_by_page
from pincite.text.terms.labels import is_amount_label, label_terms
from pincite.text.terms.vocabulary import Vocabulary, implied_terms
from pincite.text.values.tokens import CURRENCIES, read_quantities, read_tokens

_MIN_HEADS = 3
"""Texts of a line that may be a header: two are as well a label and its value."""
_MIN_KNOWN = 2
"""The terms of these that the schema has."""
_MAX_STEP = 2.0
"""Heights of a line to the middle of the next one of the same header or cell."""
_MAX_HEADER_LINES = 3
_MIN_ALIKE = 2 / 3
"""Share of a record's texts that are under those of the first one, and of the first one's columns that it has."""
_EDGE_POINTS = 3
"""Accuracy of an edge in points."""
_WORD = re.compile(r"\S+")
_WORDS = frozenset({"name"})
"""What a text of words alone implies."""

_Line = Sequence[Run]


def page_tables(material: Material, vocabulary: Vocabulary) -> list[TextGrid]:
    """Return a table for each line of a page that may be the header of the lines below, its rows those of the page.

    Columns are those of the first line below, the words over them their names. Lines that are not alike have no cells,
    and neither has a text in several columns, or one that the next line may go on with.
    """
    key = page_tables, vocabulary
    if key not in material.derived:
        pages = runs_by_page(material.chunks)
        material.derived[key] = [
            grid for page, runs in pages.items() for grid in _tables(page, _lines(runs), vocabulary)
        ]
    return material.derived[key]


def _lines(runs: Iterable[Run]) -> list[_Line]:
    lines: list[list[Run]] = []
    for run in sorted(runs, key=lambda one: one.box.y0 + one.box.y1):
        if lines and is_beside(lines[-1][0].box, run.box):
            lines[-1].append(run)
        else:
            lines.append([run])
    return [sorted(line, key=lambda one: one.box.x0) for line in lines]


def _tables(page: int, lines: Sequence[_Line], vocabulary: Vocabulary) -> Iterator[TextGrid]:
    headers = [number for number, line in enumerate(lines[:-1]) if _is_header(line, vocabulary)]
    if not headers:
        return
    parts = [[*chain.from_iterable(map(_typed_parts, line))] for line in lines]
    for number in headers:
        first = number
        while first and number - first < _MAX_HEADER_LINES - 1 and _is_over(lines[first - 1], lines[first]):
            first -= 1
        columns = [(one.box.x0, one.box.x1) for one in parts[number + 1]]
        rows: list[dict[int, TextCell]] = [{} for _ in lines]
        for row in range(number + 1, len(lines)):
            if _plain(lines[row]) == _plain(lines[number]):
                break
            if _is_alike(parts[row], parts[number + 1], columns):
                rows[row] = _cells(parts[row], row, columns)
            else:
                _drop_continued(rows[row - 1], lines[row], columns, vocabulary)
        heads = [
            (row, run, _cell(head, row, column))
            for row in range(first, number + 1)
            for run in lines[row]
            for head in _heads(run, columns)
            if (column := _nearest(head, columns)) is not None
        ]
        # A column under two texts of a line is that of neither.
        over = Counter((row, column) for row, _, column in {(row, run, cell.column) for row, run, cell in heads})
        shared = {column for (_, column), count in over.items() if count > 1}
        cells = [[own[column] for column in sorted(own) if column not in shared] for own in rows]
        for row, _, cell in heads:
            cells[row].append(cell)
        start = min(one.start for line in lines for one in line)
        yield TextGrid(start, start, cells, len(columns), number + 1, page, [None] * len(cells))


def _is_header(line: _Line, vocabulary: Vocabulary) -> bool:
    if len(line) < _MIN_HEADS:
        return False
    terms = label_terms(" ".join(_plain(line)))
    return len(terms & vocabulary.words) >= _MIN_KNOWN and _is_of_words(line)


def _is_of_words(line: _Line) -> bool:
    return not any(read_quantities(one.text) or one.text.endswith(":") for one in line)


def _is_over(upper: _Line, lower: _Line) -> bool:
    """Return True if a line of words alone is directly over another line."""
    step = lower[0].box.y0 + lower[0].box.y1 - upper[0].box.y0 - upper[0].box.y1
    return step <= 2 * _MAX_STEP * (lower[0].box.y1 - lower[0].box.y0) and _is_of_words(upper)


def _plain(line: _Line) -> list[str]:
    return [one.text for one in line]


def _typed_parts(run: Run) -> Iterator[Run]:
    """Yield the dates and amounts of a text, and what is between them: a narrow gap may separate two columns."""
    typed = [one for one in read_tokens(run.text) if one.days or one.unit in CURRENCIES]
    cuts = {one.start for one in typed if run.text[: one.start].rstrip()[-1:].isalnum()}
    cuts |= {one.end for one in typed if run.text[one.end :].lstrip()[:1].isalpha()}
    cuts = sorted(cuts | {0, len(run.text)})
    return (_part(run, *cut) for cut in pairwise(cuts) if run.text[slice(*cut)].strip())


def _heads(run: Run, columns: Sequence[tuple[float, float]]) -> Iterator[Run]:
    """Yield the text of a header as it is, or its words if it is over several columns."""
    is_one = len(_under(run, columns)) <= 1
    return iter([run]) if is_one else (_part(run, *match.span()) for match in _WORD.finditer(run.text))


def _part(run: Run, start: int, end: int) -> Run:
    """Return a part of a text with its box, as wide as its share of the characters."""
    text = run.text[start:end]
    start += len(text) - len(text.lstrip())
    width = (run.box.x1 - run.box.x0) / len(run.text)
    left = run.box.x0 + width * start
    return Run(text.strip(), run.start + start, replace(run.box, x0=left, x1=left + width * len(text.strip())))


def _under(run: Run, columns: Sequence[tuple[float, float]]) -> list[int]:
    return [number for number, (left, right) in enumerate(columns) if run.box.x0 < right and left < run.box.x1]


def _is_alike(line: _Line, first: _Line, columns: Sequence[tuple[float, float]]) -> bool:
    """Return True if nearly all texts of a line are in the columns of the first record, with digits where it has."""
    under = [(one, numbers[0]) for one in line if len(numbers := _under(one, columns)) == 1]
    alike = {number for one, number in under if _has_digits(one) == _has_digits(first[number])}
    return len(alike) >= _MIN_ALIKE * max(len(line), len(columns)) > 1


def _has_digits(run: Run) -> bool:
    return any(map(str.isdigit, run.text))


def _cells(line: _Line, row: int, columns: list[tuple[float, float]]) -> dict[int, TextCell]:
    found: dict[int, list[Run]] = {}
    for one in line:
        under = _under(one, columns)
        if len(under) > 1:
            under = [number for number in under if abs(columns[number][0] - one.box.x0) <= _EDGE_POINTS]
        elif len(under) == 1:
            left, right = columns[under[0]]
            columns[under[0]] = min(left, one.box.x0), max(right, one.box.x1)
        for column in under if len(under) == 1 else ():
            found.setdefault(column, []).append(one)
    return {column: _cell(runs[0], row, column) for column, runs in found.items() if len(runs) == 1}


def _cell(run: Run, row: int, column: int) -> TextCell:
    return TextCell(row, column, run.start, run.start + len(run.text), run.text)


def _nearest(word: Run, columns: Sequence[tuple[float, float]]) -> int | None:
    """Return the column that a word of the header is over, or next to."""
    gaps = [max(word.box.x0, left) - min(word.box.x1, right) for left, right in columns]
    best = min(range(len(columns)), key=gaps.__getitem__)
    return best if gaps[best] <= word.box.y1 - word.box.y0 else None


def _drop_continued(
    above: dict[int, TextCell], line: _Line, columns: Sequence[tuple[float, float]], vocabulary: Vocabulary
) -> None:
    """Remove the words of a row that the line below, which is no row, may go on with."""
    for one in line:
        is_other = is_amount_label(one.text) or vocabulary.is_label(one.text) or not any(map(str.isalpha, one.text))
        for column in () if is_other else _under(one, columns):
            if column in above and implied_terms(above[column].text) == _WORDS:
                del above[column]
