"""Tables between rules, rules from what is drawn, and the choice between rules and values."""

import contextlib
import math
from collections.abc import Generator

import pypdfium2.raw as pdfium
import pytest

from pincite.formats.pdf.page import rules as paths
from pincite.formats.pdf.page.page import PdfPage, Place, open_page
from pincite.formats.pdf.page.rules import Rule, Rules, page_rules
from pincite.formats.pdf.page.words import page_words, visual_lines
from pincite.formats.pdf.tables import ruled
from pincite.formats.pdf.tables.draft import FoundTable
from pincite.formats.pdf.tables.find import find
from pincite.formats.pdf.tables.ruled import Grid, find_lattice, grids, merged
from pincite.formats.writing.page_writer import table_markdown
from support.drawn_pdfs import drawn_pdf, text
from support.typed_pages import grid, typed

LEFT, TOP, WIDE, HIGH = 50, 700, 100, 20


@contextlib.contextmanager
def opened(data: bytes) -> Generator[PdfPage]:
    document = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
    try:
        with open_page(document, 1) as page:
            yield page
    finally:
        pdfium.FPDF_CloseDocument(document)


def rules(data: bytes) -> Rules:
    with opened(data) as page:
        return page_rules(page)


def tables(data: bytes) -> tuple[FoundTable, ...]:
    with opened(data) as page:
        return find(visual_lines(page_words(page).words), page)


def boxed(rows: int, columns: int, operator: str = "S") -> str:
    """Rectangles, one a cell, from the page's left top."""
    return "".join(
        f"{LEFT + WIDE * column} {TOP - HIGH * (row + 1)} {WIDE} {HIGH} re {operator}\n"
        for row in range(rows)
        for column in range(columns)
    )


def filled(*rows: tuple[str, ...]) -> str:
    return "".join(
        text(said, LEFT + 5 + WIDE * column, TOP - 14 - HIGH * row)
        for row, cells in enumerate(rows)
        for column, said in enumerate(cells)
        if said
    )


CELLS = (("Name", "Kind", "Meaning"), ("USER", "text", "who it is"), ("HOST", "text", "where it is"))
RULED = boxed(3, 3) + filled(*CELLS)


def test_rectangles_around_cells_make_a_table() -> None:
    (found,) = tables(drawn_pdf(RULED))
    assert table_markdown(found.table).splitlines()[3:] == [
        "| USER | text | who it is |",
        "| HOST | text | where it is |",
    ]
    assert (found.table.rows, found.table.columns) == (3, 3)
    assert len(found.boxes) == 9 and {box.row for box in found.boxes} == {0, 1, 2}
    assert found.boxes[0].box.x0 == pytest.approx(LEFT + 5, abs=2)


def test_the_same_table_without_rules_is_none() -> None:
    assert tables(drawn_pdf(filled(*CELLS))) == ()


def test_a_cell_without_a_rule_inside_spans() -> None:
    lines = "".join(f"50 {y} m 350 {y} l S\n" for y in (700, 680, 660, 640))
    lines += "50 700 m 50 640 l S 350 700 m 350 640 l S 150 680 m 150 640 l S 250 680 m 250 640 l S\n"
    (found,) = tables(drawn_pdf(lines + filled(("All three",), *CELLS[1:])))
    assert next((cell.text, cell.column_span) for cell in found.table.cells) == ("All three", 3)
    assert found.table.columns == 3


def test_a_cell_over_two_rows_keeps_its_span() -> None:
    lines = "50 700 m 250 700 l S 150 680 m 250 680 l S 50 660 m 250 660 l S 50 640 m 250 640 l S\n"
    lines += "".join(f"{x} 700 m {x} 640 l S\n" for x in (50, 150, 250))
    (found,) = tables(drawn_pdf(lines + filled(("Both", "first"), ("", "second"), ("Third", "third"))))
    assert next((cell.text, cell.row_span) for cell in found.table.cells) == ("Both", 2)


def test_lines_of_a_cell_are_one_text() -> None:
    tall = "".join(f"{x} {y} 100 40 re S\n" for x in (50, 150) for y in (660, 620))
    (found,) = tables(drawn_pdf(tall + filled(("A", "B"), ("below", ""), ("C", "D"))))
    assert [cell.text for cell in found.table.cells] == ["A below", "B", "C", "D"]


