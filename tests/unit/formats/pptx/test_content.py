import io

from PIL import Image
from pptx.util import Inches

from support.decks import (
    Deck,
    bar_chart,
    box,
    edited,
    frame,
    raw,
    read,
    texts,
)


def _picture() -> io.BytesIO:
    buffer = io.BytesIO()
    Image.new("RGB", (4, 4)).save(buffer, "PNG")
    return buffer


def test_pictures_give_their_alternative_text_unless_they_decorate() -> None:
    deck = Deck()
    slide = deck.slide("T")
    for number in range(3):
        slide.shapes.add_picture(_picture(), Inches(1), Inches(2 + number))
    seen, _, decoration = list(slide.shapes)[1:]
    seen._element.nvPicPr.cNvPr.set("descr", "A cat\non a mat")
    seen.click_action.hyperlink.address = "https://example.com/cat (1)"
    decoration._element.nvPicPr.cNvPr.set("descr", "line")
    mark = decoration._element.nvPicPr.cNvPr
    mark.append(mark.makeelement("{http://schemas.microsoft.com/office/drawing/2017/decorative}decorative", val="1"))
    assert texts(deck.read())[1:-1] == ["![A cat on a mat]", "[A cat on a mat](<https://example.com/cat (1)>)"]


def test_an_embedded_object_is_named() -> None:
    deck = Deck()
    raw(deck.slide("T"), frame("<p:oleObj progId='Excel.Sheet.12'/>", 'descr="the budget"'))
    found = deck.read()
    assert texts(found)[1:] == ["![the budget]"]
    assert "Excel.Sheet.12" in found.warnings[0]


def test_a_damaged_chart_costs_the_chart_alone_and_is_said() -> None:
    deck = Deck()
    slide = deck.slide("T")
    bar_chart(slide, ["a"], {"s": [1]})
    box(slide, "kept", 1, 6)
    raw(slide, frame('<c:chart r:id="rId99"/>'))
    found = read(edited(deck.saved(), lambda name, data: b"<c:chart" if "/charts/" in name else data))
    assert texts(found) == ["## T", "kept"]
    assert {failure.page for failure in found.coverage.failed} == {1}
    assert "chart" in found.coverage.failed[0].reason and "missing" in found.coverage.failed[1].reason
    assert (found.coverage.pages, found.coverage.read) == (1, 0)
