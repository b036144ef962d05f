"""Repairs of characters: right-to-left text, accents, the fonts of TeX, and fonts that declare almost no size."""

# ruff: noqa: RUF001 - signs that look like letters are what this file is about

import unicodedata
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

from pincite.formats.pdf.page import character_repairs
from pincite.formats.pdf.page.character_repairs import (
    FILLER,
    added_spaces,
    fold_presentation_forms,
    join_accents,
    math_encoding,
    restore_letters,
    restore_logical_order,
    restore_signs,
    touched_spaces,
    with_negations,
)
from pincite.formats.pdf.page.rectangles import Grid, Indices
from support.pdf_layout import read as pdf_layout_read
from support.pdf_read import document, hidden, read, words
from support.pdfs import Text, prose


def printed(text: str, lefts: list[float] | None = None) -> str:
    """What is made of a line whose characters are printed at some places; from the right without any."""
    x0 = np.array(lefts or [float(100 - n) for n in range(len(text))])
    return restore_logical_order(text, np.array([x0, np.zeros_like(x0), x0 + 1, np.ones_like(x0)]))


@pytest.mark.parametrize("one", ["\u0643\u0627\u0644\u0628", "\u0643\u0644\u0627\u0628"])
def test_lam_comes_before_alef_where_both_are_one_glyph(one: str) -> None:
    assert printed(one, [90, 80, 80, 70]) == "\u0643\u0644\u0627\u0628"


def test_letters_in_boxes_of_their_own_keep_their_order() -> None:
    assert printed("\u0627\u0644\u0628") == "\u0627\u0644\u0628"


def test_a_word_whose_letters_run_to_the_right_is_reversed() -> None:
    assert printed("\u0628\u0639\u0634", [70, 80, 90]) == "\u0634\u0639\u0628"
    assert printed("\u0628\u0639\u0634", [70, 90, 80]) == "\u0628\u0639\u0634"


def test_brackets_are_mirrored_if_only_then_they_are_in_pairs() -> None:
    assert printed("\u05d0 15)\u05d1()4(") == "\u05d0 15(\u05d1)(4)"
    assert printed("\u05d0 (\u05d1) [4]") == "\u05d0 (\u05d1) [4]"
    assert printed("\u05d0) \u05d1 (4)") == "\u05d0) \u05d1 (4)"
    assert printed(")a(\n\u05d0") == ")a(\n\u05d0"


def test_groups_of_digits_of_a_date_are_ordered_as_printed() -> None:
    assert printed("\u05d0 2024/05/12", [99, 98, *range(46, 50), 45, 43, 44, 42, 40, 41]) == "\u05d0 12/05/2024"
    assert printed("\u05d0 12/05", [99, 98, 40, 41, 42, 43, 44]) == "\u05d0 12/05"


def test_shapes_are_folded_to_letters() -> None:
    assert fold_presentation_forms("\ufedb\ufefb a\ufb01") == "\u0643\u0644\u0627 afi"


def test_words_of_a_file_are_in_logical_order() -> None:
    assert [word.text for word in words(Text("BCE", font="A"))] == ["\u0643\u0644\u0627\u0628"]
    assert [word.text for word in words(Text("BDA", font="A"))] == ["\u0643\u0644\u0627\u0628"]


def test_cells_of_a_table_are_in_reading_order() -> None:
    rows = [
        part
        for row in range(4)
        for part in (
            Text("FE DC BA", x=300, y=200 + 14 * row, font="H"),
            Text(f"{row + 1},234", x=80, y=200 + 14 * row),
            Text(f"{row + 2},345", x=180, y=200 + 14 * row),
        )
    ]
    found = read([*prose(), *rows])
    assert found.text.count("\u05d0\u05d1 \u05d2\u05d3 \u05d4\u05d5") == 4


