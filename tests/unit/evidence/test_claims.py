"""The verifier's promise: what is called verified stands in the document, under the right label, row and column."""

from dataclasses import replace
from typing import Any

import pytest

from pincite.evidence.claims import Claim, ClaimVerifier
from pincite.evidence.values import find_value
from pincite.model.document import RecognisedSpan
from pincite.model.extraction import Citation, EvidenceStatus
from support.extraction import material

SHEET = """\
# Sunny 5

Weight: 25 kg. Ambient temperature: -25 to +60 °C.

## PV input

| Model | S5 | S6 |
| --- | --- | --- |
| Max. DC voltage | 1100 V | 1000 V |
| Min. DC voltage | 160 V | 150 V |
| Power (kW) | 5 | 6 |
| Number of MPPTs | 2 | 3 |

## Battery

Max. charge current: 50 A

Max. discharge current: 60 A
"""


@pytest.fixture(scope="module")
def verifier() -> ClaimVerifier:
    return ClaimVerifier(material(SHEET))


def status(
    verifier: ClaimVerifier, value: Any, locator: str, quote: str, field: str = "", model: str = ""
) -> EvidenceStatus:
    return verifier.verify(Claim(value, Citation(locator, quote), field, model)).status


def test_a_true_claim_has_the_evidence_of_the_contract(verifier: ClaimVerifier) -> None:
    claim = Claim("1100V", Citation("h2-t1", "Max. DC voltage 1100 V"), "max_dc_voltage", "S5")
    found = verifier.verify(claim)
    assert found.status is EvidenceStatus.VERIFIED
    assert (found.locator, found.snippet, found.raw) == ("h2-t1", "Max. DC voltage | 1100 V", "1100 V")
    assert (found.label, found.row, found.column) == ("Max. DC voltage", 1, 1)
    assert (found.normalized, found.occurrences, found.warning) == ("1100V", 1, "")
    assert found.chunk_hash is not None
    assert find_value("1100V", found.raw or "")


@pytest.mark.parametrize(
    ("value", "locator", "quote", "more"),
    [
        ("50A", "h3-c1", "Max. charge current: 50 A", {"field": "max_charge_current"}),
        (50, "h3-c1", "Max. charge current: 50 A", {"field": "max_charge_current"}),
        ("-25-+60°C", "h1-c1", "Ambient temperature: -25 to +60 °C", {}),
        ("5kW", "h2-t1", "Power (kW) | 5", {"model": "S5"}),
        ("1000V", "h2-t1", "| Max. DC voltage | 1100 V | 1000 V |", {"model": "S6", "field": "max_dc_voltage"}),
        (["2"][0], "h2-t1", "Number of MPPTs | 2", {"field": "number_of_mppts"}),
    ],
)
def test_true_claims_are_grounded(
    verifier: ClaimVerifier, value: Any, locator: str, quote: str, more: dict[str, str]
) -> None:
    assert status(verifier, value, locator, quote, **more).is_grounded


@pytest.mark.parametrize(
    ("value", "quote", "more", "expected"),
    [
        ("1200V", "Max. DC voltage 1200 V", {}, EvidenceStatus.UNGROUNDED),
        ("1200V", "Max. DC voltage | 1100 V", {}, EvidenceStatus.CONFLICT),
        ("1100mV", "Max. DC voltage | 1100 V", {}, EvidenceStatus.CONFLICT),
        ("160V", "Min. DC voltage | 160 V", {"field": "max_dc_voltage"}, EvidenceStatus.CONFLICT),
        ("1100V", "1100 V", {"model": "S6"}, EvidenceStatus.CONFLICT),
        ("60A", "Max. discharge current: 60 A", {"field": "max_charge_current"}, EvidenceStatus.CONFLICT),
        (2, "Number of MPPTs | 2", {"field": "power"}, EvidenceStatus.CONFLICT),
        ("1000V", "Max. DC voltage", {}, EvidenceStatus.UNGROUNDED),
        ("Acme", "Weight: 25 kg", {}, EvidenceStatus.UNGROUNDED),
        ("x", "...", {}, EvidenceStatus.UNGROUNDED),
    ],
)
def test_lies_are_not_grounded(
    verifier: ClaimVerifier, value: Any, quote: str, more: dict[str, str], expected: EvidenceStatus
) -> None:
    citation = Citation("h2-t1", quote)
    found = verifier.verify(Claim(value, citation, more.get("field", ""), more.get("model", "")))
    assert found.status is expected
    # A quote that is in the document has its place, whatever it says.
    assert (found.locator is None) == (found.candidates[0]["reason"].startswith("the quote"))
    (candidate,) = found.candidates
    assert candidate["value"] == value
    assert candidate["reason"]


