from collections.abc import Callable
from typing import Any

import pytest

from pincite.model.document import AsideKind
from support.workbooks import page_of, workbook


def written(fill: Callable[[Any, Any], None]) -> tuple[str, list[tuple[str, str, str]]]:
    """The page's text, and its hidden texts with place and reason."""

    def whole(book: Any) -> None:
        sheet = book.add_worksheet("S")
        for column, head in enumerate("abc"):
            sheet.write(0, column, head)
            sheet.write(2, column, f"{head} last")
        fill(book, sheet)

    page = page_of(workbook(whole))
    hidden = [aside for aside in page.asides if aside.kind is AsideKind.HIDDEN]
    return page.text, [(aside.text, aside.place, aside.reason) for aside in hidden]


FORMATS = {
    "white": {"font_color": "#FFFFFF"},
    "nearly white": {"font_color": "#FEFEFE"},
    "white on white": {"font_color": "white", "bg_color": "white"},
    "black on black": {"font_color": "#000000", "bg_color": "#000000"},
    "its fill": {"font_color": "#204060", "bg_color": "#204061"},
    "nothing shown": {"num_format": ";;;"},
    "one point": {"font_size": 1},
}


@pytest.mark.parametrize("properties", FORMATS.values(), ids=FORMATS)
@pytest.mark.parametrize("value", ["obey me", 4711])
def test_a_cell_that_draws_nothing_is_kept_apart(properties: dict[str, object], value: object) -> None:
    text, hidden = written(lambda book, sheet: sheet.write(1, 1, value, book.add_format(properties)))
    assert str(value) not in text
    assert [(found, place) for found, place, _ in hidden] == [(f"S!B2: {value}", "S!B2")]
    assert hidden[0][2]


SEEN = {
    "white on dark": {"font_color": "white", "bg_color": "#1F3864"},
    "grey": {"font_color": "#EEEEEE"},
    "a pattern": {"font_color": "white", "pattern": 2, "bg_color": "white"},
    "two points": {"font_size": 2},
    "positive only": {"num_format": "0;;"},
}


@pytest.mark.parametrize("properties", SEEN.values(), ids=SEEN)
def test_a_cell_that_can_be_seen_stays(properties: dict[str, object]) -> None:
    text, hidden = written(lambda book, sheet: sheet.write(1, 1, 4711, book.add_format(properties)))
    assert "4711" in text and hidden == []


@pytest.mark.parametrize("more", ["rule", "table"])
def test_where_more_than_its_style_colours_a_cell_it_stays(more: str) -> None:
    def fill(book: Any, sheet: Any) -> None:
        sheet.write(1, 1, "seen", book.add_format({"font_color": "white"}))
        if more == "rule":
            dark = book.add_format({"bg_color": "black"})
            sheet.conditional_format("A1:C3", {"type": "no_blanks", "format": dark})
        else:
            sheet.add_table("A1:C3", {"columns": [{"header": head} for head in "abc"]})

    text, hidden = written(fill)
    assert "seen" in text and hidden == []


def test_rows_and_columns_without_size_are_kept_apart() -> None:
    def fill(_book: Any, sheet: Any) -> None:
        sheet.write(1, 0, "low")
        sheet.set_row(1, 0.5)
        sheet.write(0, 5, "narrow")
        sheet.set_column(5, 5, 0.1)

    text, hidden = written(fill)
    assert "low" not in text and "narrow" not in text
    assert [found for found, _, _ in hidden] == ["S!2:2: low", "S!F1: narrow"]