# ruff: noqa: RUF001 - signs that look like letters are what this file is about
def joined(text: str, lefts: list[float], width: float = 5) -> str:
    """The text of a line whose characters begin at these places."""
    rights = [left if letter == " " else left + width for left, letter in zip(lefts, text, strict=True)]
    boxes = np.array([(left, 10, right, 0) for left, right in zip(lefts, rights, strict=True)])
    return join_accents(text, boxes).replace(FILLER, "|")


@pytest.mark.parametrize(
    ("text", "lefts", "expected"),
    [
        ("n´am", [0, 5, 5, 10], "n|ám"),
        ("a´", [0, 0], "á|"),
        ("ı´", [0, 0], "í|"),
        ("w ¨a", [0, 5, 5, 5], "w||ä"),
        ("w ¨a", [0, 5, 15, 15], "w |ä"),
        ("u x ¨", [0, 5, 10, 15, 0], "ü x  "),
        ("na ˇ c", [5, 10, 15, 0, 0, 15], "na ˇ c"),
        ("na ˇ ci u", [5, 10, 15, 40, 15, 15, 20, 25, 40], "na|||ci ǔ"),
    ],
)
def test_accents_are_on_the_letters_that_are_below_them(text: str, lefts: list[float], expected: str) -> None:
    assert joined(text, lefts) == expected


@pytest.mark.parametrize(("text", "lefts"), [("don´t", [0, 5, 10, 15, 20]), ("x¯", [0, 0]), ("a´", [0, 2])])
def test_other_signs_stay(text: str, lefts: list[float]) -> None:
    assert joined(text, lefts) == text


def test_of_letters_printed_over_each_other_each_accent_is_tried_on_some_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(character_repairs, "unicodedata", counted := Mock(wraps=unicodedata))
    text = "x" * 20_000 + "¯" * 200
    assert joined(text, [0.0] * len(text)) == text
    assert 0 < counted.normalize.call_count <= 200 * character_repairs.MAX_NEAR


def test_a_word_with_an_accent_drawn_apart_is_whole() -> None:
    found = read([*prose(), Text("Ver", y=200), Text("¨", x=88.4, y=200), Text("offnung", x=87.3, y=200)])
    assert found.text.endswith("Veröffnung\n")


def test_an_accent_at_the_end_of_its_line_leaves_no_gap_in_the_word_where_it_is_stored() -> None:
    """The gaps are those that pdfium makes where it moves the accent away."""
    accents = [Text("¨", x=151.1, y=200), Text("¨", x=92.6, y=200)]
    words = [Text("Anw", y=200), Text("u", x=150, y=200), *accents, Text("alte", x=91.5, y=200.1)]
    found = read([*prose(), *words])
    assert found.text.endswith("Anwälte ü\n")


def edges(text: str, *cancelled: int) -> Grid:
    """Boxes of characters that are 5 points wide and 10 high, with the letters behind some spaces at those spaces."""
    x0 = np.cumsum([0.0 if number - 1 in cancelled else 5.0 for number in range(len(text))])
    return np.array([x0, np.zeros(len(text)), x0 + 5, np.full(len(text), 10.0)])


def spaces_of(text: str) -> Indices:
    return np.array([number for number, character in enumerate(text) if character == " "], np.int64)


def touched(text: str, boxes: Grid) -> list[int]:
    return touched_spaces(spaces_of(text), boxes)


def added(text: str, *narrow: int, typed: bool) -> list[int]:
    """Spaces within words: those at some indices have no width, and letters 1 point behind them; the others have none
    unless they are typed."""
    x0, y0, x1, y1 = edges(text)
    for space in range(len(text)):
        if text[space] == " " and (space in narrow or not typed):
            x1[space] = x0[space]
            shift = 4.0 if space in narrow else 0.0
            x0[space + 1 :] -= shift
            x1[space + 1 :] -= shift
    return added_spaces(spaces_of(text), np.array([x0, y0, x1, y1]))


def test_a_space_that_no_file_has_is_none_within_a_word_of_one_that_types_its_spaces() -> None:
    assert added("the compan y was founded", 10, typed=True) == [10]
    assert added("the compan y was founded", 10, typed=False) == []


