"""Lists of objects, read from the rows of tables."""

import pytest

from pincite.agents.rules.records import read_records
from pincite.model.schema import ListNode, ObjectNode
from pincite.services.extraction.schemas import read_schema
from pincite.text.tables.grids import grids
from pincite.text.terms.labels import label_terms
from pincite.text.terms.vocabulary import LEXICON_ALONE
from pincite.text.values.tokens import conventions
from support.extraction import material


def first_cells(text: str, fields: dict[str, str], name: str = "rows") -> list[str]:
    node = read_schema({"rows": [fields]}).root.fields["rows"]
    assert isinstance(node, ListNode)
    assert isinstance(node.item, ObjectNode)
    tables = list(grids(material(text).document))
    records, _ = read_records(node.item, label_terms(name), tables, conventions(text), LEXICON_ALONE)
    return [str(one.values[next(iter(fields))][0].value) for one in records]


@pytest.mark.parametrize("total", ["Total", "Sub Total", "Total earnings"])
def test_a_total_of_the_rows_above_is_no_element(total: str) -> None:
    table = f"| Earnings | Amount |\n|---|---|\n| Salary | 900.00 |\n| Rent | 100.00 |\n| {total} | 1000.00 |\n"
    assert first_cells(table, {"earning": "string", "amount": "number"}) == ["Salary", "Rent"]


def test_a_total_may_be_named_in_a_column_of_figures() -> None:
    head = "| Item | Note | Price | Amount |\n|---|---|---|---|\n| Bolt | steel | 2.00 | 4.00 |\n"
    table = head + "| Paid, with thanks |  | Subtotal without tax | 4.00 |\n"
    assert first_cells(table, {"item": "string", "amount": "number", "price": "number"}) == ["Bolt"]


def test_a_test_of_a_total_is_an_element() -> None:
    table = "| Test | Result |\n|---|---|\n| Total protein | 7.5 |\n| Albumin | 5.1 |\n"
    assert first_cells(table, {"test": "string", "result": "number"}) == ["Total protein", "Albumin"]


@pytest.mark.parametrize(("name", "expected"), [("deposits", ["2024-05-01"]), ("checks", [])])
def test_parts_of_a_table_under_other_headers_are_other_lists(name: str, expected: list[str]) -> None:
    part = "| {} date | Amount |\n{}| {} | 4.00 |\n"
    table = part.format("Deposits", "|---|---|\n", "1 May 2024") + part.format("Fees", "", "2 May 2024")
    assert first_cells(table, {"date": "date", "amount": "number"}, name) == expected


def test_rows_of_words_with_a_part_of_the_names_are_no_headers() -> None:
    cells = [(f"r{row}c0", f"r{row}c1") for row in range(6)]
    table = "| measure_0 | measure_1 |\n|---|---|\n" + "".join(f"| {one} | {two} |\n" for one, two in cells)
    assert first_cells(table, {"measure_0": "string", "measure_1": "string"}) == [one for one, _ in cells]


def test_a_table_of_two_parts_with_one_header_is_one_table() -> None:
    part = "| Date | Amount |\n{}| {} | 4.00 |\n"
    text = part.format("|---|---|\n", "1 May 2024") + part.format("", "2 May 2024")
    node = read_schema({"rows": [{"date": "date", "amount": "number"}]}).root.fields["rows"]
    assert isinstance(node, ListNode)
    assert isinstance(node.item, ObjectNode)
    tables = list(grids(material(text).document))
    records, taken = read_records(node.item, label_terms("rows"), tables, conventions(text), LEXICON_ALONE)
    assert (len(records), taken) == (2, tables)
