"""Two columns of text, in which tables are sought apart."""

from pincite.formats.pdf.page.rules import Rules
from pincite.formats.pdf.page.words import Line, line_of
from pincite.formats.pdf.tables.find import choose_tables
from pincite.formats.pdf.tables.text_columns import column_groups
from support.typed_pages import grid, typed, word

PROSE = "words of running text fill it"
TABLE = ("Label     2022    2021", "One      1,234   2,345", "Two      1,000   2,000", "Three    1,500   2,500")


def page(*rows: tuple[str, str], title: str = "") -> list[Line]:
    lines = [title] if title else []
    return typed("\n".join([*lines, *(f"{left:32}{right}" for left, right in rows)]))


def texts(groups: list[list[Line]]) -> list[list[str]]:
    return [[line.text for line in group] for group in groups]


def test_columns_of_prose_are_apart() -> None:
    title = "A title that runs across both of the columns of this page"
    groups = texts(column_groups(page(*[(PROSE, PROSE)] * 6, title=title)))
    assert groups == [[title], [PROSE] * 6, [PROSE] * 6]


def test_a_page_of_one_column_is_one_group() -> None:
    lines = typed("\n".join([f"{PROSE} and goes on to the very end of the line"] * 6))
    assert column_groups(lines) == [lines]


def test_the_labels_and_values_of_a_statement_are_no_columns() -> None:
    lines = page(*[("Cash and cash equivalents net", "  1,234     987     1,111")] * 8)
    assert column_groups(lines) == [lines]


def test_a_table_in_one_column_has_no_words_of_the_other() -> None:
    apart = [(PROSE, "")] * 3
    rows = [(PROSE, PROSE)] * 5 + apart + [(PROSE, row) for row in TABLE] + apart + [(PROSE, PROSE)] * 5
    (draft,) = choose_tables(page(*rows), Rules())
    assert grid(draft)[1:] == [["One", "1,234", "2,345"], ["Two", "1,000", "2,000"], ["Three", "1,500", "2,500"]]


def test_a_table_beside_text_with_lines_at_other_heights_is_in_another_column() -> None:
    """Neither rules nor prose on both sides: rows of a table would be at one height."""
    left = typed("\n".join([PROSE] * 12))
    rows = [("sales", f"{number},234", f"{number},345") for number in range(1, 10)]
    right = [
        line_of([word(text, 160 + 35 * column, 8 + 14 * n, 1000 + 50 * n + column) for column, text in enumerate(row)])
        for n, row in enumerate(rows)
    ]
    groups = texts(column_groups(sorted([*left, *right], key=lambda line: line.y0)))
    assert groups == [[PROSE] * 12, [" ".join(row) for row in rows]]


def test_labels_in_the_middle_of_their_rows_are_no_column() -> None:
    left = [line_of([word("one", 0, 8 + 30 * n, 100 * n)]) for n in range(9)]
    right = typed("\n".join(f"{'':40}{PROSE}" for _ in range(20)))
    lines = sorted([*left, *right], key=lambda line: line.y0)
    assert column_groups(lines) == [lines]


def test_a_table_at_the_top_of_the_right_column_is_of_it() -> None:
    rows = [("", row) for row in TABLE] + [(PROSE, PROSE)] * 6
    groups = texts(column_groups(page(*rows)))
    assert [len(group) for group in groups] == [6, 10]


def test_tables_in_three_columns_are_apart() -> None:
    rows = [*TABLE, *[f"{PROSE} to its very end"] * 8]
    lines = typed("\n".join(f"{row:48}{row:48}{row}" for row in rows))
    assert [len(group) for group in column_groups(lines)] == [12, 12, 12]


def test_three_columns_of_prose_are_apart() -> None:
    row = f"{PROSE} to its very end"
    lines = typed("\n".join([f"{row:48}{row:48}{row}"] * 8))
    assert [len(group) for group in column_groups(lines)] == [8, 8, 8]


def test_columns_of_prose_below_lines_across_one_of_their_gutters_are_not_three() -> None:
    row = f"{PROSE} to its very end"
    across = f"{'':48}{row} {row}"
    lines = typed("\n".join([f"{row:48}{row:48}{row}"] * 8 + [across] * 4))
    assert [len(group) for group in column_groups(lines)] != [8, 8, 8]


def test_the_lines_of_a_column_are_those_of_its_own_words() -> None:
    """Words of the other column, a little higher, must not part words of one line."""
    left = [word(text, x, 100 + 12 * n) for n in range(9) for text, x in (("words", 0), ("of running text fill", 30))]
    right = [
        word(text, x, 100 + 12 * n + shift, 1000 + 100 * n + x)
        for n in range(9)
        for text, x, shift in (("first", 160, 3.2), ("of words that are one line", 190, 3.1))
    ]
    page_lines = [line_of(sorted([*left[2 * n : 2 * n + 2], right[2 * n + 1]], key=lambda w: w.x0)) for n in range(9)]
    page_lines += [line_of([one]) for one in right[::2]]
    groups = column_groups(sorted(page_lines, key=lambda line: line.y0))
    assert [[len(line.words) for line in group] for group in groups] == [[2] * 9, [2] * 9]
