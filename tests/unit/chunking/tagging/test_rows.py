"""The rows of a table."""

from pincite.chunking.tagging.rows import Row, rows

NUMBERED = "| # | Text | L1 |\n|---|---|---|\n| **2.1.1** | Verify that it holds. | x |\n| 9.1 | Two words | x |\n"
GLOSSARY = "| Term | Definition |\n|---|---|\n| Pump | Moves fluid. |\n| Valve | |\n"


def read(text: str, clause: str = "", *, terms: bool = False) -> list[Row]:
    return [*rows(text, 0, len(text), clause, terms=terms)]


def test_a_row_under_its_clause_has_a_number() -> None:
    first, second = read(NUMBERED, "V2.1")
    assert (first.clause, first.imperative, first.text) == ("V2.1.1", True, "2.1.1 Verify that it holds. x")
    assert (second.clause, second.imperative) == ("", False)


def test_the_header_of_a_glossary_makes_its_rows_definitions() -> None:
    assert [row.definition for row in read(GLOSSARY)] == [True, False]


def test_a_header_without_the_markup_of_one_is_none_of_the_rows() -> None:
    table = "|  |  |\n| --- | --- |\n| Term | Definition |\n| Pump | Moves fluid. |\n|  |  |\n"
    assert [(row.text, row.definition) for row in read(table)] == [("Pump Moves fluid.", True)]


def test_a_row_ends_where_its_rationale_begins() -> None:
    table = "| Requirement |\n|---|\n| The pump shall start. Rationale: it must be fast. |\n"
    (row,) = read(table)
    assert table[row.stop : row.end] == "Rationale: it must be fast. |\n"


def test_a_command_may_begin_with_its_condition() -> None:
    (row,) = read("| # | a |\n|---|---|\n| 1.1 | If users stay logged in, verify that it ends. |\n", "1")
    assert (row.clause, row.imperative) == ("1.1", True)


def test_other_tables_have_rows_of_no_kind() -> None:
    (row,) = read("| a | b |\n|---|---|\n| 1 | a \\| b |\n")
    assert (row.text, row.clause, row.definition, row.imperative) == ("1 a \\| b", "", False, False)
