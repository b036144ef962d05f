import pytest

from pincite.text.characters import APART, CELL, SOFT, fold


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("“so” – it’s", '"so" - it\'s'),
        ("ﬁle", "file"),
        ("\uff21\uff22\uff23", "ABC"),
        ("10² and ½", "10² and ½"),
        ("zero\u200bwidth", "zerowidth"),
        ("a\u00a0b", "a b"),
        ("one\n  two", "one  two"),
        ("word—word", "word - word"),
        ("foot-\nnote", f"foot{SOFT}note"),
    ],
)
def test_what_can_be_written_in_many_ways_is_written_in_one(text: str, expected: str) -> None:
    assert fold(text).text == expected


def test_each_character_knows_what_it_was() -> None:
    text = "a ﬁle – here"
    mapped = fold(text)
    start = mapped.text.index("file")
    assert text[slice(*mapped.span(start, start + 4))] == "ﬁle"


def test_edits_are_read_in_place_of_what_they_span() -> None:
    assert fold("a|b", [(1, 2, CELL)]).text == f"a{CELL}b"
    assert fold("1**2", [(1, 3, "")]).text == f"1{APART}2"