def test_a_quote_from_elsewhere_is_cited_where_it_is(verifier: ClaimVerifier) -> None:
    found = verifier.verify(Claim("25kg", Citation("h3-c1", "Weight: 25 kg")))
    assert (found.status, found.locator) == (EvidenceStatus.VERIFIED, "h1-c1")
    assert found.warning == "Found elsewhere than cited"
    unknown = verifier.verify(Claim("25kg", Citation("h99-c9", "Weight: 25 kg")))
    assert (unknown.status, unknown.locator) == (EvidenceStatus.VERIFIED, "h1-c1")


SPREAD = """\
# Supplier

The supplier and manufacturer in the sense of the law is Nordlicht

Leuchten GmbH of Musterstadt, which also keeps all of the spare parts of this product.

Weight of the whole product together with its packaging and with the pallet: 12

500 are kept in the central store of the supplier in Musterstadt at any time.
"""


def test_a_text_over_two_passages_is_derived_and_the_evidence_names_both() -> None:
    read = material(SPREAD)
    first, second, *_ = read.chunks
    quote = "Nordlicht\n\nLeuchten GmbH"
    found = ClaimVerifier(read).verify(Claim("Nordlicht Leuchten GmbH", Citation(first.locator, quote)))
    assert (found.status, found.rule) == (EvidenceStatus.DERIVED, f"continued in {second.locator}")
    assert (found.locator, found.raw, found.snippet) == (first.locator, "Nordlicht", "Nordlicht")
    assert first.text[found.start : found.end] == "Nordlicht"


def test_a_choice_in_another_letter_case_is_derived(verifier: ClaimVerifier) -> None:
    citation = Citation("h3-c1", "Max. charge current: 50 A")
    found = verifier.verify(Claim("max. CHARGE current", citation, is_choice=True))
    assert (found.status, found.rule) == (EvidenceStatus.DERIVED, "choice in another letter case")
    assert not verifier.verify(Claim("max. CHARGE current", citation)).status.is_grounded
    assert not verifier.verify(Claim("HARGE", citation, is_choice=True)).status.is_grounded


def test_a_number_over_two_passages_is_refused() -> None:
    read = material(SPREAD)
    found = ClaimVerifier(read).verify(Claim(12500, Citation(read.chunks[2].locator, "pallet: 12\n\n500 are kept")))
    assert not found.status.is_grounded


def test_the_snippet_is_the_documents_text_never_the_models(verifier: ClaimVerifier) -> None:
    found = verifier.verify(Claim("50A", Citation("h3-c1", "Max. charge current:   50 A")))
    assert found.snippet == "Max. charge current: 50 A"


def test_evidence_that_was_recognised_in_a_picture_says_so() -> None:
    read = material("# Receipt\n\nNumber: 4711\n\nTotal: 12.50\n")
    start = read.document.text.index("Total")
    span = RecognisedSpan(start, start + len("Total: 12.50"), 0.93)
    coverage = replace(read.document.coverage, ocr=1, ocr_spans=(span,))
    recognised = ClaimVerifier(replace(read, document=replace(read.document, coverage=coverage)))
    total = recognised.verify(Claim(12.5, Citation("h1-c1", "Total: 12.50"), "total"))
    assert (total.status, total.raw) == (EvidenceStatus.VERIFIED, "12.50")
    assert "recognised in a picture inside the page" in total.ocr
    printed = recognised.verify(Claim("4711", Citation("h1-c1", "Number: 4711"), "number"))
    assert (printed.status, printed.ocr) == (EvidenceStatus.VERIFIED, "")


ANSWERS = "# Form\n\n| Check | Yes | No |\n| --- | --- | --- |\n| Alarm |  | x |\n\nResult: ☐ passed ☒ failed\n"


@pytest.mark.parametrize(
    ("value", "locator", "quote", "field"),
    [
        (True, "h1-t1", "Alarm | | x", "alarm"),
        ("passed", "h1-c1", "Result: ☐ passed ☒ failed", "result"),
        ("passed", "h1-c1", "passed", "result"),
    ],
)
def test_a_mark_below_no_and_an_option_that_is_not_ticked_are_refused(
    value: Any, locator: str, quote: str, field: str
) -> None:
    assert not status(ClaimVerifier(material(ANSWERS)), value, locator, quote, field=field).is_grounded


