"""Labels that wrap in a narrow column."""

from pincite.formats.pdf.page.words import Word
from pincite.formats.pdf.tables.label_wraps import is_text_wrapped, wrapped_labels
from support.typed_pages import columns_at

ROWS = """
Permitted       Memorized Secret
authenticator   or another one
types           of those here
Authentication  Recommended
Replay against  Required
resistance
Records         Required
Retention
Policy
Privacy         Required
"""


def cells(page: str) -> list[dict[int, list[Word]]]:
    """The words of each line by column, of two."""
    return columns_at(page, 16)


def test_lines_with_small_letters_that_had_no_place_above_go_on_in_a_label() -> None:
    assert {1, 2, 5} <= wrapped_labels(cells(ROWS))
    assert not {0, 3, 4, 6, 9} & wrapped_labels(cells(ROWS))


def test_words_with_capitals_go_on_only_alone_in_their_line() -> None:
    page = ROWS.replace("Records         Required\nRetention", "Long records    Required\nRetention")
    assert 7 in wrapped_labels(cells(page))
    assert 7 not in wrapped_labels(cells(page.replace("\nRetention\n", "\nRetention       Required\n")))


def test_labels_in_small_letters_that_would_fit_above_are_rows() -> None:
    page = "Sum and others  1\nof it           2\nTax             3\nof all          4\n"
    assert not wrapped_labels(cells(page))
    assert not wrapped_labels(cells("alpha\nbeta\ngamma\n"))


def test_a_label_between_two_rules_wraps_within_words_or_before_small_letters() -> None:
    assert is_text_wrapped(cells("Under-          text of it\nstanding        and more\nboard\n"))
    assert not is_text_wrapped(cells("Total           text of it\nBoard           and more\n"))
    assert not is_text_wrapped(cells("total           text of it\nboard           and more\n"))
    assert not is_text_wrapped(cells("Total           text of it\n"))


def test_a_text_in_each_line_between_two_rules_wraps_so_too() -> None:
    assert is_text_wrapped(cells("                A look-up secret authenti-\n                cator is stolen.\n"))
    assert is_text_wrapped(cells("Attacks         Each of them\nOf Users        goes on\n"))
    assert not is_text_wrapped(cells("Attacks         Each of them\nOf Users\nThefts          goes on\n"))
    assert not is_text_wrapped(cells("Attacks         each of them\nOf Users        goes on\n"))
