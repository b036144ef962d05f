from dataclasses import replace

import pytest

from pincite.formats.pdf.page.words import Line, line_of
from pincite.formats.pdf.tables.segments import Kind, is_formula, is_justified, rows_of
from pincite.formats.pdf.tables.spanned_names import segments_of
from support.pdf_statements import found, only
from support.typed_pages import typed, word


def kinds(text: str) -> list[tuple[str, str]]:
    (row,) = rows_of(typed(text))
    return [(segment.text, segment.kind.value) for segment in row.segments]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Cash   $   1,234", [("Cash", "text"), ("$ 1,234", "value")]),
        ("Cash   (12 )", [("Cash", "text"), ("(12 )", "value")]),
        ("Rate   0.75 - 5.82", [("Rate", "text"), ("0.75 - 5.82", "value")]),
        ("Amount   20 Stk", [("Amount", "text"), ("20 Stk", "value")]),
        ("Paid   4,55 €   10%", [("Paid", "text"), ("4,55 €", "value"), ("10%", "value")]),
        ("Article   4000001234561", [("Article", "text"), ("4000001234561", "text")]),
        ("Date   13/11/2017", [("Date", "text"), ("13/11/2017", "text")]),
        ("Revenue ..... 12", [("Revenue", "text"), ("12", "value")]),
        ("June 30, 2023   2022", [("June 30, 2023", "text"), ("2022", "year")]),
        ("Europe (1)   N/A", [("Europe (1)", "text"), ("N/A", "value")]),
        ("2027 Notes   12   13", [("2027 Notes", "text"), ("12", "value"), ("13", "value")]),
    ],
)
def test_segments(text: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(text) == expected


def test_a_raised_mark_stays_with_its_value() -> None:
    words = [word("Cash", 0, 0, 0), word("1,929", 100, 0, 5), word("(2)", 130, 0, 11, size=5), word("12", 200, 0, 15)]
    (row,) = rows_of([line_of(words)])
    assert [segment.text for segment in row.segments] == ["Cash", "1,929 (2)", "12"]
    assert row.segments[1].kind is Kind.VALUE


def test_a_raised_mark_in_a_line_of_its_own_is_put_back() -> None:
    lines = [
        line_of([word("(2)", 130, 0, 0, size=5)]),
        line_of([word("Cash", 0, 2, 5), word("on", 25, 2, 10), word("hand", 40, 2, 13), word("1,929", 100, 2, 20)]),
    ]
    assert [row.text for row in rows_of(lines)] == ["Cash on hand 1,929 (2)"]


def test_a_line_that_is_turned_is_not_looked_at() -> None:
    assert rows_of([line_of([replace(word("up", 0, 0), turns=1)])]) == ()


def test_a_space_of_typewritten_text_parts_numbers_alone() -> None:
    (line,) = typed("phone 14  618")
    typewritten = line_of([replace(word, font="Courier") for word in line.words])
    for one, expected in ((line, 2), (typewritten, 1)):
        (row,) = rows_of([one])
        assert len(row.segments) == expected
    (line,) = typed("14  618")
    (row,) = rows_of([line_of([replace(word, font="Courier") for word in line.words])])
    assert [segment.text for segment in row.segments] == ["14", "618"]


def test_a_row_of_indexes_that_overlaps_its_formula_has_no_values() -> None:
    formula = line_of([word("x", 0, 0), word("+", 60, 0, 2), word("y", 120, 0, 4), word("z", 160, 0, 5)])
    indexes = [word("1", 5, 8, 6, size=5), word("2", 65, 8, 8, size=5), word("3", 125, 8, 10, size=5)]
    indexes.append(word("4", 165, 8, 12, size=5))
    _, row = rows_of([formula, line_of(indexes)])
    assert len(row.segments) == 4 and not row.values
    _, apart = rows_of([formula, line_of([replace(one, y0=14, y1=19) for one in indexes])])
    assert len(apart.values) == 4


def test_a_relation_and_a_number_at_the_right_are_an_equation() -> None:
    assert is_formula(["f", "(x)", "=", "g", "(x)", "+", "1", "(12)"])
    assert is_formula(["A", "→", "B", "(A.3)"])
    assert not is_formula(["Loss", "for", "the", "year", "14", "(12)"])
    assert not is_formula(["N", "=", "5"])


def test_a_piece_of_a_tall_bracket_is_of_a_matrix() -> None:
    assert is_formula(["\u239b", "1", "0", "\u239e"])
    assert is_formula(["\uf8eb", "1", "0", "\uf8f6"])


def test_numbered_equations_are_no_table() -> None:
    page = """
f (x) =            g (x) + h (x)                  (12)
f (y) =            g (y) + h (y)                  (13)
"""
    assert found(page) == []
    assert len(only(page.replace("=", " "))) == 2


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
