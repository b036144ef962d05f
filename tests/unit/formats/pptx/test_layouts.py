from pptx.util import Inches

from pincite.model.document import Aside, AsideKind, Box
from support.decks import (
    TITLE_AND_CONTENT,
    Deck,
    blocks,
    box,
    raw,
    sp,
    texts,
)


def test_boxes_are_points_of_the_slide_also_in_groups_and_for_inherited_places() -> None:
    deck = Deck()
    slide = deck.slide("T", TITLE_AND_CONTENT)
    slide.placeholders[1].text_frame.text = "body"
    group = slide.shapes.add_group_shape()
    box(group, "in", 1, 6)
    at = group._element.grpSpPr.xfrm
    at.off.x, at.off.y, at.ext.cx, at.ext.cy = 0, Inches(6), Inches(1), Inches(1)
    found = deck.read()
    where = dict(zip(texts(found), (block.boxes for block in blocks(found)), strict=True))
    assert where["## T"] == (Box(36.0, 21.63, 684.0, 111.63),)
    assert where["- body"] == (Box(36.0, 126.0, 684.0, 482.38),)
    assert where["in"] == (Box(0, 432, 72, 504),)


def test_footers_dates_and_slide_numbers_stand_apart() -> None:
    deck = Deck()
    slide = deck.slide("T")
    for kind, text in [("ftr", "Confidential"), ("sldNum", "1")]:
        raw(slide, sp(text).replace("<p:nvPr/>", f'<p:nvPr><p:ph type="{kind}" idx="11"/></p:nvPr>'))
    found = deck.read()
    assert texts(found) == ["## T"]
    assert found.asides == (Aside(AsideKind.FOOTER, "Confidential", 1), Aside(AsideKind.FOOTER, "1", 1))


def test_texts_of_the_master_are_kept_apart_once() -> None:
    deck = Deck()
    first, second = deck.slide("One"), deck.slide("Two")
    raw(first.slide_layout.slide_master, sp("ACME – internal"))
    raw(first.slide_layout, sp("Part A"))
    found = deck.read()
    assert [(aside.kind, aside.text, aside.page) for aside in found.asides] == [
        (AsideKind.HEADER, "Part A", 1),
        (AsideKind.HEADER, "ACME – internal", 1),
    ]
    second._element.set("showMasterSp", "0")
    first._element.set("showMasterSp", "0")
    assert deck.read().asides == ()
