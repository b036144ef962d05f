"""Gaps that end words."""

from pincite.formats.pdf.page.word_gaps import lone_gap


def test_the_only_gap_of_a_text_between_two_letters_ends_a_word() -> None:
    assert lone_gap("ifsuch", [0, 2, 0, 0.1, 0], 10) == 1


def test_other_gaps_are_within_a_word() -> None:
    # Between digits, among other gaps, too narrow, and in a text that is too short to tell.
    assert lone_gap("in5,50", [0, 0, 2, 0, 0], 10) is None
    assert lone_gap("spaced", [1, 2, 1, 1, 1], 10) is None
    assert lone_gap("ifsuch", [0, 1.4, 0, 0, 0], 10) is None
    assert lone_gap("ifs", [0, 2], 10) is None