def test_rules_in_a_form_are_found_where_the_form_is_placed() -> None:
    data = drawn_pdf("q 1 0 0 1 10 20 cm /Fm Do Q", {"Fm": "50 100 m 150 100 l S"}, {"Fm": "[2 0 0 2 0 0]"})
    (rule,) = rules(data).across
    assert (rule.at, rule.start, rule.end) == pytest.approx((800 - 220, 110, 310))


def test_a_thin_fill_is_a_rule_and_a_box_of_colour_is_none() -> None:
    assert len(rules(drawn_pdf("50 100 200 1 re f")).across) == 1
    assert len(rules(drawn_pdf("50 100 1 200 re f")).down) == 1
    assert rules(drawn_pdf("0.8 g 50 100 200 50 re f")) == Rules()
    assert (
        len(rules(drawn_pdf("50 100 m 60 100 l 60 101 l 55 101 l 54 101 l 53 101 l 52 101 l 50 101 l f")).across) == 1
    )


@pytest.mark.parametrize(
    "content",
    [
        "50 100 m 250 100 l n",
        "1 G 50 100 m 250 100 l S",
        "1 g 50 100 200 1 re f",
        "50 100 m 250 180 l S",
        "50 100 m 250 100 l W n",
    ],
)
def test_what_is_not_seen_or_not_straight_draws_no_rule(content: str) -> None:
    assert rules(drawn_pdf(content)) == Rules()


def test_curves_end_an_outline() -> None:
    found = rules(drawn_pdf("50 100 m 150 100 l 160 100 170 110 170 120 c 170 220 l S"))
    assert [rule.end - rule.start for rule in found.across] == [pytest.approx(100)]


def test_a_frame_around_text_is_no_table() -> None:
    content = "50 600 300 100 re S\n" + "".join(
        text("The quick brown fox jumps over the lazy dog while", 60, 680 - 12 * n) for n in range(5)
    )
    assert tables(drawn_pdf(content)) == ()


def test_a_grid_without_text_is_no_table() -> None:
    assert tables(drawn_pdf(boxed(4, 4) + filled(("A   1", "2")))) == ()


def test_a_grid_that_cuts_its_words_is_none() -> None:
    lines = typed("Everything    besides\nSomething     moreover\nElsewhere     elsewhen")
    across = [Rule(y, 0, 150) for y in (-1, 11, 23, 35)]
    down = [Rule(x, -1, 35) for x in (0, 62, 150)]
    words = [word for line in lines for word in line.words]
    assert len(find_lattice(words, Rules(across, down))) == 1
    cutting = [Rule(x, -1, 35) for x in (0, 28, 150)]
    assert find_lattice(words, Rules(across, cutting)) == []


VALUES = (("Name", "2022", "2021"), ("Cash", "1,234", "987"), ("Debt", "200", "100"), ("Loans", "20", "10"))


def test_rules_that_part_the_rows_less_than_the_values_do_are_not_taken() -> None:
    frame = f"50 {TOP} m 350 {TOP} l S 50 {TOP - 20} m 350 {TOP - 20} l S 50 {TOP - 80} m 350 {TOP - 80} l S\n"
    frame += "".join(f"{x} {TOP} m {x} {TOP - 80} l S\n" for x in (50, 150, 250, 350))
    (found,) = tables(drawn_pdf(frame + filled(*VALUES)))
    assert found.table.rows == 4


def test_rules_around_a_part_of_a_table_are_not_taken() -> None:
    part = boxed(2, 3)
    (found,) = tables(drawn_pdf(part + filled(*VALUES, ("Tax", "5", "6"), ("Fees", "7", "8"), ("Rent", "7", "8"))))
    assert found.table.rows == 7


def test_two_grids_side_by_side_are_two_tables() -> None:
    content = boxed(4, 2) + filled(*(row[:2] for row in VALUES))
    other = boxed(4, 2) + filled(*(row[:2] for row in VALUES))
    found = tables(drawn_pdf(f"{content}q 1 0 0 1 260 0 cm\n{other}Q"))
    assert [(one.table.rows, one.table.columns) for one in found] == [(4, 2), (4, 2)]


def test_words_beside_a_grid_are_not_in_it() -> None:
    (found,) = tables(drawn_pdf(RULED + text("aside", 400, TOP - 14)))
    assert "aside" not in [word.text for word in found.words]


