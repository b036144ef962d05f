"""The pairs of a document, found by their labels."""

from pincite.text.terms.fitting import field_name
from pincite.text.terms.label_index import LabelIndex, collect
from pincite.text.terms.labels import label_terms
from support.extraction import material


def index(text: str) -> LabelIndex:
    return collect(material(text), [])


def test_pairs_are_found_by_a_term_of_their_label() -> None:
    found = index("Invoice number: 4711\n\nBuyer: ACME Ltd\n").sharing([label_terms("buyer")])
    assert {one.value for one in found} == {"ACME Ltd"}


def test_a_date_that_a_sentence_does_not_name_is_of_what_the_title_names() -> None:
    text = "Dated this 14 July 2023\n"
    date, other = field_name("permit_date"), field_name("application_date")
    permit = index(f"# Permit\n\n{text}")
    assert permit.named(date) and not permit.named(other)
    assert index("# Minutes\n\nDate: Friday 14 July 2023\n").named(other)


def test_a_line_of_a_form_in_large_type_qualifies_no_label() -> None:
    pairs = index("# Client: Opay Brand: Oride\n\nBuyer: ACME Ltd\n").pairs
    assert {one.context for one in pairs if one.label == "Buyer"} == {()}


def test_a_heading_qualifies_the_labels_below_it() -> None:
    pairs = index("# Seller\n\nName: ACME Ltd\n").pairs
    assert {one.context for one in pairs if one.label == "Name"} == {("Seller",)}
