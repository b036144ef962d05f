"""Edges that part numbers from the texts at their right."""

from dataclasses import replace

from pincite.formats.pdf.page.rules import Rules
from pincite.formats.pdf.page.words import Line, Word, line_of
from pincite.formats.pdf.tables.edges import is_justified, shared_edges, shared_starts
from pincite.formats.pdf.tables.find import find_tables
from pincite.formats.pdf.tables.segments import rows_of
from pincite.formats.pdf.tables.spanned_names import segments_of
from support.typed_pages import typed, word

GAP = 6
ENDS, GRADES = ("64%", "7%", "100%"), ("Good", "Bad", "Good")


def rows(gap: float = GAP, shift: float = 0) -> list[list[Word]]:
    lines: list[list[Word]] = []
    for number, end in enumerate(ENDS):
        value = word(end, 0, 12.0 * number, 20 * number + 10)
        width = value.x1 - value.x0
        right = 100 + shift * number
        placed = replace(value, x0=right - width, x1=right)
        text = word(GRADES[number], right + gap, 12.0 * number, 20 * number + 15)
        lines.append([word("Unit", 0, 12.0 * number, 20 * number), placed, text])
    return lines


def test_numbers_that_end_where_texts_begin_at_one_edge_are_apart() -> None:
    (edge,) = shared_edges(rows())
    assert (edge.right, edge.left) == (100, 100 + GAP)
    assert all(edge.is_between(*line[1:]) for line in rows())


def test_spaces_first_words_and_ragged_edges_part_nothing() -> None:
    assert shared_edges(rows(gap=2.5)) == shared_edges(rows(shift=5)) == shared_edges(rows()[:2]) == []
    assert shared_edges(line[1:] for line in rows()) == []


def test_a_unit_and_a_number_within_a_label_are_part_of_that() -> None:
    assert shared_edges([*line[:2], replace(line[2], text="years")] for line in rows()) == []
    near = [[replace(line[0], x1=line[1].x0 - 5, text="under"), *line[1:]] for line in rows()]
    assert shared_edges(near) == []


def test_a_table_has_a_column_for_each_side_of_an_edge() -> None:
    lines = [[line[0], word("5", 50, line[0].y0, line[0].first + 5), *line[1:]] for line in rows()]
    (table,) = find_tables([line_of(line) for line in lines], Rules([], []))
    assert [[cell.text for cell in table.table.cells if cell.row == row] for row in range(3)] == [
        ["Unit", "5", end, grade] for end, grade in zip(ENDS, GRADES, strict=True)
    ]


def keyed(gap: float = 6.5, space: float = 2.5) -> list[list[Word]]:
    """Rows of a date, a text of two words close behind it, and a value far from both."""
    rows: list[list[Word]] = []
    for number in range(4):
        y, first = 12.0 * number, 40 * number
        date = word(f"0{number}/01", 0, y, first)
        name = word(("Rent", "Water", "Fees", "Light")[number], date.x1 + gap, y, first + 8)
        rows.append([date, name, word("paid", name.x1 + space, y, first + 18), word("10.00", 200, y, first + 25)])
    return rows


def test_texts_that_begin_at_one_edge_close_behind_the_key_of_their_row_are_apart() -> None:
    (start,) = shared_starts(keyed())
    assert start.left == keyed()[0][1].x0 and all(start.is_between(*row[:2]) for row in keyed())
    (table,) = find_tables([line_of(row) for row in keyed()], Rules([], []))
    assert [cell.text for cell in table.table.cells if cell.row == 0] == ["00/01", "Rent paid", "10.00"]


def test_wide_spaces_labels_of_lists_and_units_begin_no_column() -> None:
    assert shared_starts(keyed(space=6)) == shared_starts(keyed(gap=3)) == shared_starts(keyed()[:2]) == []
    assert shared_starts([[replace(row[0], text="1."), *row[1:]] for row in keyed()]) == []
    assert shared_starts([[replace(row[0], text="12"), replace(row[1], text="pcs"), row[3]] for row in keyed()]) == []
    # Without white elsewhere a line is no row.
    assert shared_starts([row[:3] for row in keyed()]) == []
    crossing = [
        [word("across", 10, 12.0 * n + 6, 300 + 9 * n), word("10.00", 200, 12.0 * n + 6, 400)] for n in (0, 1, 2)
    ]
    assert shared_starts([*keyed(), *crossing]) == []


def test_a_negative_amount_in_brackets_is_no_label_where_it_is_within_a_row() -> None:
    def row(date: Word, name: Word, paid: Word, value: Word) -> list[Word]:
        return [replace(value, x0=date.x0 - 60, x1=date.x0 - 30), replace(date, text="(12)"), name, paid]

    assert len(shared_starts(row(*words) for words in keyed())) == 1


def test_words_of_many_widths_that_are_as_far_apart_as_each_other_are_a_justified_line() -> None:
    assert is_justified(only_line("Text   that   extends   over   a   column").words)
    assert not is_justified(only_line("Text   that   extends    over   a   column").words)
    assert not is_justified(only_line("Text   that   extends   over").words)


def test_columns_of_one_width_as_far_apart_as_each_other_are_no_justified_line() -> None:
    assert not is_justified(only_line("none   some   most   each   none   some").words)
    assert not is_justified(only_line("1,200   13   1,400   15   16   1,700").words)


def test_a_justified_line_is_one_text() -> None:
    line = only_line("Text   that   extends   over   a   column")
    assert [segment.text for row in rows_of([line]) for segment in row.segments] == [line.text]
    assert len(segments_of(line)) == 1


def only_line(text: str) -> Line:
    (line,) = typed(text)
    return line