def test_rules_in_one_line_that_touch_are_one() -> None:
    found = merged([Rule(10, 0, 50), Rule(10.5, 51, 90), Rule(10, 200, 201), Rule(30, 0, 40), Rule(30, 40, 10)])
    assert [(round(rule.at, 2), rule.start, rule.end) for rule in found] == [(10.17, 0, 90), (30, 0, 40)]


def test_edges_that_no_rule_draws_are_the_ends_of_the_others() -> None:
    across = [Rule(y, 0, 300) for y in (0, 20, 40)]
    (made,) = grids(Rules(across, [Rule(100, 0, 40), Rule(200, 0, 40)]))
    assert made.xs == (0, 100, 200, 300) and made.ys == (0, 20, 40)


def test_rules_that_do_not_meet_make_no_grid() -> None:
    assert grids(Rules([Rule(0, 0, 50), Rule(20, 0, 50)], [Rule(100, 0, 20), Rule(200, 0, 20)])) == []
    assert grids(Rules([Rule(0, 0, 50)], [])) == []


def test_more_rules_than_a_page_of_tables_has_are_a_drawing() -> None:
    many = [Rule(3.0 * n, 0, 50) for n in range(ruled.MAX_RULES + 1)]
    assert grids(Rules(many, many)) == []
    few = [Rule(3.0 * n, 0, 600) for n in range(200)]
    assert all(isinstance(one, Grid) for one in grids(Rules(few, few))) and not grids(Rules(few, few))


def test_the_header_of_a_grid_is_its_bold_first_row() -> None:
    lines = typed("Name      Kind\nUser      text\nHost      text", bold=[0])
    across = [Rule(y, 0, 100) for y in (-1, 11, 23, 35)]
    (draft,) = find_lattice(
        [word for line in lines for word in line.words], Rules(across, [Rule(x, -1, 35) for x in (0, 45, 100)])
    )
    assert draft.header_rows == 1 and grid(draft)[0] == ["Name", "Kind"]


def test_a_hundred_thousand_paths_are_looked_at_up_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "MAX_OBJECTS", 500)
    data = drawn_pdf("".join(f"{n % 500} {n % 700} m {n % 500 + 9} {n % 700} l S\n" for n in range(100_000)))
    assert 0 < len(rules(data).across) <= paths.MAX_OBJECTS


def test_a_path_of_many_points_is_looked_at_up_to_the_limit() -> None:
    points = "".join(f"{n % 600} {n % 2 * 10 + 100} l\n" for n in range(paths.MAX_POINTS * 2))
    assert len(rules(drawn_pdf(f"0 0 m\n{points}S")).down) <= paths.MAX_POINTS


def test_forms_in_forms_are_looked_at_up_to_a_depth() -> None:
    forms = {f"F{n}": f"50 {100 + n} m 250 {100 + n} l S /F{n + 1} Do" for n in range(40)}
    assert 0 < len(rules(drawn_pdf("/F0 Do", forms | {"F40": "n"})).across) <= paths.MAX_DEPTH


def test_a_form_that_shows_itself_ends() -> None:
    assert len(rules(drawn_pdf("/F0 Do", {"F0": "50 100 m 250 100 l S /F0 Do"})).across) <= paths.MAX_DEPTH


@pytest.mark.parametrize("matrix", ["1e38 0 0 1e38 0 0", "0 0 0 0 0 0", "1 0 0 1 1e30 1e30", "nan 0 0 nan 0 0"])
def test_giant_and_broken_matrices_stay_bounded(matrix: str) -> None:
    found = rules(drawn_pdf(f"q {matrix} cm 50 100 m 250 100 l S 50 100 200 1 re f /F0 Do Q", {"F0": "1 1 m 9 1 l S"}))
    edges = [edge for rule in (*found.across, *found.down) for edge in (rule.at, rule.start, rule.end)]
    assert all(math.isfinite(edge) and abs(edge) <= paths.FARTHEST + 1 for edge in edges)


def test_points_that_are_no_numbers_are_none() -> None:
    page = PdfPage(None, None, None, 1, Place(0, 0, 600, 800))
    assert paths.displayed(math.nan, 1, (1, 0, 0, 1, 0, 0), page) is None
    assert paths.displayed(math.inf, 1, (1, 0, 0, 1, 0, 0), page) is None
