from dataclasses import replace

import pytest

from pincite.formats.pdf.page.small_capitals import with_small_capitals
from pincite.formats.pdf.page.words import Word


def word(text: str, x0: float, size: float, y1: float) -> Word:
    width = 0.7 * size * len(text)
    return Word(text, x0, y1 - size, x0 + width, y1, size, "Charter", False, False, 0, 0, len(text) - 1, -1, 0, 0)  # noqa: FBT003


def test_a_capital_and_smaller_ones_behind_it_are_a_word() -> None:
    words = [word("A", 100, 10, 200), word("PPLICATION", 107.2, 8, 199.55), word("L", 170, 10, 200)]
    words.append(word("EVELS,", 177.1, 8, 199.55))
    assert [each.text for each in with_small_capitals(words)] == ["APPLICATION", "LEVELS,"]


@pytest.mark.parametrize(
    "other",
    [
        word("CC", 107.2, 7, 201.5),
        word("TM", 107.2, 7, 196),
        word("PPLICATION", 110, 8, 199.55),
        word("pplication", 107.2, 8, 199.55),
        word("PPLICATION", 107.2, 10, 200),
        word("2", 107.2, 8, 199.55),
    ],
    ids=["below", "above", "apart", "small letters", "as large", "a number"],
)
def test_others_are_not(other: Word) -> None:
    assert with_small_capitals([word("A", 100, 10, 200), other]) == [word("A", 100, 10, 200), other]


def test_words_of_small_capitals_alone_have_the_size_of_the_capitals() -> None:
    title = [word("T", 90, 8, 199.55), word("A", 100, 10, 200), word("PPLICATION", 107.2, 8, 199.55)]
    title += [word("IN", 170, 8, 199.55), word("USE?", 100, 8, 211.55)]
    text = [word("IN", 100, 8, 240), word("Use", 120, 8, 240)]
    words = with_small_capitals([*title, *text])
    assert [(each.text, each.size) for each in words] == [
        ("T", 10),
        ("APPLICATION", 10),
        ("IN", 10),
        ("USE?", 10),
        ("IN", 8),
        ("Use", 8),
    ]


def test_words_of_small_capitals_alone_have_the_size_of_a_word_in_capitals_before_them() -> None:
    title = [word("6", 60, 10, 200), word("SPDX", 75, 10, 200), word("DOCUMENT", 106, 8, 199.55)]
    title += [word("SECTION", 100, 8, 211.55)]
    assert [each.size for each in with_small_capitals(title)] == [10, 10, 10, 10]
    raised = [word("SPDX", 75, 10, 200), word("DOCUMENT", 106, 8, 196)]
    assert [each.size for each in with_small_capitals(raised)] == [10, 8]


def test_small_letters_of_a_font_of_small_capitals_are_small_capitals() -> None:
    words = [word("e", 100, 10, 200), word("xchange", 107.2, 8, 199.55), word("rates", 170, 8, 199.55)]
    words = [replace(each, font="DejaVu-Serif-Small-Caps") for each in words]
    assert [(each.text, each.size) for each in with_small_capitals(words)] == [("Exchange", 10), ("rates", 10)]
