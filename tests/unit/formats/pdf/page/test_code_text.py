"""Code, as it is set."""

from dataclasses import replace

from pincite.formats.pdf.page.characters import SOFT_BREAK
from pincite.formats.pdf.page.code_text import (
    DocumentCode,
    are_cells,
    are_evenly_set,
    baseline,
    can_be_code,
    code_fonts,
    code_text,
    depths,
)
from pincite.formats.pdf.page.words import Line, line_of
from support.typed_pages import typed


def test_each_word_is_in_the_column_where_it_begins() -> None:
    page = "def f(x):\n    if x:\n        return  1\n\n    return 2"
    found = code_text(typed(page))
    assert found.text == page
    assert [box.start for box in found.boxes] == [0, 10, 20, 39]


def test_quotation_marks_of_tex_s_fonts_are_as_they_were_typed() -> None:
    (line,) = typed("print(\u2018a\u2019)")
    for font, text in (("SFTT1000", "print(`a')"), ("LMMono10-Regular", "print(`a')"), ("Consolas", line.text)):
        assert code_text([line_of([replace(word, font=font) for word in line.words])]).text == text


def test_spaces_that_tex_shows_in_strings_are_spaces() -> None:
    (line,) = typed('query("up\N{OPEN BOX}==\N{OPEN BOX}0")')
    for font, text in (("SFTT1000", 'query("up == 0")'), ("Consolas", line.text)):
        assert code_text([line_of([replace(word, font=font) for word in line.words])]).text == text


def test_a_hyphen_at_the_end_of_a_line_stays() -> None:
    assert code_text(typed(f"a{SOFT_BREAK}\nb")).text == "a-\nb"


def test_a_word_of_code_that_the_print_breaks_is_whole_with_a_box_for_each_part() -> None:
    found = code_text(typed("run --per\u2010\n  formance now\nnext"))
    assert found.text == "run --performance now\nnext"
    assert [box.start for box in found.boxes] == [0, 9, 22]


def test_words_are_cells_if_columns_begin_within_characters() -> None:
    words = [word for line in typed("nonce     int a\ngasLimit  int b") for word in line.words]
    assert not are_cells(words)
    moved = [
        replace(word, x0=word.x0 + 2, x1=word.x1 + 2) if word.text in ("int", "a", "b") else word for word in words
    ]
    assert are_cells(moved)


def test_lines_that_are_all_indented_begin_at_an_edge_that_is_whole_characters_away() -> None:
    lines = typed("      a\n        b")
    assert code_text(lines).text == "a\n  b"
    assert code_text(lines, [10]).text == "    a\n      b"
    assert code_text(lines, [8]).text == "a\n  b"


def test_blank_lines_in_larger_type_than_the_code_are_counted_by_their_own_height() -> None:
    lines = typed("a\nb\n\nc\n\n\nd\ne")
    leading = lines[1].y0 - lines[0].y0
    lower = [0, 0, 0.3 * leading, 0.9 * leading, 0.9 * leading]
    moved = [
        line_of([replace(word, y0=word.y0 + by, y1=word.y1 + by) for word in line.words])
        for line, by in zip(lines, lower, strict=True)
    ]
    assert code_text(moved).text == "a\nb\n\nc\n\n\nd\ne"


def test_lines_are_evenly_set_with_a_blank_line_between_all_of_them_too() -> None:
    assert are_evenly_set(typed("a\nb\n\nc"))
    assert are_evenly_set(typed("a\n\nb\n\nc"))
    assert not are_evenly_set(typed("a\n\n\n\nb"))


def test_parts_of_one_line_that_overlap_count_no_blank_lines() -> None:
    first, second = typed("a b\nc")
    overlapping = [line_of([replace(word, y0=first.y0, y1=first.y1) for word in second.words])]
    assert code_text([first, *overlapping, *overlapping]).text == "a b\nc\nc"


def test_fonts_of_code_are_monospaced_and_those_of_a_typewritten_page_are_its_type() -> None:
    code, text = (line.words[0] for line in typed("a\nb"))
    code, text = replace(code, font="Courier"), replace(text, font="Times")
    assert code_fonts([code, text]) == {"Courier"}
    assert code_fonts([code]) == frozenset() == code_fonts([text])
    assert code_fonts([replace(code, font="t1xbtt"), text]) == {"t1xbtt"}
    assert code_fonts([code], is_typeset=True) == {"Courier"}
    for name in ("Fira-Code", "Source-Code-Pro", "Monaco", "TeXGyreCursor-Regular"):
        assert code_fonts([replace(code, font=name), text]) == {name}
    # Italic and slanted typewriter fonts of TeX, which the comments of code are set in.
    assert code_fonts([replace(code, font="SFIT0900"), replace(code, font="SFTI0900"), text]) == {"SFIT0900"}


def test_a_document_is_typeset_if_most_of_its_text_is_in_other_fonts_than_code_s() -> None:
    code, text = (line.words[0] for line in typed("a\nb"))
    code, text = replace(code, font="Courier"), replace(text, font="Times")
    types = DocumentCode()
    types.add([text] * 999 + [code] * 990)
    assert not types.is_typeset
    types.add([text])
    assert types.is_typeset
    types.add([code] * 10)
    assert not types.is_typeset


def test_labels_and_addresses_are_no_code() -> None:
    assert can_be_code("run this")
    assert not any(map(can_be_code, ("ps", "a@example.org", "https://example.org/a")))


def tight(text: str, y: float) -> Line:
    """A line with its baseline at `y`; a letter in it that reaches lower makes its box so much higher."""
    (line,) = typed(text)
    below = 2.0 if "g" in text else 0.0
    return line_of([replace(word, y0=y - 6, y1=y + below) for word in line.words])


def test_signs_below_the_baseline_make_lines_lower_where_boxes_are_those_of_the_glyphs() -> None:
    lines = [tight("glibc", 100), tight("debian", 110), tight("Debug", 120)]
    below = depths(lines)
    assert below == {round(lines[0].size, 1): 2}
    assert [baseline(line, below) for line in lines] == [100, 110, 120]


def test_boxes_that_are_all_as_high_have_their_lower_edges() -> None:
    lines = typed("glibc\ndebian")
    below = depths(lines)
    assert set(below.values()) == {0}
    assert [baseline(line, below) for line in lines] == [line.y1 for line in lines]
    # Nor can anything be told where all signs, or none, reach below the baseline.
    assert not depths([tight("glibc", 100), tight("gnu", 110)])
