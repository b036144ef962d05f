from dataclasses import replace

from pincite.formats.pdf.page.placed_text import PlacedText
from pincite.formats.pdf.page.words import Line
from pincite.formats.pdf.tables.borderless import find_borderless
from pincite.formats.pdf.tables.draft import TableDraft, WordCell, detected_table, file_order_text
from pincite.formats.pdf.tables.segments import rows_of
from support.pdf_statements import STATEMENT
from support.typed_pages import typed, word


def test_the_text_in_the_file_s_order_is_kept_where_it_is_another() -> None:
    lines = typed(STATEMENT)
    (draft,) = find_borderless(rows_of(lines))
    assert detected_table(draft, _said).table.source == ""
    back = [Line(tuple(replace(w, first=1000 - w.first) for w in line.words), *_edges(line)) for line in lines]
    (draft,) = find_borderless(rows_of(back))
    source = detected_table(draft, _said).table.source
    assert source.startswith("987\n$") and source.splitlines()[-1] == "(In"


def test_text_in_the_file_s_order_breaks_where_a_line_does() -> None:
    assert file_order_text([word("a", 0, 0, 0), word("b", 20, 0, 2), word("c", 0, 12, 4)]) == "a b\nc"


def test_a_table_from_right_to_left_begins_with_its_column_at_the_right() -> None:
    words = [word("2,024", 0, 0, 0), word("2,023", 60, 0, 6), word("ספר", 120, 0, 12)]
    words += [word("17", 0, 12, 16), word("4", 60, 12, 19), word("בית", 120, 12, 21)]
    cells = tuple(WordCell(number // 3, number % 3, (one,)) for number, one in enumerate(words))
    table = detected_table(TableDraft(2, 3, 1, cells, tuple(words)), _said).table
    assert [(cell.row, cell.column, cell.text) for cell in table.cells[:3]] == [
        (0, 0, "ספר"),
        (0, 1, "2,023"),
        (0, 2, "2,024"),
    ]
    assert [cell.text for cell in table.cells[3:]] == ["בית", "4", "17"]


def _said(words: object) -> PlacedText:
    return PlacedText(" ".join(one.text for one in words))  # type: ignore[attr-defined]  # words


def _edges(line: Line) -> tuple[float, float, float, float, float]:
    return line.x0, line.y0, line.x1, line.y1, line.size
