"""Pages for tests, typed as they look: a character is half an em wide, a line 1.2 em high."""

import re
from collections.abc import Iterable

from pincite.formats.pdf.page.words import Line, Word, line_of
from pincite.formats.pdf.tables.draft import TableDraft

SIZE = 10.0
WIDTH, LEADING = SIZE / 2, 1.2 * SIZE


def typed(
    page: str, *, bold: Iterable[int] = (), sizes: dict[int, float] | None = None, tight: float = LEADING
) -> list[Line]:
    """The lines of a page.

    Args:
        page: Its text; an empty line is an empty line, the first line break is none.
        bold: Numbers of lines that are, from 0.
        sizes: Font sizes of lines that are not of `SIZE`.
        tight: Distance of two lines.
    """
    lines: list[Line] = []
    first = 0
    for number, text in enumerate(page.removeprefix("\n").splitlines()):
        size = (sizes or {}).get(number, SIZE)
        words: list[Word] = []
        for match in re.finditer(r"\S+", text):
            words.append(
                word(match.group(), match.start() * WIDTH, number * tight, first, size=size, bold=number in set(bold))
            )
            first += len(match.group()) + 1
        if words:
            lines.append(line_of(words))
    return lines


def word(text: str, x0: float, y0: float, first: int = 0, *, size: float = SIZE, bold: bool = False) -> Word:
    """A word at a place."""
    return Word(
        text=text,
        x0=x0,
        y0=y0,
        x1=x0 + len(text) * size / 2,
        y1=y0 + size,
        size=size,
        font="Test",
        bold=bold,
        italic=False,
        colour=0,
        first=first,
        last=first + len(text) - 1,
        mcid=-1,
        turns=0,
        object=1,
    )


def grid(draft: TableDraft) -> list[list[str]]:
    """The texts of a table by row and column; a header's in every column of its span."""
    rows = [[""] * draft.columns for _ in range(draft.rows)]
    for cell in draft.cells:
        span = cell.column_span if cell.row < draft.header_rows else 1
        for column in range(cell.column, cell.column + span):
            rows[cell.row][column] = " ".join(word.text for word in cell.words)
    return rows


def columns_at(page: str, *starts: int, tight: float = LEADING) -> list[dict[int, list[Word]]]:
    """The words of each line of a page by column; those after the first begin at `starts`, in characters."""
    lines: list[dict[int, list[Word]]] = []
    for line in typed(page, tight=tight):
        lines.append({})
        for word in line.words:
            lines[-1].setdefault(sum(word.x0 >= start * WIDTH for start in starts), []).append(word)
    return lines
