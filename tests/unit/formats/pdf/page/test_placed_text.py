"""Words as text, with boxes."""

from dataclasses import replace

import pytest

from pincite.formats.pdf.page.characters import SOFT_BREAK
from pincite.formats.pdf.page.hyphens import Hyphenation
from pincite.formats.pdf.page.placed_text import PlacedText, Turn, line_box, text_of
from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.page.words import Word
from pincite.formats.writing.text_boxes import TextBox
from pincite.model.document import Box
from support.pdf_read import read, words
from support.pdfs import Text
from support.typed_pages import word

WIDTHS = {
    "p": 5.56,
    "(v": 8.33,
    "(yet)": 19.45,
    "(x+1)": 23.07,
    "f": 2.78,
    "m": 7.78,
    "10": 11.12,
    "x": 5.0,
    "area": 19.5,
    "area.": 22.3,
    "1,204": 25.0,
}
"""Widths of Helvetica at 10 points."""
WIDTH, HEIGHT = 600.0, 800.0
UPRIGHT = {1: (20.0, 490.0, 40.0, 590.0), 2: (490.0, 760.0, 590.0, 780.0), 3: (760.0, 10.0, 780.0, 110.0)}
"""A rectangle from (10, 20) to (110, 40), as it is seen when text with these turns is upright."""


def word_placed_text(
    text: str,
    x: float,
    y: float,
    first: int,
    *,
    turns: int = 0,
    above: float = -1e9,
    below: float = 1e9,
    wide: float = 20,
) -> Word:
    size = (10, wide) if turns % 2 else (wide, 10)
    return Word(
        *(text, x, y, x + size[0], y + size[1], 10, "", False, False, 0),
        *(first, first + len(text) - 1, -1, turns, 0, above, below),
    )


def test_words_that_nothing_parts_are_one() -> None:
    assert (
        text_of(
            [
                word_placed_text("(", 0, 0, 0),
                word_placed_text("C9", 20, 0, 1),
                word_placed_text(")", 40, 0, 3),
                word_placed_text("x", 65, 0, 4),
            ]
        ).text
        == "(C9) x"
    )


def test_words_in_two_fonts_have_a_space_between_them_but_for_closing_signs() -> None:
    bold = Text("2.5", font="B")  # 13.9 points wide
    assert text_of(words(bold, Text("Base", x=72 + 15.6))).text == "2.5 Base"
    assert text_of(words(bold, Text(", base", x=72 + 15.6))).text == "2.5, base"


def test_a_box_is_as_tall_as_the_shapes_in_it() -> None:
    assert line_box(
        [word_placed_text("a", 0, 0, 0, above=3, below=8), word_placed_text("B", 30, 0, 2, above=1, below=8)]
    ) == Box(0, 1, 50, 8)
    turned = word_placed_text("a", 0, 0, 0, turns=1, above=2, below=9)
    assert line_box([turned]) == Box(2, 0, 9, 20)


def test_lines_give_way_to_each_other() -> None:
    upper, lower = (
        word_placed_text("gy", 0, 0, 0, above=2, below=12),
        word_placed_text("ÄÖ", 0, 10, 4, above=9, below=18),
    )
    found = text_of([upper, replace(lower, y0=9, y1=19)])
    assert found.text == "gy ÄÖ"
    assert [(box.box.y0, box.box.y1) for box in found.boxes] == [(2, 9 - 0.05), (10.05, 18)]


def test_a_wide_gap_parts_a_line_s_boxes() -> None:
    found = text_of([word_placed_text("left", 0, 0, 0), word_placed_text("right", 300, 0, 5)])
    assert found.text == "left right"
    assert [(box.start, box.box.x0) for box in found.boxes] == [(0, 0), (5, 300)]


