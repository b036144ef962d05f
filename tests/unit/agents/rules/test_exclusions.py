"""What a document says of another period, document or answer is no value of a field."""

from typing import Any

import pytest

from pincite.agents.rules.engine import build
from pincite.model.call import Call
from pincite.services.extraction.extraction import extract
from pincite.services.extraction.schemas import read_schema
from support.markdown_read import document

PERIODS = """\
# Annual report

|  | 2022 | 2021 | Change |
|---|---|---|---|
| Revenue | 900 | 850 | 6 |
| Total assets | 400 | 390 | 3 |
| Vessels | 7 | 7 |  |

Revenue: 2022
"""


def values(schema: dict[str, Any], text: str) -> dict[str, Any]:
    found = extract(document(text), read_schema(schema), build(), Call())
    return dict(found.data)


def test_a_row_of_several_periods_has_no_value_unless_the_field_names_its_period() -> None:
    schema = {"revenue": "number", "total_assets": "number", "vessels": "integer", "revenue_2021": "number, revenue"}
    assert values(schema, PERIODS) == {"revenue": None, "total_assets": None, "vessels": 7, "revenue_2021": 850}


@pytest.mark.parametrize(
    "text",
    [
        "The margin was 38 % in the year, which compares with the margin in fiscal year 2021.",
        "Please see the results of operations in our fiscal year 2020 Form 10-K, which was filed in October 2020.",
        "| Costs | 2023 |\n|---|---|\n| Net sales fiscal year 2023 | 2,777 |\n",
    ],
)
def test_a_year_of_a_comparison_is_not_that_of_the_document(text: str) -> None:
    assert values({"fiscal_year": "integer"}, text) == {"fiscal_year": None}


def test_the_year_of_a_heading_is() -> None:
    text = "# Report of fiscal year 2024\n\nIn fiscal year 2023 two of the older vessels were sold.\n"
    assert values({"fiscal_year": "integer"}, text) == {"fiscal_year": 2024}


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        (
            {"revenue": "number"},
            "Disaggregation of revenue for the three years is presented in Note 21 of this report.",
        ),
        ({"employees": "integer"}, "| Exhibit | Page |\n|---|---|\n| Employee stock purchase plan | 10 |\n"),
        ({"employees": "integer"}, "(i) fewer than 300 employees, (ii) those who experienced at least a 25% fall."),
        (
            {"company_name": "string"},
            "| Name of company | Place |\n|---|---|\n| Nova SA | Spain |\n| Orbit AG | Jena |\n",
        ),
        ({"document_number": "string"}, "Zählernummer: 1EMH0010334455"),
        ({"tax": "number"}, "Sales tax 8.5%"),
    ],
)
def test_a_number_of_something_else_is_no_value(schema: dict[str, Any], text: str) -> None:
    assert list(values(schema, text).values()) == [None]


def test_a_rate_in_brackets_goes_with_the_label_before_it() -> None:
    assert values({"tax": "number", "tax_rate": "number"}, "VAT (8.5%) $66.23") == {"tax": 66.23, "tax_rate": 8.5}


def test_a_footnote_mark_or_a_word_after_it_is_no_part_of_a_value() -> None:
    text = "Invoice number: F24/0612 ¹\n\nCustomer number: TM-447821 Points\n"
    schema = {"invoice_number": "string", "customer_number": "string"}
    assert values(schema, text) == {"invoice_number": "F24/0612", "customer_number": "TM-447821"}


def test_a_quantity_has_the_unit_that_its_row_or_header_states() -> None:
    rows = "| Parameter | Min | Max | Unit |\n|---|---|---|---|\n| Supply voltage | 9 | 32 | V |\n"
    text = f"{rows}\n## General\n\nPower (kW): 5\n"
    found = values({"max_supply_voltage": "number with unit", "power": "number with unit"}, text)
    assert found == {"max_supply_voltage": "32V", "power": "5kW"}


def test_a_ticked_box_is_true_and_an_empty_one_beside_it_false() -> None:
    text = (
        "| Check | Yes | No |\n|---|---|---|\n| Extinguisher | ☒ | ☐ |\n| Exit blocked | ☐ | ☒ |\n| Alarm |  | x |\n\n"
        "Result: ☐ passed ☒ failed\n"
    )
    schema: dict[str, Any] = dict.fromkeys(("extinguisher", "exit_blocked", "alarm", "passed", "failed"), "boolean")
    expected = {"extinguisher": True, "exit_blocked": False, "alarm": None, "passed": False, "failed": True}
    assert values(schema, text) == expected


def test_of_choices_the_ticked_one_counts_and_of_several_none() -> None:
    result = {"type": "object", "properties": {"result": {"enum": ["passed", "failed", "not applicable"]}}}
    assert values(result, "Result: ☐ passed ☒ failed\n") == {"result": "failed"}
    assert values(result, "Result: passed / failed\n") == {"result": None}
    assert values(result, "Result: not applicable\n") == {"result": "not applicable"}


@pytest.mark.parametrize("clause", ["§ 4 Nr. 14 UStG", "S4 Nr. 10a UStG"])
def test_a_clause_of_law_is_no_number_of_the_document(clause: str) -> None:
    text = f"# Umsatzsteuer\n\n| Umsatzsteuerfrei nach {clause} |  | 59,50 | 0 | 0,00 |\n|---|---|---|---|---|\n"
    assert values({"seller_tax_number": "string, Steuernummer"}, text) == {"seller_tax_number": None}


@pytest.mark.parametrize(
    ("text", "date"),
    [
        (
            "We consent to the incorporation by reference of our reports dated January 28, 2016, here.",
            None,
        ),
        ("We have audited the statements, and our audit report dated October 5, 2021 expressed an opinion.", None),
        ("Report dated January 28, 2016", "2016-01-28"),
        ("Date of Report (Date of earliest event reported): July 1, 2022", "2022-07-01"),
    ],
)
def test_the_date_of_a_report_that_a_sentence_cites_is_not_the_documents(text: str, date: str | None) -> None:
    assert values({"report_date": "date of the report"}, f"# Annual report\n\n{text}\n") == {"report_date": date}


def test_the_row_of_a_total_is_no_item_of_the_list() -> None:
    schema = {"line_items": [{"item": "string", "quantity": "integer", "amount": "number"}], "total": "number"}
    text = "| Item | Quantity | Amount |\n|---|---|---|\n| Bolt | 2 | 6.00 |\n| Nut | 4 | 4.00 |\n| Total | | 10.00 |\n"
    items = [{"item": "Bolt", "quantity": 2, "amount": 6}, {"item": "Nut", "quantity": 4, "amount": 4}]
    assert values(schema, text) == {"line_items": items, "total": 10}


LEASE = """\
# Lease

This lease is made by and between ACME CENTER, LLC, a Delaware limited company ("Landlord"), and EXAMPLE LABS, INC., a
Delaware corporation ("Tenant"), and ends on July 31, 2024 (the “Expiration Date”). It is governed by the laws of the
State of Ohio.

Landlord: Acme Center, LLC, a Delaware limited company
"""


def test_what_an_agreement_calls_by_a_name_is_the_value_of_a_field_of_that_name() -> None:
    schema = {"landlord": "string", "tenant": "string", "expiration_date": "date", "governing_law": "string"}
    expected = {"tenant": "EXAMPLE LABS, INC.", "expiration_date": "2024-07-31", "governing_law": "Ohio"}
    assert values(schema, LEASE) == {"landlord": "ACME CENTER, LLC", **expected}
