from typing import Any

import pytest

from pincite.agents.rules.engine import build
from pincite.model.call import Call
from pincite.services.extraction.extraction import Extraction, extract
from pincite.services.extraction.schemas import read_schema
from support.invoices import cii, line, with_attachment
from support.pdf_read import document as read_pdf


def extracted(schema: dict[str, Any], xml: str, *printed: str) -> Extraction:
    return extract(read_pdf(with_attachment(xml, *printed)), read_schema(schema), build(), Call())


@pytest.mark.parametrize(
    ("schema", "printed"),
    [
        ({"grand_total": "number"}, "Bruttosumme: 119,00"),
        ({"issue_date": "date"}, "Rechnungsdatum: 14.05.2024"),
        ({"seller_name": "string"}, "Nordlicht Leuchten GmbH"),
    ],
)
def test_a_value_that_is_printed_is_cited_where_it_is_printed(schema: dict[str, Any], printed: str) -> None:
    result = extracted(schema, cii(), "Rechnung R-17", printed)
    (record,) = result.evidence.values()
    assert record["status"] == "verified"
    assert record["page"] == 1 and record["boxes"]
    assert record["raw"] in printed


def test_a_value_that_is_not_printed_is_derived_from_the_attachment() -> None:
    result = extracted({"grand_total": "number", "currency": "string"}, cii(), "Rechnung R-17")
    assert result.data == {"grand_total": 119, "currency": "EUR"}
    record = result.evidence["grand_total"]
    assert (record["status"], record["verified"]) == ("derived", True)
    assert record["rule"] == "attached data factur-x.xml"
    assert (record["page"], record["boxes"]) == (None, [])
    assert "| 119.00" in record["snippet"] or record["snippet"].endswith("119.00")
    assert record["locator"].endswith("-t1")


def test_an_attachment_and_a_page_that_contradict_each_other_give_no_value() -> None:
    result = extracted({"grand_total": "number"}, cii(total="999.00"), "Bruttosumme: 119,00")
    assert result.data == {"grand_total": None}
    assert any("119" in warning and "factur-x.xml says 999" in warning for warning in result.warnings)


@pytest.mark.parametrize(("total", "printed", "value"), [("119.00", "-119,00", -119), ("-119.00", "119,00", 119)])
def test_a_credit_notes_total_has_the_sign_of_the_page(total: str, printed: str, value: int) -> None:
    # The type code of a credit note turns the sign of its sums: only the page says which one a reader sees.
    result = extracted({"grand_total": "number"}, cii(total=total), "Gutschrift R-17", f"Bruttosumme: {printed}")
    assert result.data == {"grand_total": value}
    assert result.evidence["grand_total"]["status"] == "verified"
    assert result.evidence["grand_total"]["page"] == 1


def test_what_an_attachment_has_in_another_form_is_of_the_attachment_still() -> None:
    schema = {"type": "object", "properties": {"currency": {"enum": ["eur", "usd"]}}}
    result = extracted(schema, cii(), "Rechnung R-17")
    assert result.data == {"currency": "eur"}
    assert result.evidence["currency"]["rule"] == "attached data factur-x.xml; choice in another letter case"


def test_a_value_under_another_fields_heading_is_cited_from_the_attachment() -> None:
    xml = cii().replace("SellerTradeParty", "BuyerTradeParty")
    result = extracted({"buyer_name": "string"}, xml, "Verkäufer: Sonne AG", "Nordlicht Leuchten GmbH")
    assert result.data == {"buyer_name": "Nordlicht Leuchten GmbH"}


def test_numbers_of_an_attachment_have_a_point_whatever_the_pages_have() -> None:
    result = extracted({"net_total": "number"}, cii().replace("100.00", "1.234"), "A: 4,50", "B: 1,20", "C: 3,40")
    assert result.data == {"net_total": 1.234}


def test_lines_are_those_of_the_attachment() -> None:
    lines = line(1, "Panel", "2", "60.00") + line(2, "Kabel", "4", "40.00")
    schema = {"lines": [{"description": "string", "quantity": "number", "amount": "number, line total"}]}
    result = extracted(schema, cii(lines=lines), "Rechnung R-17")
    assert result.data["lines"] == [
        {"description": "Panel", "quantity": 2, "amount": 60},
        {"description": "Kabel", "quantity": 4, "amount": 40},
    ]
