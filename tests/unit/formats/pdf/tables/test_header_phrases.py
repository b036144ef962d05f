"""Phrases above the names of columns, without a rule between them."""

from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.tables.find import find_tables
from pincite.formats.pdf.tables.header_phrases import placed_phrases
from support.typed_pages import typed

EDGES = (0, 60, 120, 180, 240)


def spans(line: str) -> list[tuple[int, int, str]]:
    (words,) = (typed(f"\n{line}\n")[0].words,)
    return [
        (first, count, " ".join(word.text for word in part))
        for first, count, part in placed_phrases(words, range(4), EDGES)
    ]


def test_each_phrase_spans_the_columns_that_it_is_in_the_middle_of() -> None:
    assert spans("          2018                    2025") == [(0, 2, "2018"), (2, 2, "2025")]
    assert spans("                  All values") == [(0, 4, "All values")]
    assert spans("                Value") == [(0, 3, "Value")]


def test_words_with_nothing_below_them_are_one_phrase_over_all() -> None:
    assert spans("a  b  c  d  e") == [(0, 4, "a b c d e")]


def test_rules_that_begin_below_a_phrase_part_the_names_from_it() -> None:
    page = """
                       2018
Region        Number        Share
North         4,594         92.8
South         7,681         73.9
"""
    lines = typed(page)
    horizontal = [Rule(y, 0, 180) for y in (-1, 23, 35, 47)]
    vertical = [Rule(0, -1, 47), Rule(60, -1, 47), Rule(130, 11, 47), Rule(180, -1, 47)]
    (found,) = find_tables(lines, Rules(horizontal, vertical))
    assert found.table.header_rows == 2
    assert [(cell.row, cell.column, cell.column_span, cell.text) for cell in found.table.cells[:4]] == [
        (0, 1, 2, "2018"),
        (1, 0, 1, "Region"),
        (1, 1, 1, "Number"),
        (1, 2, 1, "Share"),
    ]