def test_turned_words_stand_beside_each_other_along_their_line() -> None:
    found = text_of(
        [
            word_placed_text("up", 0, 0, 0, turns=1),
            word_placed_text("wards", 0, 22, 3, turns=1),
            word_placed_text("next", 15, 0, 9, turns=1),
        ]
    )
    assert (found.text, len(found.boxes)) == ("up wards next", 2)
    assert len(text_of([word_placed_text("a", 0, 0, 0), word_placed_text("b", 0, 0, 2, turns=1)]).boxes) == 2


def test_a_word_broken_at_a_line_s_end_is_mended() -> None:
    words = [
        word_placed_text(f"well{SOFT_BREAK}", 0, 0, 0),
        word_placed_text("defined", 0, 12, 6),
        word_placed_text(f"end{SOFT_BREAK}", 30, 12, 14),
    ]
    found = text_of(words)
    assert found.text == "well-defined end-"
    assert [box.start for box in found.boxes] == [0, 5]


def test_texts_on_one_line_share_the_box_where_they_meet() -> None:
    label = PlacedText("1.", (TextBox(Box(0, 0, 5, 9)),))
    body = PlacedText("one two", (TextBox(Box(20, 0, 50, 9)), TextBox(Box(20, 12, 50, 21), 4)))
    found = label.joined_on_line(body)
    assert found == PlacedText("1. one two", (TextBox(Box(0, 0, 50, 9)), TextBox(Box(20, 12, 50, 21), 7)))
    assert found.without_prefix(3).boxes[1].start == 4
    below = label.joined_on_line(PlacedText("one", (TextBox(Box(0, 50, 9, 59)),)))
    assert len(below.boxes) == 2
    assert PlacedText().joined_on_line(body) == body


def test_a_line_of_a_cell_may_end_in_a_hyphen_that_the_file_does_not_mark() -> None:
    broken = [word_placed_text("compre-", 0, 0, 0), word_placed_text("hensive", 0, 12, 9)]
    assert text_of(broken, hyphenation=Hyphenation(breaks=True)).text == "comprehensive"
    assert text_of(broken).text == "comprehensive"
    assert text_of([word_placed_text("well-", 0, 0, 0), word_placed_text("known", 0, 12, 9)]).text == "well-known"
    assert text_of(broken, "\n").text == "compre-\nhensive"
    assert (
        text_of([word_placed_text("1", 0, 0, 0), word_placed_text("-", 30, 0, 2), word_placed_text("2", 0, 12, 9)]).text
        == "1 - 2"
    )


def test_lines_of_a_script_without_spaces_are_joined_without_one() -> None:
    words = [
        word_placed_text("電磁振動器ソ", 0, 0, 0),
        word_placed_text("レノイド", 0, 12, 6),
        word_placed_text("PDF", 0, 24, 10),
        word_placed_text("文書", 0, 36, 13),
    ]
    assert text_of(words).text == "電磁振動器ソレノイド PDF 文書"
    assert text_of(words[:2], "\n").text == "電磁振動器ソ\nレノイド"  # noqa: RUF001 - katakana
    assert text_of([word_placed_text("한국어", 0, 0, 0), word_placed_text("문서", 0, 12, 3)]).text == "한국어 문서"


def line(base: str, raised: str, by: float, size: float = 6.5) -> str:
    found = read([Text(base, x=72, y=100), Text(raised, x=72 + WIDTHS[base], y=100 + by, size=size)])
    return found.text.strip()


@pytest.mark.parametrize(
    ("base", "raised", "text"),
    [("m", "2", "m^2"), ("10", "-3", "10^-3")],
    ids=["unit", "ten"],
)
def test_a_raised_number_after_a_unit_or_ten_is_a_power(base: str, raised: str, text: str) -> None:
    assert line(base, raised, -3.0) == text


def test_a_power_is_set_by_framemaker_at_four_fifths_of_its_base() -> None:
    assert line("10", "12", -3.1, size=8.05) == "10^12"


def test_a_lowered_number_after_a_variable_is_an_index() -> None:
    assert line("x", "1", 2.0) == "x_1"


