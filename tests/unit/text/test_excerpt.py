from pincite.text.excerpt import EXCERPT_CHARS, excerpt, excerpts, well_formed


def test_a_long_text_is_cut_and_a_short_one_is_not() -> None:
    assert excerpt("short") == "short"
    assert excerpt("x" * EXCERPT_CHARS) == "x" * EXCERPT_CHARS
    assert excerpt("x" * (EXCERPT_CHARS + 1)) == "x" * (EXCERPT_CHARS - 1) + "…"
    assert excerpts(["a", "b"]) == "a, b"


def test_halves_of_characters_are_replaced_wherever_they_are() -> None:
    value = {"a\ud800": ["\udc00", 1, None, {"b": "whole 🜁"}]}
    assert well_formed(value) == {"a\ufffd": ["\ufffd", 1, None, {"b": "whole 🜁"}]}
