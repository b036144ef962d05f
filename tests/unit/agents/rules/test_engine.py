from typing import Any

import pytest

from pincite.agents.rules.engine import build
from pincite.model.call import Call
from pincite.model.extraction import Answer
from pincite.services.extraction.schemas import read_schema
from support.extraction import SHEET, material


def extract(schema: dict[str, Any], markdown: str = SHEET) -> Answer:
    return build().extract(material(markdown), read_schema(schema), Call())


@pytest.mark.parametrize(
    ("schema", "data"),
    [
        ({"protection_class": "string"}, {"protection_class": "IP65"}),
        ({"Schutzart": "string"}, {"Schutzart": "IP65"}),
        ({"weight": "number with unit"}, {"weight": "25kg"}),
        ({"weight": "number"}, {"weight": 25}),
        ({"max_dc_voltage": "number with unit"}, {"max_dc_voltage": "1100V"}),
        ({"number_of_mppts": "integer"}, {"number_of_mppts": 2}),
        ({"thd": "number with unit"}, {"thd": "< 3%"}),
        ({"certificates": ["string"]}, {"certificates": ["IEC 62109", "EN 50549", "VDE 4105"]}),
        ({"models": ["list"]}, {"models": ["SS-5K", "SS-8K"]}),
        (
            {"nominal_ac_power_per_model": "number with unit"},
            {"nominal_ac_power_per_model": {"SS-5K": "5kW", "SS-8K": "8kW"}},
        ),
        (
            {"spare_parts": [{"part": "string", "quantity": "integer", "price": "number"}]},
            {
                "spare_parts": [
                    {"part": "Fan", "quantity": 2, "price": 10.5},
                    {"part": "Fuse", "quantity": 12, "price": 1.2},
                ]
            },
        ),
    ],
)
def test_labels_of_the_schema_are_matched_with_those_of_the_document(
    schema: dict[str, Any], data: dict[str, Any]
) -> None:
    answer = extract(schema)
    assert answer.data == data
    assert all(citation.quote and citation.locator for citation in answer.citations.values())


@pytest.mark.parametrize(
    "schema",
    [
        {"min_ac_voltage": "number with unit"},  # only DC voltages are there
        {"max_pv_power": "number with unit"},  # each model has another
        {"max_battery_voltage": "number with unit"},
        {"max_discharge_current": "number with unit"},
        {"supplier_name": "string"},
        {"issue_date": "date"},
        {"weight": "date"},
    ],
)
def test_what_the_document_does_not_say_stays_open(schema: dict[str, Any]) -> None:
    assert extract(schema).data == {}


def test_one_text_is_the_value_of_one_field() -> None:
    answer = extract({"max_dc_voltage": "number with unit", "min_dc_voltage": "number with unit"})
    assert answer.data == {"max_dc_voltage": "1100V", "min_dc_voltage": "160V"}
    answer = extract({"a": {"weight": "number"}, "b": {"weight": "number"}})
    assert len(answer.citations) == 1


def test_two_values_that_fit_as_well_leave_a_field_open() -> None:
    assert extract({"weight": "number"}, "Weight: 5 kg\n\nSome text in between.\n\nWeight: 6 kg\n").data == {}
    assert extract({"weight": "number"}, "Weight: 5 kg\n\nSome text in between.\n\nWeight: 5 kg\n").data == {
        "weight": 5
    }


def test_several_labels_in_one_line_are_told_apart() -> None:
    line = "Factuurnummer: 993548900 Klantnummer: 6669263 Factuurdatum: 19 april 2014 Ordernummer: 12572103"
    schema = {"invoice_number": "string", "issue_date": "date", "order_number": "string"}
    data = extract(schema, line).data
    assert data == {"invoice_number": "993548900", "issue_date": "2014-04-19", "order_number": "12572103"}


