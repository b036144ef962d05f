from pincite.model.document import Block, BlockKind, Cell, Table
from pincite.text.tables.grids import text_grid

TEXT = """\
| Model | A5 | A6 |
| --- | --- | --- |
| Power | 5 kW |  |
| Escaped \\| bar | 1 | 2 |
"""


def block(text: str, table: Table | None = None) -> Block:
    return Block(BlockKind.TABLE, 0, len(text), table=table, page=3)


def test_every_cell_has_its_span() -> None:
    grid = text_grid(TEXT, block(TEXT))
    assert grid is not None
    assert (grid.columns, grid.header_rows, grid.page) == (3, 1, 3)
    assert [[cell.text for cell in row] for row in grid.rows] == [
        ["Model", "A5", "A6"],
        ["Power", "5 kW"],
        ["Escaped \\| bar", "1", "2"],
    ]
    assert all(TEXT[cell.start : cell.end] == cell.text for row in grid.rows for cell in row)
    found = grid.cell_at(TEXT.index("kW"))
    assert found is not None
    assert (found.row, found.column) == (1, 1)
    assert grid.cell_at(TEXT.index("---")) is None


def test_a_merged_cell_covers_its_columns_and_rows() -> None:
    cells = (Cell(0, 0, "Model"), Cell(1, 1, "5 kW", column_span=2), Cell(1, 0, "Power", row_span=2))
    grid = text_grid(TEXT, block(TEXT, Table(3, 3, cells, header_rows=1)))
    assert grid is not None
    merged = grid.covering(1, 2)
    assert merged is not None
    assert merged.text == "5 kW"
    below = grid.covering(2, 0)
    assert below is not None
    assert below.text == "Escaped \\| bar"  # its own cell comes first
    assert grid.covering(9, 9) is None


def test_an_empty_header_row_is_none() -> None:
    text = "|  |  |\n| --- | --- |\n| Total | 5 |"
    grid = text_grid(text, block(text))
    assert grid is not None
    assert grid.header_rows == 0
    assert [cell.text for cell in grid.rows[0]] == ["Total", "5"]


def test_what_is_no_pipe_table_has_no_grid() -> None:
    assert text_grid("a, b", block("a, b")) is None


def test_words_above_figures_are_a_header() -> None:
    rows = "|  |  |  |\n| --- | --- | --- |\n| Leistung | Menge | Preis |\n| Dach | 1 | 42,00 |\n"
    grid = text_grid(rows, block(rows))
    assert grid is not None and grid.header_rows == 1
    form = "|  |  |  |\n| --- | --- | --- |\n| Name | Abara | Ruth |\n| Born | 1980 | 3 |\n| Lives | here | now |\n"
    other = text_grid(form, block(form))
    assert other is not None and other.header_rows == 0


def test_the_lines_of_a_cell_are_those_of_its_reader_or_of_its_markup() -> None:
    text = "| Seller: Acme \\| Co | Buyer:<br>Foo |\n| --- | --- |\n| 1 | 2 |"
    cells = (Cell(0, 0, "Seller:\nAcme | Co"), Cell(0, 1, "Buyer:<br>Foo"), Cell(1, 0, "1"), Cell(1, 1, "2"))
    grid = text_grid(text, block(text, Table(2, 2, cells)))
    assert grid is not None
    lines = [list(cell.lines()) for cell in grid.rows[0]]
    assert [[line for _, line in one] for one in lines] == [["Seller:", "Acme \\| Co"], ["Buyer:", "Foo"]]
    assert all(text[start:].startswith(line) for one in lines for start, line in one)
