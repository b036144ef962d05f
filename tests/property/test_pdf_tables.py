"""Whatever stands on a page: no word is lost to a table twice, and cells keep out of each other's places."""

from hypothesis import example, given
from hypothesis import strategies as st

from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.page.words import Line, line_of
from pincite.formats.pdf.tables.draft import TableDraft
from pincite.formats.pdf.tables.find import choose_tables
from support.typed_pages import typed, word

TEXTS = st.sampled_from(
    [
        "Cash",
        "total",
        "1,234",
        "(56)",
        "—",
        "$",
        "2022",
        "2021",
        "%",
        ")",
        "1",
        "12.5%",
        "(a)",
        "Note 5",
        "€",
        "31,",
        "x",
    ]
)
TYPED = st.lists(
    st.lists(st.tuples(TEXTS, st.integers(0, 12)), min_size=1, max_size=6).map(
        lambda parts: "".join(" " * gap + text + " " for text, gap in parts)
    ),
    min_size=1,
    max_size=12,
).map("\n".join)
PLACE = st.floats(-50, 650, allow_nan=False)
SCATTERED = st.lists(st.tuples(TEXTS, PLACE, PLACE, st.floats(0.5, 40)), min_size=1, max_size=40)
RULES = st.lists(st.builds(Rule, PLACE, PLACE, PLACE), max_size=30)


@given(TYPED, RULES, RULES)
def test_words_of_typed_pages_are_in_one_cell_each(page: str, horizontal: list[Rule], vertical: list[Rule]) -> None:
    check(typed(page), Rules(horizontal, vertical))


@given(SCATTERED, RULES, RULES)
@example(  # a cell over two columns, of a row whose lines are between those of another
    [("Cash", 0, 0, 6), ("Cash", 0, 2, 2), ("Cash", 2, 0, 2), ("Cash", 0, 0, 1)],
    [Rule(0, 0, 4), Rule(3, -7, 10)],
    [Rule(0, 2, 10), Rule(3, 0, 7)],
)
def test_words_of_scattered_pages_are_in_one_cell_each(
    words: list[tuple[str, float, float, float]], horizontal: list[Rule], vertical: list[Rule]
) -> None:
    placed = [word(text, x, y, 20 * number, size=size) for number, (text, x, y, size) in enumerate(words)]
    check([line_of([one]) for one in placed], Rules(horizontal, vertical))


def check(lines: list[Line], rules: Rules) -> None:
    words = [one for line in lines for one in line.words]
    drafts = choose_tables(lines, rules)
    held = [one.first for draft in drafts for one in draft.words]
    assert len(held) == len(set(held)) and set(held) <= {one.first for one in words}
    for draft in drafts:
        check_cells(draft)


def check_cells(draft: TableDraft) -> None:
    in_cells = [one.first for cell in draft.cells for one in cell.words]
    assert len(in_cells) == len(set(in_cells)) and set(in_cells) <= {one.first for one in draft.words}
    places = [
        (row, column)
        for cell in draft.cells
        for row in range(cell.row, cell.row + cell.row_span)
        for column in range(cell.column, cell.column + cell.column_span)
    ]
    assert len(places) == len(set(places))
    assert all(0 <= row < draft.rows and 0 <= column < draft.columns for row, column in places)
    assert [(cell.row, cell.column) for cell in draft.cells] == sorted((cell.row, cell.column) for cell in draft.cells)
    assert draft.header_rows <= draft.rows
