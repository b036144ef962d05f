"""Words as text, with boxes."""

from dataclasses import replace

from pincite.formats.pdf.page.characters import SOFT_BREAK
from pincite.formats.pdf.page.hyphens import Hyphenation
from pincite.formats.pdf.page.placed_text import PlacedText, line_box, text_of
from pincite.formats.pdf.page.words import Word
from pincite.formats.writing.text_boxes import TextBox
from pincite.model.document import Box
from support.pdf_read import words
from support.pdfs import Text


def word(
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
        text_of([word("(", 0, 0, 0), word("C9", 20, 0, 1), word(")", 40, 0, 3), word("x", 65, 0, 4)]).text == "(C9) x"
    )


def test_words_in_two_fonts_have_a_space_between_them_but_for_closing_signs() -> None:
    bold = Text("2.5", font="B")  # 13.9 points wide
    assert text_of(words(bold, Text("Base", x=72 + 15.6))).text == "2.5 Base"
    assert text_of(words(bold, Text(", base", x=72 + 15.6))).text == "2.5, base"


def test_a_box_is_as_tall_as_the_shapes_in_it() -> None:
    assert line_box([word("a", 0, 0, 0, above=3, below=8), word("B", 30, 0, 2, above=1, below=8)]) == Box(0, 1, 50, 8)
    turned = word("a", 0, 0, 0, turns=1, above=2, below=9)
    assert line_box([turned]) == Box(2, 0, 9, 20)


def test_lines_give_way_to_each_other() -> None:
    upper, lower = word("gy", 0, 0, 0, above=2, below=12), word("ÄÖ", 0, 10, 4, above=9, below=18)
    found = text_of([upper, replace(lower, y0=9, y1=19)])
    assert found.text == "gy ÄÖ"
    assert [(box.box.y0, box.box.y1) for box in found.boxes] == [(2, 9 - 0.05), (10.05, 18)]


def test_a_wide_gap_parts_a_line_s_boxes() -> None:
    found = text_of([word("left", 0, 0, 0), word("right", 300, 0, 5)])
    assert found.text == "left right"
    assert [(box.start, box.box.x0) for box in found.boxes] == [(0, 0), (5, 300)]


def test_turned_words_stand_beside_each_other_along_their_line() -> None:
    found = text_of([word("up", 0, 0, 0, turns=1), word("wards", 0, 22, 3, turns=1), word("next", 15, 0, 9, turns=1)])
    assert (found.text, len(found.boxes)) == ("up wards next", 2)
    assert len(text_of([word("a", 0, 0, 0), word("b", 0, 0, 2, turns=1)]).boxes) == 2


def test_a_word_broken_at_a_line_s_end_is_mended() -> None:
    words = [word(f"well{SOFT_BREAK}", 0, 0, 0), word("defined", 0, 12, 6), word(f"end{SOFT_BREAK}", 30, 12, 14)]
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
    broken = [word("compre-", 0, 0, 0), word("hensive", 0, 12, 9)]
    assert text_of(broken, hyphenation=Hyphenation(breaks=True)).text == "comprehensive"
    assert text_of(broken).text == "comprehensive"
    assert text_of([word("well-", 0, 0, 0), word("known", 0, 12, 9)]).text == "well-known"
    assert text_of(broken, "\n").text == "compre-\nhensive"
    assert text_of([word("1", 0, 0, 0), word("-", 30, 0, 2), word("2", 0, 12, 9)]).text == "1 - 2"


def test_lines_of_a_script_without_spaces_are_joined_without_one() -> None:
    words = [word("電磁振動器ソ", 0, 0, 0), word("レノイド", 0, 12, 6), word("PDF", 0, 24, 10), word("文書", 0, 36, 13)]
    assert text_of(words).text == "電磁振動器ソレノイド PDF 文書"
    assert text_of(words[:2], "\n").text == "電磁振動器ソ\nレノイド"  # noqa: RUF001 - katakana
    assert text_of([word("한국어", 0, 0, 0), word("문서", 0, 12, 3)]).text == "한국어 문서"
