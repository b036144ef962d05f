import csv
import io
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from pincite.errors import Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.csv.dialect import DELIMITERS
from pincite.formats.csv.reader import read
from pincite.formats.writing.page_writer import table_markdown
from pincite.formats.xlsx.grid import MAX_CUTS, filled, from_cells, regions
from pincite.model.call import Call
from pincite.model.document import CELL_END, ROW_END, Cell, PackedCells, Page, Table
from pincite.text.invisible import without_hidden
from support.workbooks import page_of, tables_of, texts_of, workbook

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn", "Zl", "Zp")), min_size=1, max_size=12)
WORD = TEXT.filter(lambda text: bool(text.strip()) and "\ufffe" not in text and without_hidden(text) == text)
CELL = st.one_of(st.just(""), WORD)


def grids(cell: st.SearchStrategy[str], least: int = 1) -> st.SearchStrategy[list[list[str]]]:
    def rows(width: int) -> st.SearchStrategy[list[list[str]]]:
        return st.lists(st.lists(cell, min_size=width, max_size=width), min_size=1, max_size=12)

    return st.integers(least, 6).flatmap(rows)


def written(grid: list[list[str]], top: int, left: int) -> bytes:
    def fill(book: Any) -> None:
        sheet = book.add_worksheet("Data")
        for row, texts in enumerate(grid):
            for column, text in enumerate(texts):
                if text:
                    sheet.write_string(top + row, left + column, text)

    return workbook(fill)


@given(grids(WORD, least=2), st.integers(0, 30), st.integers(0, 30))
def test_a_full_grid_comes_back_cell_for_cell(grid: list[list[str]], top: int, left: int) -> None:
    table = joined(tables_of(page_of(written(grid, top, left))))
    assert table == grid


def joined(tables: list[Table]) -> list[list[str]]:
    return [row for table in tables for row in texts_of(table)[table.header_rows if table.continued else 0 :]]


@given(grids(CELL))
def test_every_text_of_a_sheet_with_holes_is_in_the_page_once_at_least(grid: list[list[str]]) -> None:
    page = page_of(written(grid, 0, 0))
    cells = [cell.text for table in tables_of(page) for cell in table.cells]
    rest = page.text
    for text in (text for row in grid for text in row if text):
        assert text in cells or text.strip() in rest


@given(grids(CELL, least=2), st.sampled_from(DELIMITERS), st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]))
def test_any_delimited_file_comes_back_cell_for_cell(grid: list[list[str]], delimiter: str, quoting: int) -> None:
    names = [f"name {number}" for number in range(len(grid[0]))]
    rows = [names, *[[f"row {number}", *row[1:]] for number, row in enumerate(grid)]]
    buffer = io.StringIO(newline="")
    csv.writer(buffer, delimiter=delimiter, quoting=quoting).writerows(rows)  # pyright: ignore[reportArgumentType]
    _, page = read(Blob("x.csv", buffer.getvalue().encode()), ReadOptions(), Call())
    assert isinstance(page, Page)
    assert joined(tables_of(page)) == rows


@given(st.binary(max_size=300))
@example(b'"\n' * 9)
@example(b"\r\r,\n\n\r")
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        _, page = read(Blob("x.csv", b"a,b\n" + data), ReadOptions(), Call())
    except Unsupported:
        return
    assert isinstance(page, Page)
    position = 0
    for block in page.blocks:
        assert position <= block.start < block.end <= len(page.text)
        position = block.end


@given(grids(st.text("ab|\\ \t\n\xa0\u3000é", max_size=6)), st.integers(0, 2))
def test_packed_cells_are_written_as_single_ones_are(grid: list[list[str]], header_rows: int) -> None:
    headers = min(header_rows, len(grid))
    packed = PackedCells(ROW_END.join(map(CELL_END.join, grid)), len(grid[0]), headers)
    cells = tuple(Cell(r, c, text, header=r < headers) for r, row in enumerate(grid) for c, text in enumerate(row))
    assert packed == cells and tuple(packed) == cells and hash(packed) == hash(cells) and len(packed) == len(cells)
    assert packed[0] == cells[0] and packed[-1:] == cells[-1:]
    assert table_markdown(Table(len(grid), len(grid[0]), packed, headers)) == table_markdown(
        Table(len(grid), len(grid[0]), cells, headers)
    )


@given(st.lists(st.lists(st.booleans(), min_size=8, max_size=8), min_size=1, max_size=12))
def test_regions_hold_each_filled_cell_once(marks: list[list[bool]]) -> None:
    cells = {r: {c: "x" for c, mark in enumerate(row) if mark} for r, row in enumerate(marks) if any(row)}
    grid = from_cells(cells, (), ())
    found = list(regions(grid))
    inside = [
        (grid.rows[row].number, grid.columns[column])
        for region in found
        for row in range(region.top, region.bottom + 1)
        for column in range(region.left, region.right + 1)
        if grid.rows[row].filled >> column & 1
    ]
    assert sorted(inside) == [(row, column) for row in sorted(cells) for column in sorted(cells[row])]
    assert MAX_CUTS and filled(["", "x"]) == 2