@pytest.mark.parametrize(
    "line",
    [
        "Total: -119,00",
        "Total: -$119.00",
        "Total -$119.00",
        "Total: 119,00-",
        "Total 119,00- EUR",
        "Total\n\n-119.00",
        "| Total | 119,00- |",
    ],
)
def test_an_amount_has_the_sign_that_is_printed(line: str) -> None:
    text = f"| A | B |\n|---|---|\n{line}\n| C | 5 |\n" if line.startswith("|") else f"{line}\n"
    assert extract({"total": "number"}, text).data == {"total": -119}


@pytest.mark.parametrize("line", ["Total: (119.00)", "Total: ($119.00)", "Total:  $(119.00)"])
def test_brackets_around_an_amount_are_a_minus(line: str) -> None:
    assert extract({"total": "number"}, f"{line}\n").data == {"total": -119}


def test_an_amount_in_brackets_behind_words_is_left_open() -> None:
    assert extract({"total": "number"}, "Total ($119.00)\n").data == {}


def test_a_magnitude_is_a_part_of_the_number() -> None:
    assert extract({"net_income": "number"}, "Net income: 340.8 million\n").data == {"net_income": 340_800_000}


def test_a_day_whose_order_is_open_stays_as_it_is_printed() -> None:
    schema = {"invoice_date": "date"}
    assert extract(schema, "Invoice date: 03/05/2024\n").data == {"invoice_date": "03/05/2024"}


def test_values_in_running_text() -> None:
    data = extract({"invoice_number": "string", "issue_date": "date"}, "Rechnung Nr. 471102 vom 05.03.2018\n").data
    assert data == {"invoice_number": "471102", "issue_date": "2018-03-05"}


def test_the_only_currency_of_all_amounts_is_the_documents() -> None:
    assert extract({"currency": "string"}, "Total: 5.00 EUR\n\nTax: 1.00 EUR\n").data == {"currency": "EUR"}
    assert extract({"currency": "string"}, "Total: 5.00 EUR\n\nTax: 1.00 USD\n").data == {}


def test_a_schema_states_the_form_of_a_date() -> None:
    schema = {"type": "object", "properties": {"due_date": {"type": "string", "format": "date"}}}
    assert extract(schema, "Fällig am: 3. Mai 2024\n").data == {"due_date": "2024-05-03"}


def test_choices_and_truth_values() -> None:
    schema = {
        "type": "object",
        "properties": {"cooling": {"enum": ["fan", "natural"]}, "display": {"type": "boolean"}},
    }
    assert extract(schema, "Cooling: Natural convection\n\nDisplay: yes\n").data == {
        "cooling": "natural",
        "display": True,
    }


def test_5000_rows_are_5000_records() -> None:
    rows = "\n".join(f"| Part {number} | {number} |" for number in range(5_000))
    answer = extract({"items": [{"part": "string", "quantity": "integer"}]}, f"| Part | Quantity |\n|---|---|\n{rows}")
    assert [item["quantity"] for item in answer.data["items"]] == list(range(5_000))
    assert answer.notes == ()


def test_rows_that_are_no_records_are_counted() -> None:
    table = "| Part | Quantity |\n|---|---|\n| Fan | 2 |\n| Group |  |\n| Fuse | 3 |\n"
    assert extract({"items": [{"part": "string", "quantity": "integer"}]}, table).notes == (
        "Field 'items': 2 of 3 rows have its fields",
    )


def test_the_explanation_lists_candidates_and_why() -> None:
    weight, absent = extract({"weight": "number", "supplier_name": "string"}).explanation
    assert weight["field"] == "weight"
    assert weight["candidates"][0]["chosen"]
    assert (absent["candidates"], absent["reason"]) == ([], "no label fits")


def test_dates_are_read_in_the_documents_order() -> None:
    text = "Invoice date: 11/03/2017\n\nDue date: 12/25/2017\n"
    schema = {"type": "object", "properties": {"issue_date": {"type": "string", "format": "date"}}}
    assert extract(schema, text).data == {"issue_date": "2017-11-03"}


