from dataclasses import replace

from pincite.formats.pdf.page.placed_text import PlacedText
from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.page.words import Line, line_of, visual_lines
from pincite.formats.pdf.tables.borderless import find_borderless
from pincite.formats.pdf.tables.draft import (
    TableDraft,
    WordCell,
    detected_table,
    file_order_text,
    mirrored_lines,
    mirrored_rules,
    mirrored_words,
    unmirrored,
)
from pincite.formats.pdf.tables.find import find_tables
from pincite.formats.pdf.tables.segments import rows_of
from support.pdf_statements import STATEMENT
from support.typed_pages import typed, word

WORDS = [word("ספר", 200, 0, 0), word("17", 100, 0, 4)]


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
