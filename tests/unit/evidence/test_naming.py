"""A value is verified only under the label of its own field, whole, and in its own row and column."""

from typing import Any

import pytest

from pincite.evidence.claims import ClaimVerifier
from pincite.model.call import Call
from pincite.model.extraction import Answer, Citation
from pincite.model.schema import Path
from pincite.services.extraction.grounding import ground
from pincite.services.extraction.schemas import read_schema
from support.extraction import material

FORM = """\
# Order

Order number: PO-2024-061

Customer number: 10442

| Buyer TIN | Seller TIN |
| --- | --- |
| 746552769 | 554030876 |

Seller address: 12 Main Street, Springfield

Make / model / year: Acme Road 2021

Market 19

Period: 09/15/2024 to 09/15/2025

Original date / revision: 12/01/2024 / 12/13/2024

Date: 03/15/2024

Date: 03/16/2024

| Item | Price | Total |
| --- | --- | --- |
| Bolt M8 | 3.00 | 6.00 |
| Nut | 1.00 | 4.00 |
"""
SCHEMA = {
    "document_number": "string, number of the document",
    "buyer_tin": "string",
    "seller_tin": "string",
    "seller_address": "string",
    "make": "string",
    "market": "string",
    "effective_date": "date",
    "period_start": "date",
    "delivery_start": "date, first day of the order",
    "period_end": "date",
    "original_date": "date",
    "items": [{"item": "string", "price": "number", "total": "number"}],
}


def verified(path: Path, value: Any, quote: str) -> bool:
    field, *inner = (str(step) for step in path)
    data: Any = [{inner[-1]: value}] if inner else value
    answer = Answer({field: data}, {path: Citation("h1-c1", quote)})
    evidence: Any = ground(answer, read_schema(SCHEMA), ClaimVerifier(material(FORM)), Call()).evidence[field]
    return bool((evidence[0][inner[-1]] if inner else evidence)["verified"])


@pytest.mark.parametrize(
    ("path", "value", "quote"),
    [
        # Under the heading of an order its number is that of the document.
        (("document_number",), "PO-2024-061", "Order number: PO-2024-061"),
        (("buyer_tin",), "746552769", "746552769 | 554030876"),
        (("seller_tin",), "554030876", "746552769 | 554030876"),
        (("seller_address",), "12 Main Street, Springfield", "Seller address: 12 Main Street, Springfield"),
        (("period_start",), "09/15/2024", "Period: 09/15/2024 to 09/15/2025"),
        (("period_end",), "2025-09-15", "Period: 09/15/2024 to 09/15/2025"),
        (("items", 0, "price"), 3, "Bolt M8 | 3.00 | 6.00"),
        (("items", 0, "item"), "Bolt M8", "Bolt M8 | 3.00 | 6.00"),
    ],
)
def test_a_whole_value_under_its_own_label_is_verified(path: Path, value: Any, quote: str) -> None:
    assert verified(path, value, quote)


@pytest.mark.parametrize(
    ("path", "value", "quote"),
    [
        (("document_number",), "10442", "Customer number: 10442"),
        # Another party's, the neighbouring column, the other end of a period.
        (("buyer_tin",), "554030876", "746552769 | 554030876"),
        (("items", 0, "price"), 6, "Bolt M8 | 3.00 | 6.00"),
        (("period_start",), "09/15/2025", "Period: 09/15/2024 to 09/15/2025"),
        # Words cut off, a number alone for a text, two dates for one, day and month exchanged.
        (("items", 0, "item"), "Bolt", "Bolt M8 | 3.00 | 6.00"),
        (("seller_address",), "12", "Seller address: 12 Main Street, Springfield"),
        (("seller_address",), "12 Main Street", "Seller address: 12 Main Street, Springfield"),
        (("original_date",), "12/01/2024 / 12/13/2024", "Original date / revision: 12/01/2024 / 12/13/2024"),
        # What several names list together, the number of a page, one of two mere dates.
        (("make",), "Acme Road 2021", "Make / model / year: Acme Road 2021"),
        (("market",), "19", "Market 19"),
        (("effective_date",), "03/15/2024", "Date: 03/15/2024"),
        (("original_date",), "01/12/2024", "Original date / revision: 12/01/2024 / 12/13/2024"),
    ],
)
def test_a_part_and_the_value_of_another_label_are_refused(path: Path, value: Any, quote: str) -> None:
    assert not verified(path, value, quote)
