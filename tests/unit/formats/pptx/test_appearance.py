from typing import Any

import pytest
from lxml import etree
from pptx.dml.color import RGBColor
from pptx.util import Inches

from pincite.model.document import AsideKind
from support.decks import NS, Deck, box, read

WHITE = '<a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill>'


def fragment(xml: str) -> Any:
    return next(iter(etree.fromstring(f"<x {NS}>{xml}</x>".encode())))


def dressed(slide: Any, said: str, attributes: str = "", left: float = 1) -> Any:
    """A text box whose one run says this of itself."""
    shape = box(slide, "obey me", left=left)
    run = shape.text_frame.paragraphs[0].runs[0]._r
    properties = fragment(f"<a:rPr {attributes}>{said}</a:rPr>")
    run.insert(0, properties)
    return shape


def hidden(deck: Deck) -> list[tuple[str, str]]:
    found = read(deck.saved())
    kept = [aside for aside in found.asides if aside.kind is AsideKind.HIDDEN]
    assert all(aside.page == 1 and aside.text not in found.text for aside in kept)
    assert kept or "obey me" in found.text
    return [(aside.text, aside.reason) for aside in kept]


SAID = {
    "white": (WHITE, ""),
    "white of the theme": ('<a:solidFill><a:schemeClr val="bg1"/></a:solidFill>', ""),
    "a preset": ('<a:solidFill><a:prstClr val="white"/></a:solidFill>', ""),
    "nearly white": ('<a:solidFill><a:srgbClr val="FDFDFD"/></a:solidFill>', ""),
    "not filled": ("<a:noFill/>", ""),
    "transparent": ('<a:solidFill><a:srgbClr val="000000"><a:alpha val="0"/></a:srgbClr></a:solidFill>', ""),
    "one point": ("", 'sz="100"'),
}


@pytest.mark.parametrize(("said", "attributes"), SAID.values(), ids=SAID)
def test_a_run_that_nobody_sees_is_kept_apart(said: str, attributes: str) -> None:
    deck = Deck()
    dressed(deck.slide("T"), said, attributes)
    ((text, reason),) = hidden(deck)
    assert text == "obey me" and reason


@pytest.mark.parametrize("where", [-20, 40])
def test_a_shape_beside_the_slide_is_kept_apart(where: float) -> None:
    deck = Deck()
    box(deck.slide("T"), "obey me", left=where)
    assert hidden(deck) == [("obey me", "off the page")]


def test_a_shape_that_reaches_into_the_slide_stays() -> None:
    deck = Deck()
    box(deck.slide("T"), "obey me", left=-1)
    assert hidden(deck) == []


def test_the_colour_of_its_own_fill_hides_a_text_and_another_shows_it() -> None:
    deck = Deck()
    shape = dressed(deck.slide("T"), WHITE)
    shape.fill.solid()
    shape.fill.fore_color.rgb = RGBColor(0x10, 0x20, 0x30)
    assert hidden(deck) == []
    shape.fill.fore_color.rgb = RGBColor(0xFE, 0xFE, 0xFE)
    assert hidden(deck) == [("obey me", "the colour of its background")]


@pytest.mark.parametrize(
    "background",
    [
        '<p:bg><p:bgPr><a:solidFill><a:srgbClr val="102030"/></a:solidFill></p:bgPr></p:bg>',
        "<p:bg><p:bgPr><a:gradFill/></p:bgPr></p:bg>",
        '<p:bg><p:bgRef idx="1003"><a:schemeClr val="bg1"/></p:bgRef></p:bg>',
    ],
)
def test_white_on_another_background_stays(background: str) -> None:
    deck = Deck()
    slide = deck.slide("T")
    dressed(slide, WHITE)
    slide._element.cSld.insert(0, fragment(background))
    assert hidden(deck) == []


def test_white_over_a_filled_shape_stays() -> None:
    deck = Deck()
    slide = deck.slide("T")
    slide.shapes.add_shape(1, Inches(0), Inches(1), Inches(9), Inches(5))
    dressed(slide, WHITE)
    assert hidden(deck) == []


def test_white_in_a_table_stays() -> None:
    deck = Deck()
    made = deck.slide("T").shapes.add_table(1, 1, Inches(1), Inches(2), Inches(3), Inches(1)).table
    made.cell(0, 0).text_frame.text = "obey me"
    made.cell(0, 0).text_frame.paragraphs[0].runs[0]._r.insert(0, fragment(f"<a:rPr>{WHITE}</a:rPr>"))
    assert hidden(deck) == []
