from support.decks import (
    Deck,
    smart_art,
    texts,
)


def test_smart_art_is_a_list_nested_as_the_diagram_is() -> None:
    deck = Deck()
    smart_art(deck, deck.slide("T"), [("1", "0", "Plan"), ("2", "1", "Ask"), ("3", "0", "Do"), ("4", "9", "lost")])
    assert texts(deck.read(), "list") == ["- Plan\n  - Ask\n- Do\n- lost"]
