"""Watermarks, stamps and labels of charts, which are turned by other angles than quarters."""

import math

import pytest

from support.pdf_layout import JOINED, read
from support.pdf_read import shown
from support.pdfs import Text, prose


def slanted(text: str, x: float, y: float, degrees: float, size: float = 30) -> Text:
    angle = math.radians(degrees)
    return Text(text, x=x, y=y, size=size, turn=(math.cos(angle), math.sin(angle)))


@pytest.mark.parametrize("degrees", [30, 45, 60, -20, 120])
def test_a_watermark_is_one_text_and_no_heading(degrees: float) -> None:
    found = read([*prose(), slanted("Confidential draft copy", 250, 500, degrees), *prose(y=700)])
    assert shown(found) == [("paragraph", JOINED), ("paragraph", JOINED), ("paragraph", "Confidential draft copy")]


def test_labels_of_a_chart_are_texts_of_their_own() -> None:
    labels = [slanted(f"Quarter {n}", 100 + 60 * n, 400, 45, size=9) for n in range(1, 5)]
    texts = [text for _, text in shown(read([*prose(), *labels, *prose(y=500)]))[2:]]
    assert texts == ["Quarter 1", "Quarter 2", "Quarter 3", "Quarter 4"]


def test_a_page_that_is_askew_is_read_as_if_it_was_upright() -> None:
    found = read([slanted("A line of a page that was scanned", 72, 400, 3, size=10)])
    assert shown(found) == [("paragraph", "A line of a page that was scanned")]
    askew = read([slanted("A line of a page", 72, 400, 9, size=10)])
    assert "A line" in askew.text
