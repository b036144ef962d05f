"""Names of fields and words of the lexicon, by which labels are known."""

import pytest

from pincite.services.extraction.schemas import read_schema
from pincite.text.terms.labels import label_terms
from pincite.text.terms.vocabulary import LEXICON_ALONE, Vocabulary, implied_terms, is_named, label_parts, phrases_of


def test_a_description_gives_the_names_without_the_form_of_the_value() -> None:
    assert phrases_of("the invoice number, or bill number; an ISO date") == ["the invoice number", "bill number"]
    assert phrases_of("string: order of the buyer") == ["order of the buyer"]
    assert phrases_of("list of names") == ["list of names", "names"]
    assert phrases_of("sodium, per serving, in grams") == ["sodium"]
    assert phrases_of("number, year to date") == phrases_of("monthly") == []
    assert phrases_of("dark resistance, MΩ, TVA, S$") == ["dark resistance", "TVA"]


def test_whose_something_is_does_not_name_it() -> None:
    order = label_terms("purchase order of the buyer")
    assert is_named(order, label_terms("Order no."), frozenset())
    assert not is_named(order, label_terms("Buyer"), frozenset())
    assert is_named(order, label_terms("Buyer"), label_terms("Orders")) and is_named(
        order, label_terms("No."), frozenset()
    )
    assert is_named(label_terms("name of the buyer"), label_terms("Buyer"), frozenset())


@pytest.mark.parametrize(
    ("value", "terms"),
    [("30 June 2024", {"date"}), ("INV-20391", {"number"}), ("Harbour Bank", {"name"}), ("7", set[str]())],
)
def test_a_value_says_of_itself_what_it_is(value: str, terms: set[str]) -> None:
    assert implied_terms(value) == terms


def test_a_label_of_two_names_is_known_by_the_first_alone() -> None:
    both, first = label_parts("Contract / Revision")
    assert first < both and label_parts("Contract") == [first]


def test_a_label_has_known_words_and_no_value() -> None:
    assert LEXICON_ALONE.is_label("Invoice date:") and LEXICON_ALONE.is_label("Total amount")
    # Without boxes, a number before a word is a value.
    assert LEXICON_ALONE.is_label("2. Date") and not LEXICON_ALONE.is_label("2 Pages")
    assert not LEXICON_ALONE.is_label("Total amount 12.50") and not LEXICON_ALONE.is_label("Harbour Bank of the lake")


def test_an_address_is_no_label_and_a_name_may_begin_with_that_of_its_field() -> None:
    names = Vocabulary.of(read_schema({"email": "string", "department": "string"}).root)
    assert names.is_only_label("E-mail") and not names.is_only_label("jo@acme.eu")
    assert names.has_value("Department Sales") and not names.has_value("Department of the Navy")


def test_the_name_of_a_party_is_called_as_the_party_is() -> None:
    assert "the seller" in phrases_of("string, name of the seller")
