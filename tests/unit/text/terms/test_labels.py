import pytest

from pincite.text.terms.labels import contradicts, contrasts_of, label_terms, qualifiers


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
    ],
)
def test_labels_of_eight_languages_have_the_terms_of_english_fields(label: str, field: str) -> None:
    assert label_terms(field) <= label_terms(label)


def test_words_that_the_lexicon_lacks_stay() -> None:
    assert label_terms("The Widgets of Acme") == {"widget", "acme"}


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
    ],
)
def test_a_label_may_name_the_opposite(field: str, label: str, opposite: bool) -> None:
    assert contradicts(label_terms(field), label_terms(label)) is opposite


def test_qualifiers_are_terms_of_a_contrast() -> None:
    assert qualifiers(label_terms("max temperature")) == {"max"}
    assert contrasts_of(label_terms("max temperature")) == {"extremes"}