def test_words_of_an_ocr_layer_are_as_the_layer_spells_them(data: Path) -> None:
    for name in ("scanlayer", "ocr1.5"):
        found = document((data / "found/pdf" / f"{name}.pdf").read_bytes()).text
        assert "The Tower company was founded in Zurich" in found
        assert "Shipping container number 138588" in found and "Ramon Bach Pellicer" in found


def test_a_space_between_letters_that_touch_is_none() -> None:
    text = "how ev er a b c d e f g h i j k l m"
    assert touched(text, edges(text, 6)) == [6]


def test_spaces_are_kept_where_many_letters_touch_at_their_sides_or_none_do() -> None:
    text = "how ev er a b"
    assert touched(text, edges(text, 3, 6)) == [] == touched(text, edges(text))


def test_a_space_before_another_line_is_kept() -> None:
    text = "how ev er a b c d e f g h i j k l m"
    boxes = edges(text, 6)
    boxes[1, 7:] += 12
    boxes[3, 7:] += 12
    assert touched(text, boxes) == []


def test_a_space_that_the_next_letters_are_drawn_over_is_none_of_the_text() -> None:
    # In Helvetica at 10 points, the last space begins 58.4 points behind the beginning of the line.
    line = [Text("it may howev ", y=300), Text("er be", x=72 + 58.4, y=300)]
    assert "it may however be" in pdf_layout_read([*prose(), *line, *prose(y=400)]).text


def one_face(text: str) -> str:
    return restore_letters(text, lambda _: 1)


def test_letters_of_tex_s_fonts_are_known_by_their_codes() -> None:
    found = read([*prose(), Text('de\x0cne, di\x0berent, e\x0ecient, ba\x0fe: \\so" 6{8', y=300)])
    assert found.text.endswith("define, different, efficient, baffle: “so” 6–8\n")
    assert found.coverage.complete


@pytest.mark.parametrize(
    ("codes", "letters"),
    [
        ("\x0cnally su\x0eces |", "\ufb01nally su\ufb03ces —"),
        ("signi\x1ced \x10su\x1ece\x11 {", "signi\ufb01ed “su\ufb03ce” {"),
        ("a \rame \x0cnally", "a \ufb02ame \ufb01nally"),
    ],
)
def test_codes_are_of_the_encoding_in_which_they_are_within_words(codes: str, letters: str) -> None:
    assert one_face(codes) == letters


@pytest.mark.parametrize(
    "text",
    ["a\x0bx + b\x0cy", "at the end\r\nof a line {", "\ropula approa\rh", "x\x1by", "\x0cnds \x0c \x0b \x0c \x0b"],
)
def test_greek_letters_of_formulas_and_other_codes_stay(text: str) -> None:
    assert one_face(text) == text


def test_only_fonts_with_such_codes_in_words_are_restored() -> None:
    text = "de\x0cnes x\x0cy {"
    faces = [1] * 8 + [2] * 6
    assert restore_letters(text, faces.__getitem__) == "de\ufb01nes x\x0cy {"


@pytest.mark.parametrize(
    ("font", "codes", "signs"),
    [
        ("CMSY10", "hi0`7", "⟨⟩′⊢↦"),
        ("CMBSY7", "h", "⟨"),
        ("CMMI10", "`?", "ℓ⋆"),
        ("CMEX10", "PZX", "∑∫∑"),
        ("CMEX10", "µ¶Ã!", "()()"),
        ("TeX-feymr10", "e", "€"),
    ],
)
def test_codes_of_mathematical_fonts_are_signs(font: str, codes: str, signs: str) -> None:
    assert "".join(math_encoding(font)[code] for code in codes) == signs


@pytest.mark.parametrize("font", ["CMR10", "CMSS10", "CMTT10", "Times", "CMSY", ""])
def test_other_fonts_have_none(font: str) -> None:
    assert not math_encoding(font)


