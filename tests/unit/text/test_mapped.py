import re

import pytest

from pincite.text.characters import fold
from pincite.text.mapped import MappedBuilder, replaced, without


def test_a_piece_as_long_as_its_original_maps_character_by_character() -> None:
    found = without("a b c", re.compile(" "))
    assert found.text == "abc"
    assert [found.span(index, index + 1) for index in range(3)] == [(0, 1), (2, 3), (4, 5)]
    assert found.span(0, 3) == (0, 5)


def test_any_other_piece_maps_as_a_whole() -> None:
    found = fold("a ﬁx")
    assert found.text == "a fix"
    assert found.span(2, 3) == found.span(3, 4) == (2, 3)
    assert found.span(4, 5) == (3, 4)


@pytest.mark.parametrize(("place", "index"), [(0, 0), (1, 1), (2, 1), (3, 1), (4, 2), (5, 3), (9, 3)])
def test_a_place_is_found_by_what_begins_there_or_next(place: int, index: int) -> None:
    assert (
        replaced("a  bc", re.compile(" +"), "").first_at(place)
        == {0: 0, 1: 1, 2: 1, 3: 1, 4: 2, 5: 3, 9: 3}[place]
        == index
    )


def test_inside_a_piece_that_maps_as_a_whole_the_next_one_is_first() -> None:
    assert replaced("a   b", re.compile(" +"), " ").first_at(2) == 2


def test_nothing_maps_to_nothing() -> None:
    empty = MappedBuilder().done()
    assert (empty.text, empty.start(0), empty.end(0), empty.first_at(0)) == ("", 0, 0, 0)
    assert without("", re.compile(" ")).text == ""


def test_the_end_of_the_text_is_the_end_of_the_original() -> None:
    found = without("ab ", re.compile(" "))
    assert (found.start(2), found.end(2), found.end(0)) == (3, 2, 0)