def test_a_column_of_per_cents_has_no_amount() -> None:
    table = "| Tax | Base | Rate [%] | Tax amount |\n|---|---|---|---|\n| VAT | 286.52 | 19 | 54.44 |\n"
    assert extract({"tax_total": "number, VAT"}, table).data == {"tax_total": 54.44}


def test_a_label_of_one_party_is_not_of_the_whole() -> None:
    text = "# Invoice no. 471102\n\n| Seller |  |\n|---|---|\n| Number: | 549910 |\n"
    assert extract({"invoice_number": "string"}, text).data == {"invoice_number": "471102"}


def test_a_title_above_a_table_is_read() -> None:
    text = "# Rechnung Nr. 471102 vom 05.03.2018\n\n| Currency: | EUR |\n|---|---|\n| Name: | Acme |\n"
    data = extract({"invoice_number": "string", "issue_date": "date", "currency": "string"}, text).data
    assert data == {"invoice_number": "471102", "issue_date": "2018-03-05", "currency": "EUR"}


@pytest.mark.parametrize(
    ("schema", "text", "data"),
    [
        # a party is not another one
        ({"buyer_name": "string, buyer"}, "Abweichender Warenempfänger\n\nMusterfirma\n", {"buyer_name": None}),
        ({"buyer_name": "string"}, "| Referenz des Käufers: | Lisa Lang |\n|---|---|\n", {"buyer_name": None}),
        ({"buyer_name": "string"}, "Guest name: Maria Rossi\n", {"buyer_name": "Maria Rossi"}),
        (
            {"seller_name": "string", "buyer_name": "string, Client"},
            "| Vendeur | Client |\n|---|---|\n| Atelier SARL | Mairie |\n",
            {"seller_name": "Atelier SARL", "buyer_name": "Mairie"},
        ),
        # a date is not another one
        ({"date": "date"}, "This bill is for the billing period July 1, 2024\n", {"date": None}),
        ({"date": "date"}, "Net 30 days Jan 31, 2022\n", {"date": None}),
        ({"issue_date": "date", "due_date": "date"}, "Date: 2024-02-19\n", {"issue_date": "2024-02-19"}),
        # a total with tax is no tax
        (
            {"net_total": "number", "tax_total": "number, VAT", "grand_total": "number"},
            "Net total: 10.00\n\nVAT 20 %: 2.00\n\nTotal with VAT: 12.00\n",
            {"net_total": 10, "tax_total": 2, "grand_total": 12},
        ),
        # what a document is of is not the document
        (
            {"invoice_number": "string"},
            "# Gutschrift Nr. G-2024-19\n\nzur Rechnung Nr. R-2024-877\n",
            {"invoice_number": "G-2024-19"},
        ),
        ({"currency": "string"}, "Currency: AED\n", {"currency": "AED"}),
    ],
)
def test_paperwork_that_is_no_plain_invoice(schema: dict[str, Any], text: str, data: dict[str, Any]) -> None:
    found = extract(schema, text).data
    assert {key: found.get(key) for key in data} == data


def test_numbers_of_clauses_are_no_dates_and_an_empty_column_is_one() -> None:
    head = "| # | Description | CWE |\n|---|---|---|\n"
    rows = "| 2.1.9 | Verify one. | 521 |\n| 2.1.10 | Verify ten. | 521 |\n"
    text = f"{head}{rows}\n## Next\n\n{head}| 1.8.1 | Verify it. |  |\n"
    schema = {"requirements": [{"number": "string, #", "description": "string, Description", "cwe": "string, CWE"}]}
    found = extract(schema, text).data["requirements"]
    assert [(row["number"], row.get("cwe")) for row in found] == [("2.1.9", "521"), ("2.1.10", "521"), ("1.8.1", None)]


