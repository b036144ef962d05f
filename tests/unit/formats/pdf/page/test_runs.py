from pincite.formats.pdf.page.runs import lone_gap
from support.pdf_read import words
from support.pdfs import Text


def test_a_gap_parts_words_and_pieces_of_one_word_are_joined() -> None:
    assert [word.text for word in words(Text("left", x=72), Text("right", x=120))] == ["left", "right"]
    assert [word.text for word in words(Text("one", x=72), Text("Word", x=88.7))] == ["oneWord"]


def test_a_narrow_gap_parts_words_where_the_font_changes() -> None:
    number = Text("2.5", font="B")  # 13.9 points wide
    assert [word.text for word in words(number, Text("Base", x=72 + 15.6))] == ["2.5", "Base"]
    assert [word.text for word in words(number, Text("Base", x=72 + 14.9))] == ["2.5Base"]
    assert [word.text for word in words(Text("2.5"), Text("Base", x=72 + 15.5))] == ["2.5Base"]


def test_a_bullet_without_white_behind_it_is_a_word_of_its_own() -> None:
    assert [word.text for word in words(Text("•Level a•b •5"))] == ["•", "Level", "a•b", "•5"]


def test_a_style_that_changes_within_a_run_of_characters_parts_it() -> None:
    assert [word.text for word in words(Text("5", x=72), Text("2", x=77.6, y=68, size=5))] == ["5", "2"]


def test_the_only_gap_of_a_text_between_two_letters_ends_a_word() -> None:
    assert lone_gap("ifsuch", [0, 2, 0, 0.1, 0], 10) == 1


def test_other_gaps_are_within_a_word() -> None:
    # Between digits, among other gaps, too narrow, and in a text that is too short to tell.
    assert lone_gap("in5,50", [0, 0, 2, 0, 0], 10) is None
    assert lone_gap("spaced", [1, 2, 1, 1, 1], 10) is None
    assert lone_gap("ifsuch", [0, 1.4, 0, 0, 0], 10) is None
    assert lone_gap("ifs", [0, 2], 10) is None
