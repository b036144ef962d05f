"""Tables of pages from right to left are found as if these were mirrored."""

from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.page.words import line_of, visual_lines
from pincite.formats.pdf.tables.draft import TableDraft, WordCell
from pincite.formats.pdf.tables.find import find_tables
from pincite.formats.pdf.tables.mirrored import mirrored_lines, mirrored_rules, mirrored_words, unmirrored
from support.typed_pages import word

WORDS = [word("ספר", 200, 0, 0), word("17", 100, 0, 4)]


def test_lines_run_from_the_other_side() -> None:
    (line,) = mirrored_lines([line_of(WORDS[::-1])])
    assert [one.text for one in line.words] == ["ספר", "17"]
    assert (line.x0, line.x1) == (-WORDS[0].x1, -100)


def test_rules_shades_and_points_are_mirrored() -> None:
    rules = mirrored_rules(Rules([Rule(5, 10, 30)], [Rule(10, 1, 2)], [(10, 1, 30, 2)], [(3, 4)], [(5, 6)]))
    assert rules == Rules([Rule(5, -30, -10)], [Rule(-10, 1, 2)], [(-30, 1, -10, 2)], [(-3, 4)], [(-5, 6)])


def test_columns_and_words_of_a_draft_are_from_the_left_again() -> None:
    words = mirrored_words([*WORDS, word("in English", 180, 12, 8)])
    cells = (WordCell(0, 0, (words[0], words[2])), WordCell(0, 1, (words[1],)))
    draft = unmirrored(TableDraft(1, 2, 0, cells, tuple(words)))
    assert [(cell.column, [one.text for one in cell.words]) for cell in draft.cells] == [
        (0, ["17"]),
        (1, ["ספר", "in English"]),
    ]
    assert draft.words[:2] == tuple(WORDS)


def test_texts_that_share_their_right_edge_are_a_column_however_close_the_longest_comes_to_the_next() -> None:
    """A space is 3 points wide here, and the white between the longest label and the value beside it 5."""
    rows = [("שם", "סוג", "2025"), ("ספר ארוך מאוד", "בית", "17"), ("מאוד ספר ארוך", "בית חדש", "4")]
    rows += [("ארוך מאוד ספר", "עיר", "8"), ("יד", "גן", "9")]
    words = [
        word(text, right - sum(len(other) * 5 + 3 for other in texts[: n + 1]), 14 * y, 100 * y + 30 * column + n)
        for y, row in enumerate(rows)
        for column, (cell, right) in enumerate(zip(row, (300, 234, 150), strict=True))
        for texts in [cell.split()]
        for n, text in enumerate(texts)
    ]
    rules = Rules([Rule(y, 120, 300) for y in (-2, 12, 68)])
    (found,) = find_tables(visual_lines(words), rules)
    cells = [[cell.text for cell in found.table.cells if cell.row == row] for row in range(5)]
    assert cells == [list(row) for row in rows]