@pytest.mark.parametrize(
    ("base", "mark"), [("area", "1"), ("1,204", "1"), ("1,204", "(2)"), ("area.", "11"), ("area", "1,4")]
)
def test_the_raised_mark_of_a_note_is_apart_from_a_word_a_value_and_the_end_of_a_sentence(base: str, mark: str) -> None:
    assert line(base, mark, -3.6) == f"{base}^{mark}"


def test_a_number_of_full_size_or_on_the_line_is_none() -> None:
    assert line("m", "2", 0, size=10) == "m2"
    assert line("m", "2", 0) == "m2"


@pytest.mark.parametrize("base", ["p", "(v"])
def test_descenders_and_brackets_do_not_make_an_index_a_power(base: str) -> None:
    assert line(base, "1", 1.5).endswith("_1")
    assert line(base, "2", -2.0).endswith("^2")


@pytest.mark.parametrize(("base", "raised"), [("(x+1)", "2"), ("(yet)", "7")])
def test_after_a_bracket_a_raised_number_is_a_power_or_the_mark_of_a_note(base: str, raised: str) -> None:
    assert line(base, raised, -3.6) == f"{base}^{raised}"


def test_a_raised_zero_after_a_variable_is_a_prime_of_tex() -> None:
    assert "^" not in line("f", "0", -3.6)
    assert line("10", "0", -3.6) == "10^0"


@pytest.mark.parametrize(
    ("mark", "by", "text", "expected"),
    [
        ("1", -3.0, "http://a.org", "1 http://a.org"),
        ("a", -3.0, "Department of it", "a Department of it"),
        ("13", -3.0, "C spectra", "13C spectra"),
        ("1", 0.0, "This too", "1This too"),
        ("1", 2.0, "This too", "1This too"),
    ],
)
def test_the_raised_mark_of_a_note_at_the_beginning_is_apart_from_the_text(
    mark: str, by: float, text: str, expected: str
) -> None:
    found = read([Text(mark, y=100 + by, size=6.5), Text(text, x=72 + 3.7 * len(mark), y=100)])
    assert found.text.strip() == expected


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_rectangle_is_seen_upright_and_mapped_back(turns: int) -> None:
    turn = Turn(turns, WIDTH, HEIGHT)
    assert turn.rectangle((10, 20, 110, 40)) == UPRIGHT[turns]
    text = turn.text(PlacedText("text", (TextBox(Box(*UPRIGHT[turns]), 0),)))
    assert text.boxes[0].box == Box(10, 20, 110, 40)


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_words_become_upright_with_their_glyphs(turns: int) -> None:
    turn = Turn(turns, WIDTH, HEIGHT)
    one = replace(word("text", 10, 20, size=10), turns=turns, above=12, below=28)
    (found,) = turn.words([one])
    assert found.turns == 0 and (found.text, found.size) == ("text", 10)
    assert found.above < found.below
    assert (found.x0, found.y0, found.x1, found.y1) == turn.rectangle((one.x0, one.y0, one.x1, one.y1))


def test_rules_and_shades_turn_with_the_text() -> None:
    found = Turn(1, WIDTH, HEIGHT).rules(Rules([Rule(100, 10, 50)], [Rule(20, 30, 90)], [(10, 20, 110, 40)]))
    assert found.horizontal == [Rule(580, 30, 90)]
    assert found.vertical == [Rule(100, 550, 590)]
    assert found.shades == [UPRIGHT[1]]


def test_slants_and_curves_turn_with_the_text() -> None:
    turn = Turn(1, WIDTH, HEIGHT)
    found = turn.rules(Rules(slants=[(10, 20)], curves=[(30, 40)]))
    assert found.slants == [turn.rectangle((10, 20, 10, 20))[:2]]
    assert found.curves == [turn.rectangle((30, 40, 30, 40))[:2]]
