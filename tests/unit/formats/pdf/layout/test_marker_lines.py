import pytest

from pincite.formats.pdf.layout.marker_lines import join_markers
from pincite.formats.pdf.page.words import Line, line_of
from support.typed_pages import word


def line(text: str, x: float, y: float, first: int) -> Line:
    return line_of([word(part, x + 40 * n, y, first=first + 10 * n) for n, part in enumerate(text.split())])


ITEMS = [line("first item", 20, 0, 0), line("goes on", 20, 12, 20), line("second item", 20, 24, 40)]


@pytest.mark.parametrize(("one", "two"), [("•", "•"), ("→", "→"), ("1.", "2."), ("a)", "b)")])
def test_markers_behind_the_text_of_their_page_are_at_the_beginning_of_their_items(one: str, two: str) -> None:
    lines = join_markers([*ITEMS, line(one, 5, 0, 90), line(two, 5, 24, 95)])
    assert [found.text for found in lines] == [f"{one} first item", "goes on", f"{two} second item"]


@pytest.mark.parametrize(
    "marker", [line("(1)", 5, 0, 90), line("1", 5, 0, 90), line("•", -20, 0, 90), line("•", 5, 60, 90)]
)
def test_the_number_of_an_equation_and_what_is_not_at_the_side_of_a_line_are_lines(marker: Line) -> None:
    assert join_markers([*ITEMS, marker]) == [*ITEMS, marker]


def test_an_item_from_right_to_left_is_at_the_left_of_its_marker() -> None:
    item, title = line("שנה", 20, 0, 0), line("בנק", 60, 0, 20)
    marker = line("•", 40, 0, 90)
    assert [found.text for found in join_markers([item, title, marker])] == ["• שנה", "בנק"]