def test_the_explanation_of_an_empty_field_names_the_nearest_label() -> None:
    text = "Issue note: 12 February 2024\n\nDelivery weight: heavy\n"
    near, typed, none = extract({"issue_day": "date", "weight": "number", "iban": "string"}, text).explanation
    assert near["reason"] == "no label fits; the nearest is 'Issue note', with 0.50 of 0.55"
    assert typed["reason"] == "the label 'Delivery weight' fits, but its text is not of the field's type: 'heavy'"
    assert none["reason"] == "no label fits"


TAXES = """| Art | Warenwert | Basisbetrag | Steuersatz [%] | Steuerbetrag |
| --- | --- | --- | --- | --- |
| Umsatzsteuer (S) | | 252,10 | 19 | 47,90 |
"""
ITEMS = """| Description | Quantity | Amount |
| --- | --- | --- |
| Fan, 19% insurance tax = 9.50 | 1 | 120.00 |
"""


@pytest.mark.parametrize(
    ("schema", "text", "data"),
    [
        ({"total": "number, gross total to pay"}, TAXES, {}),
        ({"total": "number, total amount"}, TAXES, {}),
        ({"tax": "number"}, TAXES, {"tax": 47.9}),
        ({"tax_rate": "number"}, TAXES, {"tax_rate": 19}),
        ({"tax_base": "number"}, TAXES, {"tax_base": 252.1}),
        ({"total": "number"}, TAXES + "\n| | |\n|---|---|\n| Netto | 252,10 |\n| Summe | 300,00 |\n", {"total": 300}),
        (
            {"total": "number"},
            "| Règlement | Date | Montant |\n|---|---|---|\n| Virement | 05/11/2017 | 201,00 € |\n",
            {},
        ),
        ({"total": "number"}, "| Total HT | 624,90 € |\n|---|---|\n| Total TTC | 671,15 € |\n", {"total": 671.15}),
        ({"total": "number"}, "Total TTC: 671,15\nSolde à payer: 470,15\n", {"total": 671.15}),
        ({"total": "number, amount to pay"}, "Total TTC: 671,15\nSolde à payer: 470,15\n", {"total": 470.15}),
        ({"total": "number"}, "Versandkosten: 4,90\nRabattbetrag: 3,00\nTotal taxes: 0,50\n", {}),
        ({"total": "number", "tax": "number"}, ITEMS, {}),
        ({"total": "number"}, ITEMS + "| | Discount total | 3.00 |\n| | Total | 117.00 |\n", {"total": 117}),
        ({"tax_total": "number"}, "Total: 127.50\n", {}),
        ({"net_amount": "number"}, "Jan 1, 2022 Net 30 days\n", {}),
        ({"amount_due": "number"}, "TOTAL AMOUNT DUE ON August 3 , 2014 $4.11\n", {}),
    ],
)
def test_a_sum_of_another_kind_is_no_total(schema: dict[str, Any], text: str, data: dict[str, Any]) -> None:
    assert extract(schema, text).data == data


