from pincite.formats.pdf.tables.formulas import is_formula
from support.pdf_statements import found, only


def test_a_relation_and_a_number_at_the_right_are_an_equation() -> None:
    assert is_formula(["f", "(x)", "=", "g", "(x)", "+", "1", "(12)"])
    assert is_formula(["A", "→", "B", "(A.3)"])
    assert not is_formula(["Loss", "for", "the", "year", "14", "(12)"])
    assert not is_formula(["N", "=", "5"])


def test_a_piece_of_a_tall_bracket_is_of_a_matrix() -> None:
    assert is_formula(["\u239b", "1", "0", "\u239e"])
    assert is_formula(["\uf8eb", "1", "0", "\uf8f6"])


def test_numbered_equations_are_no_table() -> None:
    page = """
f (x) =            g (x) + h (x)                  (12)
f (y) =            g (y) + h (y)                  (13)
"""
    assert found(page) == []
    assert len(only(page.replace("=", " "))) == 2


def test_a_row_of_indexes_has_no_label_and_is_no_table() -> None:
    assert found("i     1     n     1     2") == []
