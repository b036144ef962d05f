import pytest

from pincite.text.characters import CELL, fold
from pincite.text.markup import in_document, in_quote, labels


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("**bold** and `code`", "bold and code"),
        ("[name](https://a.b/c)", "name"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("snake_case_name", "snake_case_name"),
        ("a &amp; b<br>c", "a & b c"),
        ("x<sup>2</sup>", "x²"),
        ("\\*as it is\\*", "*as it is*"),
        ("<!-- not shown -->shown", "shown"),
    ],
)
def test_markup_of_a_document_is_read_as_it_is_seen(text: str, seen: str) -> None:
    assert fold(text, in_document(text)).text == seen


def test_only_links_whose_name_is_defined_are_links() -> None:
    text = "[one] and [two]\n\n[one]: https://a.b/c\n"
    assert labels(text) == {"one"}
    assert fold(text, in_document(text)).text.startswith("one and [two]")


def test_a_bar_parts_cells_in_a_table_alone() -> None:
    assert CELL not in fold("a | b", in_document("a | b")).text
    table = "a | b\n--|--\nc | d\n"
    assert fold(table, in_document(table)).text.count(CELL) == 2


def test_marks_whose_other_half_was_cut_off_are_taken_out_of_a_quote() -> None:
    assert fold("half **bold", in_quote("half **bold", frozenset())).text == "half bold"
    assert fold("half **bold", in_document("half **bold")).text == "half **bold"
