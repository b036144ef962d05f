"""Small rules of the PDF reader, each by itself."""

import pytest

from pincite.formats.pdf.document import opened, rebuilt
from pincite.formats.pdf.layout.bookmarks import bookmarks, by_page
from pincite.formats.pdf.layout.reading_order import in_reading_order
from pincite.formats.pdf.layout.survey import RUN, RUNS, sample
from pincite.formats.pdf.page.markers import is_bullet, is_label, is_rule, last_number, leader_page, section_depth
from pincite.formats.pdf.page.page import Place, open_page
from pincite.formats.pdf.page.words import Word, line_of, lines_of, page_words, visual_lines
from pincite.model.document import Box
from support.pdfs import Filled, Text, column, pdf, prose


@pytest.mark.parametrize(("turns", "expected"), [(0, (20, 690)), (1, (100, 10)), (2, (570, 100)), (3, (690, 580))])
def test_a_point_is_placed_as_the_page_is_displayed(turns: int, expected: tuple[float, float]) -> None:
    place = Place(10, 10, 600, 800, turns)
    assert place.point(*{0: (30, 110), 1: (20, 110), 2: (30, 110), 3: (20, 110)}[turns]) == expected
    assert (place.width, place.height) == ((590, 790) if turns % 2 == 0 else (790, 590))


def test_the_depth_of_a_section_number() -> None:
    texts = (
        "1 Scope",
        "1.2 Terms",
        "A.1.2 Note",
        "Item 1A. Risk",
        "PART II Foo",
        "II. Foo",
        "Scope",
        "A house",
        "2022",
    )
    assert [section_depth(text) for text in texts] == [1, 2, 3, 0, 0, 1, 0, 0, 0]


def test_marks_of_items() -> None:
    assert all(map(is_bullet, "•▪–\uf0b7\ufffd"))
    assert all(map(is_label, ("1.", "(a)", "iv)", "12)", "2.1", "(3)")))
    assert not any(map(is_label, ("2022.", "word", "(see", "and.")))
    assert is_rule("__________") and not is_rule("____")


def test_page_numbers_at_the_end_of_entries() -> None:
    assert [leader_page(text) for text in ("Scope ..... 12", "Scope . . . . . iv", "Scope ... 12")] == ["12", "iv", ""]
    assert [last_number(text) for text in ("Scope 12", "12 13", "Scope")] == [12, None, None]


def test_a_stretch_goes_before_what_it_stands_above() -> None:
    low, high, beside = Box(0, 200, 100, 210), Box(0, 100, 100, 110), Box(300, 100, 400, 110)
    assert in_reading_order([low, high]) == [high, low]
    assert in_reading_order([low, beside]) == [low, beside]


def test_a_long_document_is_looked_at_in_runs() -> None:
    runs = sample(1000)
    assert len(runs) == RUNS and all(len(run) == RUN for run in runs)
    assert (runs[0].start, runs[-1].stop) == (1, 1001)
    assert [number for run in sample(20) for number in run] == list(range(1, 21))


def test_the_outline_is_read_once_even_where_it_goes_in_circles() -> None:
    whole = pdf(prose(), prose(), outline=[("Part one", 1), ("Part two", 2)])
    with opened(whole) as file:
        assert by_page(bookmarks(file.document)) == {1: {"partone": 1}, 2: {"parttwo": 1}}
    with opened(whole.replace(b"/Title(Part two)", b"/First 11 0 R/X(1)")) as file:
        assert [entry.title for entry in bookmarks(file.document)] == ["Part one"]


def test_nothing_is_put_together_of_a_file_without_pages() -> None:
    assert rebuilt(b"%PDF-1.7\n1 0 obj\n<</Type/Font>>\nendobj\n") is None


def words(*content: Text | Filled) -> list[Word]:
    with opened(pdf(content)) as file, open_page(file.document, 1) as page:
        return page_words(page).words


def test_a_word_says_how_it_is_set_and_where_it_stands() -> None:
    plain, bold, slanted = words(
        Text("plain", y=100), Text("bold", y=120, font="B", size=14), Text("slanted", y=140, font="I", colour="1 0 0")
    )
    assert (plain.text, plain.size, plain.bold, plain.italic, plain.colour) == ("plain", 10, False, False, 0)
    assert (bold.size, bold.bold, slanted.italic, slanted.colour) == (14, True, True, 0xFF0000)
    assert (plain.first, plain.last, plain.mcid, plain.turns) == (0, 4, -1, 0)
    assert plain.y0 < 100 - 6 < 100 < plain.y1


def test_a_gap_parts_words_and_pieces_of_one_word_are_joined() -> None:
    assert [word.text for word in words(Text("left", x=72), Text("right", x=120))] == ["left", "right"]
    assert [word.text for word in words(Text("one", x=72), Text("Word", x=88.7))] == ["oneWord"]


def test_a_style_that_changes_within_a_run_of_characters_parts_it() -> None:
    assert [word.text for word in words(Text("5", x=72), Text("2", x=77.6, y=68, size=5))] == ["5", "2"]


def test_a_word_reaches_as_far_as_its_characters_whether_they_are_one_object_or_many() -> None:
    (whole,) = words(Text("opduo"))
    (parts,) = words(*(Text(character, x=72 + 5.56 * place) for place, character in enumerate("opduo")))
    assert parts.text == whole.text
    assert (parts.above, parts.below) == pytest.approx((whole.above, whole.below), abs=0.01)
    assert parts.above < 72 - 6 < 72 < parts.below - 1


def test_turned_text_has_lines_of_its_own() -> None:
    found = words(Text("upright"), Text("turned text", x=40, y=400, turn=(0, 1)))
    assert [word.turns for word in found] == [0, 3, 3]
    assert len(visual_lines(found)) == 1


def test_lines_of_a_page_and_rows_of_a_page_differ_where_columns_do() -> None:
    found = words(*column("a one", "a two"), *column("b one", "b two", x=300))
    assert [line.text for line in lines_of(found)] == ["a one", "a two", "b one", "b two"]
    assert [line.text for line in visual_lines(found)] == ["a one b one", "a two b two"]
    assert line_of(found).x1 == max(word.x1 for word in found)
