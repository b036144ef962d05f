from pincite.formats.pdf.page.reversed_lines import in_line_order, restore_word_order
from support.typed_pages import word

NUMBER, CHAPTER = word("1", 140, 0, 0), word("Chapter", 72, 0, 2)
NAME, YEAR = word("שנה", 110, 20, 10), word("22", 72, 20, 15)


def test_a_line_that_a_right_to_left_page_has_from_the_right_is_read_from_the_left() -> None:
    assert restore_word_order([NUMBER, CHAPTER, NAME, YEAR]) == [CHAPTER, NUMBER, NAME, YEAR]
    assert restore_word_order([CHAPTER, NUMBER, NAME]) == [CHAPTER, NUMBER, NAME]


def test_a_page_without_right_to_left_letters_is_as_it_is() -> None:
    assert restore_word_order([NUMBER, CHAPTER]) == [NUMBER, CHAPTER]


def test_words_that_tags_have_from_the_left_are_in_the_order_of_their_line() -> None:
    assert in_line_order([CHAPTER, NUMBER, YEAR, NAME]) == [CHAPTER, NUMBER, NAME, YEAR]
    assert in_line_order([NUMBER, CHAPTER]) == [NUMBER, CHAPTER]