@pytest.mark.parametrize(
    ("schema", "text", "data"),
    [
        ({"document_number": "string"}, "Kundennummer: 10442\n", {}),
        ({"booking_date": "date"}, "Booking dates: 12/20/2024 - 12/31/2024\n", {}),
        ({"booking_date": "date"}, "Booking date: 12/20/2024\n", {"booking_date": "2024-12-20"}),
        ({"company": "string"}, "In fiscal 2022, the Company operated 1,355 stores.\n", {}),
        ({"order_number": "string"}, "Your order number is 4711 since Monday.\n", {"order_number": "4711"}),
        ({"total": "number"}, "Your order of 2 May 2024 is paid. Sum: 80.00\n", {"total": 80}),
        (
            {"document_number": "string"},
            "Lieferschein-Nr.: LS-77\n\nKundennummer: 10442\n",
            {"document_number": "LS-77"},
        ),
        ({"opening_balance": "number"}, "Saldo final: 5.004,05 €\n", {}),
        ({"total": "number, gross total"}, "Total de abonos: 1.500,00 €\n", {}),
        (
            {"ph_value": "number"},
            "| P | Metodo | Valore |\n|---|---|---|\n| pH | ISO 10523 | 7,4 |\n",
            {"ph_value": 7.4},
        ),
        ({"operating_temperature": "number with unit"}, "Storage temperature: 60 °C\n", {}),
        ({"operating_temperature": "number with unit"}, "Température ambiante pendant l'essai: 21,4 °C\n", {}),
        (
            {"issue_date": "string"},
            "Date d'émission: 03/06/2024\n\nA: 4,50\nB: 1,20\nC: 3,40\n",
            {"issue_date": "03/06/2024"},
        ),
        ({"newsletter": "boolean"}, "Newsletter: ☒ Yes ☐ No\n", {"newsletter": True}),
        (
            {"billing_contact_email": "string"},
            "Billing contact: accounts@example.com 555 Broadway, New York\n",
            {"billing_contact_email": "accounts@example.com"},
        ),
        (
            {"properties": {"cap": {"type": "string", "description": "amount with currency"}}},
            "Cap: EUR 250,000\n",
            {"cap": "EUR 250,000"},
        ),
        ({"company_name": "string"}, "# Company\n\nName: Acme Ltd\n", {"company_name": "Acme Ltd"}),
        ({"email": "string"}, "E-Mail: 030 12345\n", {}),
        ({"member_name": "string, rewards member"}, "Next reward: $50 gift card (1,753 to go)\n", {}),
        ({"buyer_name": "string"}, "顧客: 株式会社みなと商事\n", {"buyer_name": "株式会社みなと商事"}),
    ],
)
def test_forms_that_are_no_invoices(schema: dict[str, Any], text: str, data: dict[str, Any]) -> None:
    assert extract(schema, text).data == data


_BOTH = "Steuernummer: 201/113/40209\n\nUSt-IdNr.: DE123456789\n"
_ONE = "USt.-Id.-Nr.: DE123456789\n\nGeschäftsführung: Max Muster USt-IdNr: DE123456789\n"


@pytest.mark.parametrize(
    ("schema", "text", "data"),
    [
        (
            {"seller_vat_id": "string", "seller_tax_number": "string"},
            _BOTH,
            {"seller_vat_id": "DE123456789", "seller_tax_number": "201/113/40209"},
        ),
        ({"seller_vat_id": "string", "seller_tax_number": "string"}, _ONE, {"seller_vat_id": "DE123456789"}),
        ({"seller_tax_number": "string, Steuernummer"}, _ONE, {}),
        ({"seller_tax_number": "string, Steuernummer oder USt-IdNr."}, _ONE, {"seller_tax_number": "DE123456789"}),
        ({"seller_vat_id": "string, USt-IdNr."}, "Steuernummer: 201/113/40209\n", {}),
        ({"tax_id": "string"}, _ONE, {"tax_id": "DE123456789"}),
        ({"tax_id": "string"}, _BOTH, {}),
        ({"vat_number": "string"}, "TVA : FR11999999998\n", {"vat_number": "FR11999999998"}),
    ],
)
def test_a_vat_number_and_a_tax_number_are_two(schema: dict[str, Any], text: str, data: dict[str, Any]) -> None:
    assert extract(schema, text).data == data


def test_a_bold_label_may_have_its_colon_inside() -> None:
    text = "**Agent:** Bob\n\n**Chair:** Ann\n"
    assert extract({"agent": "string", "chair": "string"}, text).data == {"agent": "Bob", "chair": "Ann"}


def test_a_net_weight_is_a_weight_and_no_sum_of_money() -> None:
    schema = {"net_weight": "number with unit", "gross_weight": "number with unit"}
    assert extract(schema, "Net weight: 5 kg\nGross weight: 6 kg\n").data == {
        "net_weight": "5kg",
        "gross_weight": "6kg",
    }


