"""A label names a field by its words, by what its value says of itself, and by what stands around it."""

from dataclasses import replace

import pytest

from pincite.text.terms.fitting import MIN_FIT, field_name, fit, is_better, is_general, is_partial
from pincite.text.terms.pairs import Pair, Source

_PAIR = Pair("", (), 0, 5, "", 0, Source.COLON)


def pair(label: str, value: str, *, context: tuple[str, ...] = (), header: str = "", row: str = "") -> Pair:
    return replace(_PAIR, label=label, value=value, context=context, header=header, row=row)


@pytest.mark.parametrize(
    ("field", "label", "value"),
    [
        ("invoice_number", "Invoice no.", "4711"),
        ("contract_number", "Contract", "20771-A"),
        ("invoice_number: Facture", "Facture n°", "4711"),
        ("document_number", "Lieferschein-Nr.", "LS-77"),
        ("issue_date: date of the invoice", "Invoice", "3 May 2024"),
        ("vat_rate", "VAT", "20 %"),
        ("total", "Total incl. VAT", "120.00"),
        ("amount: amount to pay", "Balance due", "120.00"),
        ("seller_vat_id: VAT number of the seller, TVA", "TVA", "FR11999999998"),
        ("rate", "at a fixed rate of", "4.25%"),
        ("meeting_date", "Date", "8 October 2024"),
        ("item_code", "Item code", "MA197"),
        # As forms abbreviate it.
        ("invoice_number", "Inv #", "7304001"),
        ("contract_date", "Contract Dt", "09-19-2012"),
        ("due_date", "Payable on or before", "5/24/2024"),
        ("confirmation_number", "Conf. No.", "549011904"),
        ("purchasing_organization", "Purchasing Org", "1000"),
    ],
)
def test_a_label_that_names_the_field(field: str, label: str, value: str) -> None:
    assert fit(field_name(field), pair(label, value)) >= MIN_FIT


@pytest.mark.parametrize(
    ("field", "label", "value"),
    [
        ("agency", "Agency ref", "Advertiser ref"),
        ("agency", "Agency ID", "TV17137"),
        ("account_number", "N", "122"),
        ("seller_name", "Seller BIC", "BYLADEM1001"),
        ("document_number", "Zählernummer", "1EMH0010334455"),
        ("buyer_name", "Kontoname", "Tanja Tinder"),
        ("client", "Kansas City, MO 64116 Buyer", "Fernie, Taylor"),
        ("due_date", "Date", "3 May 2024"),
        ("ambient_temperature", "Température pendant l'essai", "21.4 °C"),
        ("total", "Total HT", "624.90"),
        ("tax_total", "Total", "127.50"),
        ("seller_tax_number: Steuernummer", "USt-IdNr.", "DE123456789"),
        # Half of the words of a name must be there.
        ("aircraft: aircraft of the outbound flight", "Flight", "TXL-BRU, BRU-TXL"),
        ("case_type", "Calendar type", "HOLD"),
        ("mandate_date", "Set date", "12/29/2025"),
        ("vitamin_d", "Vitamin A", "6%"),
        ("site_postcode", "Website", "www.acme.com"),
        ("votes_cast", "Broker non-votes", "3,936,780"),
        ("attorney_phone", "Fax", "818-550-1863"),
        ("resistance: dark resistance, MΩ", "MΩ", "10"),
    ],
)
def test_a_label_of_something_else(field: str, label: str, value: str) -> None:
    assert fit(field_name(field), pair(label, value)) < MIN_FIT


@pytest.mark.parametrize(
    ("field", "named", "other"),
    [
        ("agency", {"label": "Total agency"}, {"label": "Totals", "header": "Agency"}),
        ("total", {"label": "Total", "header": "Line total"}, {"label": "Total", "header": "Net"}),
        ("station_net", {"label": "Station net", "header": "Gross"}, {"label": "Total", "header": "Gross"}),
        ("tax_base", {"label": "Base", "row": "Tax (S)"}, {"label": "Amount", "row": "Tax (S)"}),
        ("price", {"label": "Price"}, {"label": "Price", "row": "Bolt"}),
        ("seller_phone", {"label": "Phone", "context": ("Seller",)}, {"label": "Phone", "context": ("Buyer",)}),
    ],
)
def test_what_stands_around_a_label_decides(field: str, named: dict[str, str], other: dict[str, str]) -> None:
    label = field_name(field)
    assert (
        fit(label, replace(_PAIR, value="12.00", **named)) >= MIN_FIT > fit(label, replace(_PAIR, value="1", **other))
    )


