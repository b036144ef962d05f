"""A value is verified only under the label of its own field, whole, and in its own row and column."""

from typing import Any

import pytest

from pincite.evidence.claims import ClaimVerifier
from pincite.model.call import Call
from pincite.model.extraction import Answer, Citation
from pincite.model.schema import Path
from pincite.services.extraction.grounding import ground
from pincite.services.extraction.schemas import read_schema
from support.extraction import material, on_page

FORM = """\
# Order

Order number: PO-2024-061

Customer number: 10442

Order number: 04711

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

Market opening date: 04/01/2024

| Item | Price | Total | Quantity |
| --- | --- | --- | --- |
| Bolt M8 | 3.00 | 6.00 | 1.50 kg |
| Nut | 1.00 | 4.00 | 20 % |
| Disc (steel) | 2.00 | 2.00 | 1 |
| Price cutter | 1.50 | 1.50 | 1 |
| Grand total | | 12.00 | |
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
    "items": [{"item": "string", "price": "number", "total": "number", "quantity": "number"}],
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
        # A number is without its unit.
        (("items", 0, "quantity"), 1.5, "6.00 | 1.50 kg"),
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
        (("market",), "04/01/2024", "Market opening date: 04/01/2024"),
        (("items", 0, "quantity"), 20, "4.00 | 20 %"),
        (("effective_date",), "03/15/2024", "Date: 03/15/2024"),
        # A number with a date, a date as a number, the row of the total, a row named as the
        # field of another column, a number without its zero, a name without its remark.
        (("original_date",), "12 12/01/2024", "Original date / revision: 12 12/01/2024"),
        (("document_number",), "03/15/2024", "Order number: PO-2024-061 of 03/15/2024"),
        (("items", 0, "total"), 12, "Grand total | | 12.00"),
        (("items", 0, "price"), 1, "Price cutter | 1.50 | 1.50 | 1"),
        (("document_number",), "4711", "Order number: 04711"),
        (("items", 0, "item"), "Disc", "Disc (steel) | 2.00 | 2.00"),
        (("original_date",), "01/12/2024", "Original date / revision: 12/01/2024 / 12/13/2024"),
    ],
)
def test_a_part_and_the_value_of_another_label_are_refused(path: Path, value: Any, quote: str) -> None:
    assert not verified(path, value, quote)


SWIMMERS = """\
| Rank | Swimmer | Team Time |
| --- | --- | --- |
| 1 | Ada Lovelace | Cork 58.20 |
| 2 | Mary Somerville | Dublin 59.01 |
"""


def test_the_value_of_the_column_beside_is_no_part_of_a_text() -> None:
    quote = next(line for line in SWIMMERS.splitlines() if "Dublin" in line)
    schema = read_schema({"results": [{"swimmer": "string", "team": "string", "time": "string"}]})
    name = quote.split(" | ")[1]
    made = material(SWIMMERS)
    citations: dict[Path, Citation] = {
        ("results", 0, key): Citation(made.chunks[0].locator, quote) for key in ("swimmer", "team")
    }
    answer = Answer({"results": [{"swimmer": name, "team": "Dublin 59.01"}]}, citations, (), {})
    assert ground(answer, schema, ClaimVerifier(made), Call()).data == {
        "results": [{"swimmer": name, "team": None, "time": None}]
    }


def test_a_header_with_a_value_of_its_own_names_no_column() -> None:
    table = "| Service | Deduct Claim no: GG1 | Paid |\n| --- | --- | --- |\n| 99213 | 0.00 | 50.00 |\n"
    schema = read_schema({"claims": [{"service": "string", "claim_number": "string", "paid": "number"}]})
    made, claim = material(table), {"service": "99213", "claim_number": "0.00", "paid": 50}
    citation = Citation(made.chunks[0].locator, table.splitlines()[2])
    answer = Answer({"claims": [claim]}, {("claims", 0, key): citation for key in claim}, (), {})
    assert ground(answer, schema, ClaimVerifier(made), Call()).data == {"claims": [claim | {"claim_number": None}]}


LETTER = """\
Invoice no: F-2024-7

Client: Nordlicht GmbH

Buyer: Ada Weber

Customer: Nordlicht GmbH

Contract date: 12 May 2024

Operating range: 10 - 30

Broker: Q12 Partners, LLC

Net weight: 5 kg

| | | | |
| --- | --- | --- | --- |
| 9 Cash grants $ 59.43 | | 10 Noncash grants $ 33.70 | |
| Gross total | 9,580.00 | 11 | 50 |
| Age: | 41 | Gender: Female | |

Kunden AG Mitte

Net total: 8 9,600.00

Begin End Week 04/06/2024

Property manager

