"""Code, as it is set."""

from pincite.formats.pdf.page.characters import SOFT_BREAK
from pincite.formats.pdf.page.code_text import code_text
from support.typed_pages import typed


def test_each_word_is_in_the_column_where_it_begins() -> None:
    page = "def f(x):\n    if x:\n        return  1\n\n    return 2"
    found = code_text(typed(page))
    assert found.text == page
    assert [box.start for box in found.boxes] == [0, 10, 20, 39]


def test_a_hyphen_at_the_end_of_a_line_stays() -> None:
    assert code_text(typed(f"a{SOFT_BREAK}\nb")).text == "a-\nb"
