import math

import pytest

from pincite.formats.pdf.document import open_document
from pincite.formats.pdf.layout.page_content import PageContent, page_content
from pincite.formats.pdf.page.page import open_page
from support.pdf_layout import JOINED, read
from support.pdf_read import shown
from support.pdfs import Text, pdf, prose


def content(*texts: Text) -> PageContent:
    with open_document(pdf(texts)) as file, open_page(file.document, 1) as page:
        return page_content(page)


def test_a_page_is_kept_as_its_rows_and_its_words() -> None:
    found = content(Text("left", x=72), Text("right", x=300), Text("below", y=120))
    assert [row.text for row in found.rows] == ["left right", "below"]
    assert [word.text for word in found.words] == ["left", "right", "below"]
    assert (found.number, found.hidden, found.source.problem, found.source.is_recognised) == (1, (), "", False)


def test_words_that_nobody_sees_are_apart() -> None:
    found = content(Text("seen"), Text("hidden words", y=120, colour="1 1 1"))
    assert [word.text for word in found.words] == ["seen"]
    assert found.hidden == ("hidden words",)


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