def test_a_lone_box_that_is_not_ticked_is_false() -> None:
    assert extract({"newsletter": "boolean"}, "- [ ] Newsletter\n").data == {"newsletter": False}


def test_the_ends_of_a_period_are_the_values_of_two_fields() -> None:
    schema = {"flight_start": "date", "flight_end": "date"}
    assert extract(schema, "Flight: 2024-02-18 - 2024-02-24\n").data == {
        "flight_start": "2024-02-18",
        "flight_end": "2024-02-24",
    }


def test_a_text_with_boxes_is_the_option_that_is_ticked() -> None:
    assert extract({"residence": "string"}, "Residence: ☒ In-home ☐ Out-of-home care\n").data == {
        "residence": "In-home"
    }


def test_a_count_is_no_amount_where_amounts_have_cents() -> None:
    text = "Price: $3.00\n\nFee: $1.00\n\nTax: $0.40\n\n| Gross total | 19 |\n|---|---|\n| x | y |\n"
    assert extract({"gross_total": "number"}, text).data == {}


def test_a_row_of_labels_is_no_record() -> None:
    rows = "| Bolt | 5 |\n| Nut | 10 |\n| Cap | 12 |\n| Pieces: | 27 |\n"
    answer = extract({"parts": [{"part": "string", "quantity": "integer"}]}, f"| Part | Quantity |\n|---|---|\n{rows}")
    assert [one["part"] for one in answer.data["parts"]] == ["Bolt", "Nut", "Cap"]


GOODS = {"items": [{"item": "string", "quantity": "integer", "price": "number", "line_no": "string"}]}
RULE = "| --- | --- | --- | --- |\n"


def test_a_list_goes_on_in_tables_with_nearly_all_fields() -> None:
    first = f"| Line no. | Item | Quantity | Price |\n{RULE}| 1 | Sink | 2 | 20.00 |\n"
    third = "| Name of item | Quantity ordered | Price |\n| --- | --- | --- |\n| Pipe | 6 | 3.00 |\n"
    other = "| Item | Warehouse |\n| --- | --- |\n| Hose | North |\n"
    answer = extract(GOODS, f"{first}\nAlso:\n\n{third}\n{other}")
    assert [one["item"] for one in answer.data["items"]] == ["Sink", "Pipe"]
    assert [one.get("line_no") for one in answer.data["items"]] == ["1", None]


def test_of_tables_with_titles_those_of_the_list_are_read() -> None:
    columns = "| Date | Amount |\n| --- | --- |\n"
    text = (
        f"Deposits this month\n\n{columns}| 2024-05-02 | 90.00 |\n\nWithdrawals\n\n{columns}| 2024-05-03 | 20.00 |\n"
        f"\n{columns}| 2024-05-04 | 30.00 |\n"
    )
    fields = {"date": "date", "amount": "number"}
    for name, amounts in (("withdrawals", [20, 30]), ("deposits", [90, 30]), ("bookings", [90, 20, 30])):
        assert [one["amount"] for one in extract({name: [fields]}, text).data[name]] == amounts


def test_what_has_a_key_of_its_own_is_no_value_of_the_line_above() -> None:
    assert extract({"advisory": "string"}, "[advisory]\nid = A-7\n").data == {}
    assert extract({"country": "string"}, "Country\nTA  - Brief Bioinform\n").data == {}


def test_a_label_within_a_cell_ends_its_value() -> None:
    table = f"| Line no. | Item | Quantity | Price |\n{RULE}| 1 | Sink Gross price: 23.80 | 2 | 20.00 |\n"
    assert [one["item"] for one in extract(GOODS, table).data["items"]] == ["Sink"]


def test_a_sentence_may_have_three_other_words_before_its_value() -> None:
    text = "The Lessee shall pay a yearly fee of $8,140.00.\n"
    assert extract({"yearly_fee": "number"}, text).data == {"yearly_fee": 8140}