![P8#y1]

| No. | Title | Page |
| --- | --- | --- |
| 11.12 | Agent and arranger | 35 |

| Product ID | Fee |
| --- | --- |
| H509L | 5.00 |

Present: Ada Weber, Raj Patel, Lena Brandt Client: Tom

Banks: Acme Securities, Inc., Bolt Bank

| Code | Item | Start End | Start End | Amount |
| --- | --- | --- | --- | --- |
| B-8 | Bolt | 04/01/2024 | 04/30/2024 | 12.00 |
| N-8 | Nut | 05/01/2024 | 05/31/2024 | 8.00 |

Languages: English, Igbo, French
"""
LETTER_SCHEMA = {
    "invoice_number": "string",
    "client": "string",
    "customer_address": "string",
    "contract_date": "date",
    "operating_range": "string",
    "broker": "string",
    "net_weight": "number with unit",
    "cash_grants": "number",
    "noncash_grants": "number",
    "gross_total": "number",
    "age": "string",
    "agent": "string",
    "kunde": "string",
    "net_total": "number",
    "week_begin": "date",
    "property_manager": "string",
    "parts": [{"description": "string", "fee": "number"}],
    "present": ["string"],
    "banks": ["string"],
    "items": [{"item": "string", "start": "date", "end": "date", "amount": "number"}],
    "languages": ["string"],
}


def kept(path: Path, value: Any, quote: str) -> bool:
    """Return True if a value alone is verified."""
    made = material(LETTER)
    data: Any = value
    for step in reversed(path):
        data = [data] if isinstance(step, int) else {step: data}
    answer = Answer(data, {path: Citation(made.chunks[0].locator, quote)}, (), {})
    found: Any = ground(answer, read_schema(LETTER_SCHEMA), ClaimVerifier(made), Call()).data
    for step in path:
        found = found[step] if isinstance(step, str) or found else None
    return found == value


@pytest.mark.parametrize(
    ("path", "value", "quote"),
    [
        (("client",), "Nordlicht GmbH", "Client: Nordlicht GmbH"),
        (("contract_date",), "12 May 2024", "Contract date: 12 May 2024"),
        (("operating_range",), "10-30", "Operating range: 10 - 30"),
        (("broker",), "Q12 Partners, LLC", "Broker: Q12 Partners, LLC"),
        (("cash_grants",), 59.43, "9 Cash grants $ 59.43 |  | 10 Noncash grants $ 33.70"),
        (("net_weight",), "5kg", "Net weight: 5 kg"),
        (("gross_total",), 9580, "Gross total | 9,580.00 | 11 | 50"),
        (("languages", 0), "Igbo", "Languages: English, Igbo, French"),
        (("present", 0), "Raj Patel", "Present: Ada Weber, Raj Patel, Lena Brandt Client: Tom"),
    ],
)
def test_a_value_of_its_fields_kind_is_verified(path: Path, value: Any, quote: str) -> None:
    assert kept(path, value, quote)


@pytest.mark.parametrize(
    ("path", "value", "quote"),
    [
        # A date is no number to call by, words and bare digits no date, a name no address, a count no amount.
        (("invoice_number",), "12 May 2024", "Contract date: 12 May 2024"),
        (("contract_date",), "F-2024-7", "Invoice no: F-2024-7"),
        (("customer_address",), "Nordlicht GmbH", "Customer: Nordlicht GmbH"),
        (("gross_total",), 50, "Gross total | 9,580.00 | 11 | 50"),
        # Of two names with one meaning the field's own word decides.
        (("client",), "Ada Weber", "Buyer: Ada Weber"),
        (("cash_grants",), 33.7, "9 Cash grants $ 59.43 |  | 10 Noncash grants $ 33.70"),
        # A label of its own, the end of a range, the first code of a name, a header of several fields, two elements.
        (("age",), "Gender: Female", "Age: | 41 | Gender: Female"),
        (("operating_range",), "30", "Operating range: 10 - 30"),
        (("broker",), "Q12", "Broker: Q12 Partners, LLC"),
        (("items", 0, "start"), "04/30/2024", "B-8 | Bolt | 04/01/2024 | 04/30/2024 | 12.00"),
        (("languages", 0), "English, Igbo", "Languages: English, Igbo, French"),
        # The number of a page, a name without its first word, a count before an amount, one of two dates, a picture.
        (("agent",), "35", "11.12 | Agent and arranger | 35"),
        (("kunde",), "AG Mitte", "Kunden AG Mitte"),
        (("net_total",), 8, "Net total: 8 9,600.00"),
        (("week_begin",), "04/06/2024", "Begin End Week 04/06/2024"),
        (("property_manager",), "![P8#y1]", "![P8#y1]"),
        # The code of what the field has in words, a form of company, a name whose other half may be the next label's.
        (("parts", 0, "description"), "H509L", "H509L | 5.00"),
        (("banks", 0), "Inc.", "Banks: Acme Securities, Inc., Bolt Bank"),
        (("present", 0), "Lena", "Present: Ada Weber, Raj Patel, Lena Brandt Client: Tom"),
    ],
)
def test_a_value_of_another_kind_or_of_a_better_label_is_refused(path: Path, value: Any, quote: str) -> None:
    assert not kept(path, value, quote)


SUMS = """\
| Part | Price | Sum |
| --- | --- | --- |
| Bolt | 3.00 | 6.00 |

| Shown as printed | 6.00 6.00 |
| --- | --- |
| Grand total : | 6.50 |
| Gross amount : | 6.50 |

| Subtotal | 9.00 |
| --- | --- |
| VAT 0% | 0.00 |

| Line | Rating | Spots | Cost |
| --- | --- | --- | --- |
| News | 0.00 | 26 | $5,190.00 |
| Totals | 0.00 | 26 | $5,190.00 |

Place and date of issue: Cartagena, 12 May 2024

Day of delivery: Monday, 13 May 2024

Flight: Wednesday, 12 June 2024 to Montag, den 17. Juni 2024

Next meeting: Tuesday 12 November 2024, 18:30

Manufacturer: Sun Microsystems

Date paid: 19 July 2024 with $10.00

Data de registo / Creation date (dd/mm/yyyy): 29/01/2003
"""


@pytest.mark.parametrize(
    ("schema", "path", "value", "quote", "is_true"),
    [
        # The one figure of a row that is named as a total is that of no element, whatever names its column.
        ({"items": [{"part": "string", "total": "number"}]}, ("items", 0, "total"), 6.5, "Grand total : | 6.50", False),
        ({"items": [{"part": "string", "price": "number"}]}, ("items", 0, "price"), 3, "Bolt | 3.00 | 6.00", True),
        # Of a row's amounts with and without a currency, the amount of money is the one with it.
        ({"gross_amount": "number"}, ("gross_amount",), 0, "Totals | 0.00 | 26 | $5,190.00", False),
        # The rate of a tax is no amount.
        ({"subtotal": "number"}, ("subtotal",), 0, "VAT 0% | 0.00", False),
        # A date is no place and date; a day of the week belongs to it.
        ({"issue_date": "date"}, ("issue_date",), "Cartagena, 12 May 2024", "issue: Cartagena, 12 May 2024", False),
        ({"issue_date": "date"}, ("issue_date",), "12 May 2024", "issue: Cartagena, 12 May 2024", True),
        ({"flight_start": "string"}, ("flight_start",), "Wednesday, 12 June 2024", "Wednesday, 12 June 2024 to", True),
        ({"flight_end": "string"}, ("flight_end",), "Montag, den 17. Juni 2024", "to Montag, den 17. Juni 2024", True),
        ({"flight_end": "string"}, ("flight_end",), "Wednesday, 12 June 2024", "Wednesday, 12 June 2024 to", False),
        (
            {"next_meeting": "string"},
            ("next_meeting",),
            "Tuesday 12 November 2024",
            "meeting: Tuesday 12 November 2024",
            True,
        ),
        ({"manufacturer": "string"}, ("manufacturer",), "Sun Microsystems", "Manufacturer: Sun Microsystems", True),
        ({"manufacturer": "string"}, ("manufacturer",), "Microsystems", "Manufacturer: Sun Microsystems", False),
        ({"delivery_day": "date"}, ("delivery_day",), "Monday, 13 May 2024", "delivery: Monday, 13 May 2024", True),
        # What was paid is money, when it was is none.
        ({"paid_on": "date"}, ("paid_on",), "2024-07-19", "Date paid: 19 July 2024", True),
        # The form of a date names no further field.
        ({"creation_date": "string"}, ("creation_date",), "29/01/2003", "Creation date (dd/mm/yyyy): 29/01/2003", True),
    ],
)
def test_totals_and_dates_of_a_form(schema: Any, path: Path, value: Any, quote: str, is_true: bool) -> None:
    field, *inner = (str(step) for step in path)
    answer = Answer({field: [{inner[-1]: value}] if inner else value}, {path: Citation("h1-c1", quote)})
    evidence: Any = ground(answer, read_schema(schema), ClaimVerifier(material(SUMS)), Call()).evidence[field]
    assert (evidence[0][inner[-1]] if inner else evidence)["verified"] is is_true


def test_the_name_of_another_field_is_its_label_and_no_value() -> None:
    read = material("| Symbol | Exchange market |\n| --- | --- |\n| Symbol: | Exchange market of the stock |\n")
    schema = read_schema({"symbol": "string", "exchange_market": "string"})
    quote = "Symbol: | Exchange market of the stock"
    answer = Answer({"symbol": "Exchange market of the stock"}, {("symbol",): Citation("c1", quote)}, (), {})
    found = ground(answer, schema, ClaimVerifier(read), Call())
    assert found.data["symbol"] is None and "label of the field 'exchange market'" in found.warnings[0]


def test_an_amount_of_a_list_without_a_table_may_have_its_sign_before_it() -> None:
    schema = read_schema({"items": [{"start": "date", "item": "string", "price": "number"}]})
    heads, row = [("Start", 10, 10), ("Item", 80, 10), ("Price", 200, 10)], [("1 May 2024", 10, 22), ("Bolt", 80, 22)]
    page = on_page(*heads, *row, ("$2.00", 200, 22))
    values = {"start": "1 May 2024", "item": "Bolt", "price": "$2.00"}
    citations = {("items", 0, key): Citation(page.chunks[0].locator, text) for key, text in values.items()}
    item = values | {"price": 2}
    found: Any = ground(Answer({"items": [item]}, citations), schema, ClaimVerifier(page), Call()).data
    assert found["items"][0]["price"] == 2