def test_the_document_that_a_label_refers_to_is_another_one() -> None:
    field = field_name("invoice_number")
    assert fit(field, pair("zur Rechnung Nr.", "R-877")) < fit(field, pair("Rechnung Nr.", "R-878"))


def test_a_general_label_says_only_what_kind_its_value_is_of() -> None:
    assert is_general(field_name("meeting_date"), pair("Date", "8 October 2024"))
    assert not is_general(field_name("issue_date"), pair("Date", "8 October 2024"))
    assert not is_general(field_name("meeting_date"), pair("Date", "8 October 2024", context=("Meeting",)))


def test_a_label_is_that_of_the_field_with_more_of_its_words() -> None:
    number, date = field_name("invoice_number"), field_name("issue_date")
    assert is_better(number, field_name("invoice"), pair("Invoice number", "4711"))
    # A date is no number to call by.
    assert not is_better(number, date, pair("Invoice no. dated", "3 May 2024"))


def test_an_empty_name_is_named_by_nothing() -> None:
    assert fit(field_name("_"), pair("Total", "12.00")) == 0


def test_a_heading_alone_is_no_number_of_its_document() -> None:
    field, title = field_name("document_number"), "A chart to test parsing"
    assert fit(field, pair(title, "a3f6004b", context=(title,))) < MIN_FIT
    assert fit(field, pair("Customer ID", "C-98765", context=("Customer",))) < MIN_FIT
    assert fit(field, pair("Quotation no.", "Q-98765", context=("Quotation",))) >= MIN_FIT


@pytest.mark.parametrize(
    ("field", "label", "value", "partial"),
    [
        ("spouse_ssn", "Spouse", "Was born before January 2, 1956", True),
        ("instrument", "Force Measuring Instrument", "A7", True),
        ("sample_date", "collection_date", "2009-10-14", True),
        ("attorney_phone", "Tel.", "818-550-1863", True),
        # What a date is of, a part of two names, a currency, a unit and a remark in brackets.
        ("flight_start", "Date", "2020-04-21", False),
        ("contract_number", "Contract / Revision", "2394321", False),
        ("status", "Estado / Status", "ACTIVE", False),
        ("total_fees", "Total fees EUR", "28.13", False),
        ("power", "Power (kW)", "5", False),
        ("protocol_number", "Protocol No. (Document ID)", "A5346", False),
        ("prior_year_revenue", "Revenue", "21,077", False),
        ("tax_rate", "VAT", "8.5 %", False),
        ("filed_on", "Date filed", "02/12/2010", False),
    ],
)
def test_a_label_is_partial_if_it_says_less_or_other_than_the_field(
    field: str, label: str, value: str, *, partial: bool
) -> None:
    assert is_partial(field_name(field), pair(label, value)) is partial


def test_words_before_a_label_in_its_line_and_over_its_column_do_not_make_it_another() -> None:
    in_line = replace(pair("Your travel details Booking no.", "AB-1234"), source=Source.IN_TEXT)
    assert not is_partial(field_name("booking_number"), in_line)
    assert is_partial(field_name("instrument"), replace(in_line, label="Force Measuring Instrument SN"))
    assert not is_partial(field_name("resistance_min"), pair("Resistance", "20", header="Min."))


def test_the_first_heading_is_the_title_unless_it_is_one_word() -> None:
    heading = replace(pair("Annual budget", "Annual budget"), source=Source.TITLE)
    assert fit(field_name("title"), heading) >= MIN_FIT
    assert fit(field_name("job_title"), heading) == 0
    assert fit(field_name("title"), replace(heading, label="Sheet1", value="Sheet1")) == 0
