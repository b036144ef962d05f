import pytest

from pincite.model.document import Aside, AsideKind
from support.decks import (
    NS,
    Deck,
    box,
    raw,
    sp,
    texts,
)


def test_groups_are_read_where_they_stand_and_shapes_by_rows_from_the_left() -> None:
    deck = Deck()
    slide = deck.slide("T")
    box(slide, "last", 1, 6)
    box(slide, "right", 5, 2)
    group = slide.shapes.add_group_shape()
    box(group, "in group, below", 1, 4)
    inner = group.shapes.add_group_shape()
    box(inner, "in group, above", 1, 3.4)
    box(slide, "left", 1, 2.1)
    assert texts(deck.read())[1:] == ["left", "right", "in group, above", "in group, below", "last"]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("<mc:Choice Requires='a14'>{}</mc:Choice><mc:Fallback>{}</mc:Fallback>", "new"),
        ("<mc:Choice Requires='a14'/><mc:Fallback>{1}</mc:Fallback>", "old"),
    ],
)
def test_of_alternate_content_one_choice_is_read(content: str, text: str) -> None:
    deck = Deck()
    made = content.format(sp("new"), sp("old"))
    raw(deck.slide("T"), f"<mc:AlternateContent {NS}>{made}</mc:AlternateContent>")
    assert texts(deck.read())[1:] == [text]


def test_a_hidden_shape_stands_apart() -> None:
    deck = Deck()
    raw(deck.slide("T"), sp("unseen", 'hidden="1"'))
    found = deck.read()
    assert (texts(found), found.asides) == (["## T"], (Aside(AsideKind.HIDDEN, "unseen", 1, reason="hidden shape"),))
