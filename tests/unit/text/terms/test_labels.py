from collections.abc import Set as AbstractSet

import pytest

from pincite.text.terms.labels import (
    contradicts,
    contrasts_of,
    is_amount_label,
    label_terms,
    qualifiers,
    total_qualifiers,
)


@pytest.mark.parametrize(
    ("label", "field"),
    [
        ("Rechnungsnummer", "invoice_number"),
        ("Facture N°", "invoice_number"),
        ("Max. DC voltage", "maxDcVoltage"),
        ("最大直流电压", "max_dc_voltage"),
        ("Max. Entladestrom", "max_discharge_current"),
        ("Factuurdatum:", "invoice_date"),
        ("定格出力", "nominal output power"),
        ("Tensione massima", "maximum voltage"),
        ("Potencia máxima", "max power"),
        ("USt.-Id.-Nr.", "vat_id"),
        ("Umsatzsteuer-Identifikationsnummer", "VAT number"),
        ("P. IVA", "vat_number"),
        ("Steuernummer", "tax number"),
        ("P.O. Number", "po_number"),
        ("DOB", "date_of_birth"),
        ("Geburtsdatum", "date_of_birth"),
        ("Sub Total", "subtotal"),
        ("Prénom", "prenom"),
        ("Creation Date", "created"),
        ("Revision Date", "revised"),
    ],
)
def test_labels_of_eight_languages_have_the_terms_of_english_fields(label: str, field: str) -> None:
    assert label_terms(field) <= label_terms(label)


def test_words_that_the_lexicon_lacks_stay() -> None:
    assert label_terms("The Widgets of Acme") == {"widget", "acme"}


def test_no_name_ends_with_an_article() -> None:
    assert label_terms("Vitamin A") != label_terms("vitamin_d")
    assert label_terms("a vitamin") == label_terms("vitamin")


def test_who_did_something_is_not_when_or_where() -> None:
    assert not label_terms("filed_by") <= label_terms("Date filed")
    assert label_terms("filed_by") == label_terms("Filed by")


@pytest.mark.parametrize(("word", "part"), [("mandate", "date"), ("update", "date"), ("surname", "name")])
def test_a_word_that_ends_as_a_kind_of_value_is_more_than_it(word: str, part: str) -> None:
    assert label_terms(part) < label_terms(word)


def test_a_type_of_something_is_no_model() -> None:
    assert "model" in label_terms("Type") and "model" not in label_terms("Case type")


@pytest.mark.parametrize(
    ("field", "label", "opposite"),
    [
        ("max_dc_voltage", "Min. DC voltage", True),
        ("max_dc_voltage", "Max. AC voltage", True),
        ("max_dc_voltage", "DC voltage", False),
        ("charge_current", "Max. charge / discharge current", False),
        ("net_total", "Gesamt brutto", True),
        ("due_date", "Invoice date", True),
        ("due_date", "Date", False),
        ("seller_vat_id", "Steuernummer", True),
        ("seller_vat_id", "TVA", False),
        ("codice_fiscale", "Partita IVA", True),
        ("tax_id", "USt-IdNr.", False),
    ],
)
def test_a_label_may_name_the_opposite(field: str, label: str, opposite: bool) -> None:
    assert contradicts(label_terms(field), label_terms(label)) is opposite


def test_qualifiers_are_terms_of_a_contrast() -> None:
    assert qualifiers(label_terms("max temperature")) == {"max"}
    assert contrasts_of(label_terms("max temperature")) == {"extremes"}


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("Basisbetrag", "base"),
        ("Taxable amount", "base"),
        ("Base imposable", "base"),
        ("Base imponible", "base"),
        ("Imponibile", "base"),
        ("Grondslag", "base"),
        ("计税金额", "base"),
        ("課税対象額", "base"),
        ("Virement", "transfer"),
        ("Bank transfer", "transfer"),
        ("Überweisung", "transfer"),
        ("Down payment", "paid"),
        ("Abschlagszahlung", "paid"),
        ("Acomptes", "paid"),
        ("Positionsbetrag", "line"),
        ("Line total", "line"),
        ("Steuersatz", "rate"),
        ("Gesamtbetrag der Zuschläge", "surcharge"),
        ("Remise", "discount"),
    ],
)
def test_sums_that_are_no_total_are_told_from_it(label: str, kind: str) -> None:
    assert kind in label_terms(label)
    assert contradicts(label_terms("gross total"), label_terms(label))


@pytest.mark.parametrize(
    ("name", "described", "kind"),
    [
        ("total", "", {"grand", "outstanding"}),
        ("invoice_total", "", {"grand", "outstanding"}),
        ("total", "gross amount", {"grand"}),
        ("total", "amount to pay", {"outstanding"}),
        ("total", "without tax", {"net"}),
        ("total_power", "", frozenset[str]()),
        ("net_total", "", frozenset[str]()),
        ("number", "", frozenset[str]()),
    ],
)
def test_a_mere_total_is_that_of_everything(name: str, described: str, kind: AbstractSet[str]) -> None:
    assert total_qualifiers(label_terms(name), label_terms(described)) == kind


@pytest.mark.parametrize(
    ("label", "terms"),
    [
        ("Gesamtbetrag inkl. 19 % MwSt", {"total", "grand"}),
        ("Total incl. VAT", {"total", "grand"}),
        ("Rechnungssumme ohne USt.", {"invoice", "total", "net"}),
        ("inkl. 19% MwSt", {"grand", "tax"}),
    ],
)
def test_a_tax_that_qualifies_a_sum_is_no_tax(label: str, terms: set[str]) -> None:
    assert label_terms(label) == terms


@pytest.mark.parametrize(
    ("text", "is_amount"),
    [("Positionssumme", True), ("Total", True), ("Montant", True), ("Tax 5", False), ("USt. %", False), ("Fan", False)],
)
def test_names_of_sums(text: str, is_amount: bool) -> None:
    assert is_amount_label(text) is is_amount


@pytest.mark.parametrize(("one", "other"), [("insurer", "insured"), ("station", "state"), ("schedule", "scheduled")])
def test_words_of_one_stem_may_be_different_things(one: str, other: str) -> None:
    assert label_terms(one).isdisjoint(label_terms(other))