def test_only_codes_without_a_value_of_that_font_are_restored() -> None:
    text = "hsizei {h}"
    faces = [1, 2, 2, 2, 2, 1, 0, 1, 2, 1]
    restored = restore_signs(text, {1: math_encoding("CMSY10")}, faces.__getitem__, lambda index: index < 6)
    assert restored == "⟨size⟩ {h}"


def test_a_sign_whose_glyph_is_called_as_a_letter_is_restored_although_it_has_a_value() -> None:
    assert restore_signs("e100 e", {1: math_encoding("feybo10")}, [1, 2, 2, 2, 2, 2].__getitem__, bool) == "€100 e"


def test_a_stroke_is_on_the_sign_after_it() -> None:
    assert with_negations("c\u0338=c, a \u2208 b") == "c≠c, a ∈ b"


GLYPHS = "ABCDEFGHIJKLM"


def type3_pdf(size: float, scale: float = 1.0, stretch: int = 100) -> bytes:
    """A page whose font draws letters of 60 by 80 units at a size of 1, in two lines.

    Args:
        size: The text matrix' scale: 0.1 makes glyphs 6 points wide and 8 high.
        scale: Height of the glyphs relative to that.
        stretch: Horizontal scaling in percent.
    """
    high = 80 * scale
    glyph = f"60 0 0 0 60 {high} d1 5 0 40 {high} re f"
    procedures = "".join(f"/{letter} 6 0 R " for letter in GLYPHS)
    font = (
        f"<</Type/Font/Subtype/Type3/FontBBox[0 0 60 {high}]/FontMatrix[1 0 0 1 0 0]/CharProcs<<{procedures}>>"
        f"/Encoding<</Type/Encoding/Differences[65 {''.join('/' + letter for letter in GLYPHS)}]>>"
        f"/FirstChar 65/LastChar {64 + len(GLYPHS)}/Widths[{'60 ' * len(GLYPHS)}]/Resources<<>>>>"
    )
    lines = (f"1 0 0 1 72 {y} cm {size} 0 0 {size} 0 0 Tm (ABCDEF) Tj" for y in (700, -14))
    shown = " ".join(
        f"{line.partition('cm')[0]}cm BT /T 1 Tf {stretch} Tz {line.partition('cm')[2]} ET" for line in lines
    )
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</T 5 0 R>>>>>>",
        f"<</Length {len(shown)}>>stream\n{shown}\nendstream",
        font,
        f"<</Length {len(glyph)}>>stream\n{glyph}\nendstream",
    ]
    body = "".join(f"{number} 0 obj {text} endobj\n" for number, text in enumerate(objects, 1))
    return f"%PDF-1.7\n{body}trailer<</Root 1 0 R/Size 7>>".encode()


def test_glyphs_that_are_larger_than_their_font_s_size_are_read() -> None:
    found = document(type3_pdf(0.1))
    assert found.text.replace("#", "").split() == ["ABCDEF", "ABCDEF"]
    assert not hidden(found)


def test_glyphs_that_are_small_themselves_stay_hidden() -> None:
    assert hidden(document(type3_pdf(0.01))) == ["ABCDEF", "ABCDEF"]


def test_glyphs_that_are_wide_but_flat_stay_hidden() -> None:
    assert hidden(document(type3_pdf(0.01, stretch=1000))) == ["ABCDEF", "ABCDEF"]
    assert hidden(document(type3_pdf(0.1, scale=0.01))) == ["ABCDEF", "ABCDEF"]


def test_small_print_of_a_font_with_a_size_stays_hidden() -> None:
    assert hidden(read([*prose(), Text("too small to be read", y=300, size=1)])) == ["too small to be read"]


def test_a_negative_size_turns_the_text_on_its_head() -> None:
    (word,) = words(Text("word", x=300, y=300, size=-12))
    assert (word.size, word.turns) == (12.0, 2)
    (upright,) = words(Text("word", x=300, y=300, size=-12, turn=(-1, 0)))
    assert (upright.size, upright.turns) == (12.0, 0)