def test_a_ticked_option_is_verified() -> None:
    ticked = status(ClaimVerifier(material(ANSWERS)), "failed", "h1-c1", "Result: ☐ passed ☒ failed", field="result")
    assert ticked is EvidenceStatus.VERIFIED


@pytest.mark.parametrize("printed", ["-$119.00", "119.00-", "-119.00"])
@pytest.mark.parametrize("quote", ["$119.00", "119.00", "Total: {}"])
def test_an_amount_without_its_sign_is_refused(printed: str, quote: str) -> None:
    note = ClaimVerifier(material(f"# Credit note\n\nTotal: {printed}\n"))
    assert not status(note, 119, "h1-c1", quote.format(printed)).is_grounded
    assert not status(note, "119.00", "h1-c1", quote.format(printed)).is_grounded
    assert status(note, -119, "h1-c1", printed).is_grounded


def test_an_amount_in_brackets_is_negative() -> None:
    note = ClaimVerifier(material("# Accounts\n\nNet loss: (119.00)\n"))
    citation = Citation("h1-c1", "Net loss: (119.00)")
    assert note.verify(Claim(-119, citation)).raw == "(119.00)"
    assert not note.verify(Claim(119, citation)).status.is_grounded


NAMED = """\
# Policy

**Named insured:** Priya Raman

Order number: A-17

Buyer: Nordlicht Leuchten GmbH, Musterstadt

The loan amount of £250,000 was agreed at a fixed rate of 4.25%.

Subtotal 1,234.56 Tax 98.76 Total 1,333.32

Date: 03/05/2024

| Advertiser | Original Date |
| --- | --- |
| Station Net | $8,143.00 |
"""


def named(value: Any, quote: str, field: str, *rivals: str) -> bool:
    claim = Claim(value, Citation("h1-c1", quote), field, rivals=rivals)
    return ClaimVerifier(material(NAMED)).verify(claim).status.is_grounded


@pytest.mark.parametrize(
    ("value", "quote", "field", "rivals"),
    [
        ("Priya Raman", "**Named insured:** Priya Raman", "named_insured", ()),
        ("Nordlicht Leuchten GmbH", "Nordlicht Leuchten GmbH, Musterstadt", "buyer", ("seller",)),
        (250_000, "The loan amount of £250,000", "loan_amount", ("rate",)),
        (98.76, "Tax 98.76", "tax", ("subtotal", "total")),
        ("A-17", "Order number: A-17", "order_number", ("invoice_number",)),
        ("03/05/2024", "Date: 03/05/2024", "date", ()),
    ],
)
def test_a_whole_value_that_its_label_names_is_grounded(
    value: Any, quote: str, field: str, rivals: tuple[str, ...]
) -> None:
    assert named(value, quote, field, *rivals)


@pytest.mark.parametrize(
    ("value", "quote", "field", "rivals"),
    [
        # A part of a name, and of a number.
        ("Priya", "**Named insured:** Priya Raman", "named_insured", ()),
        ("Nordlicht", "Nordlicht Leuchten GmbH, Musterstadt", "buyer", ("seller",)),
        ("Leuchten GmbH", "Nordlicht Leuchten GmbH, Musterstadt", "buyer", ("seller",)),
        (250, "The loan amount of £250,000", "loan_amount", ()),
        # Another number of the same line.
        (4.25, "The loan amount of £250,000 was agreed at a fixed rate of 4.25%", "loan_amount", ()),
        (1234.56, "Subtotal 1,234.56 Tax 98.76", "tax", ("subtotal", "total")),
        (1333.32, "Tax 98.76 Total 1,333.32", "tax", ("subtotal", "total")),
        # Another field's value, and what no label names.
        ("A-17", "Order number: A-17", "invoice_number", ("order_number",)),
        ("A-17", "Order number: A-17", "vessel", ()),
        # A label, and an amount for a field of none.
        ("Original Date", "Advertiser | Original Date", "advertiser", ()),
        ("$8,143.00", "Station Net | $8,143.00", "station", ()),
        # The day and the month, whose order the document leaves open.
        ("2024-05-03", "Date: 03/05/2024", "date", ()),
        ("2024-03-05", "Date: 03/05/2024", "date", ()),
    ],
)
def test_a_part_of_a_value_and_one_that_another_label_names_are_refused(
    value: Any, quote: str, field: str, rivals: tuple[str, ...]
) -> None:
    assert not named(value, quote, field, *rivals)


def test_an_element_of_a_list_needs_no_label_of_its_own() -> None:
    claim = Claim("A-17", Citation("h1-c1", "Order number: A-17"), "vessel")
    assert ClaimVerifier(material(NAMED)).verify(claim).status.is_grounded
