"""Tables of long texts beside a label, which leave white down the page as two columns of text do."""

from dataclasses import replace

import pytest

from pincite.formats.pdf.tables.labelled_rows import labelled_span
from pincite.formats.pdf.tables.text_columns import column_groups
from support.typed_pages import LEADING, typed

ANNEX = """
No   Requirement                           Evidence
(1)  Verify that all words of the text     A record that names the
     beside a label are in one cell, and   date
     that its lines go on
(2)  Verify that another text of several   Another record of a test
     lines ends before the next label
     begins
(3)  Verify a third thing that takes as    A third one that has as
     many lines as the text at its right   many lines
"""
COLUMNS = """
1.   The first of two columns of text      and the second of them is
     has items with numbers, which wrap    running text, whose lines
2.   over lines; another item is below     go on down the page, with
     it, and a third one comes after it    no white between them, as
3.   and ends in the last line of those    those of other texts have
     that this page has for all of them    at the end of a paragraph
"""


def test_rows_whose_texts_differ_in_length_are_a_table_across_the_white_between_them() -> None:
    lines = typed(ANNEX)
    assert labelled_span(lines, 41 * 5) == [(0, 8 * LEADING + 10)]
    assert column_groups(lines, []) == [lines]


@pytest.mark.parametrize("page", [COLUMNS, "\n".join(line[5:] for line in ANNEX.splitlines())])
def test_columns_of_text_and_texts_without_labels_are_no_such_rows(page: str) -> None:
    assert labelled_span(typed(page), 41 * 5) == []


def test_lines_at_heights_of_their_own_are_two_columns() -> None:
    rows = [line for line in ANNEX.splitlines() if line]
    sides = [typed("\n".join(row[:40] for row in rows)), typed("\n" + "\n".join(" " * 41 + row[41:] for row in rows))]
    lower = [
        type(line)(
            tuple(replace(word, y0=word.y0 + 4, y1=word.y1 + 4) for word in line.words),
            line.x0,
            line.y0 + 4,
            line.x1,
            line.y1 + 4,
            line.size,
        )
        for line in sides[1]
    ]
    lines = sorted([*sides[0], *lower], key=lambda line: line.y0)
    assert labelled_span(lines, 41 * 5) == []
