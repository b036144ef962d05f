"""What agreements call by a name is read with the name, whole, whichever comes first."""

import pytest

from pincite.text.terms.defined import read_defined


@pytest.mark.parametrize(
    ("text", "label", "value"),
    [
        ('made by and between ACME, LLC, a Delaware limited company ("Landlord"), and', "Landlord", "ACME, LLC"),
        ("among Acme Bank, N.A. (the “Administrative Agent”)", "Administrative Agent", "Acme Bank, N.A."),
        ("is hereby extended through July 31, 2024 (the “Expiration Date”).", "Expiration Date", "July 31, 2024"),
        ("made effective as of May 19, 2006 (“Effective Date”) by", "Effective Date", "May 19, 2006"),
        ("ACME CORPORATION, as Borrower,", "Borrower", "ACME CORPORATION"),
        ("BANK OF EXAMPLE, N.A.,\nas Administrative Agent, Lender", "Administrative Agent", "BANK OF EXAMPLE, N.A."),
        ("shall be governed by the laws of the State of Ohio, without", "laws of", "Ohio"),
        ("construed in accordance with, the law of the State of New York.", "law of", "New York"),
    ],
)
def test_a_name_that_an_agreement_gives_is_a_label(text: str, label: str, value: str) -> None:
    (found,) = read_defined(text)
    assert (text[slice(*found.label)], text[slice(*found.value)]) == (label, value)


@pytest.mark.parametrize(
    "text",
    [
        # The title of the agreement, an abbreviation of words, a date that is none of the label, two laws, conflicts.
        'THIS FOURTH AMENDMENT (this "Amendment") is made',
        "three thousand rentable square feet (“RSF”) of the building",
        "a Lease Agreement dated April 5, 2010 (the “Lease”)",
        "governed in all respects by the laws of the United States and State of Minnesota applicable",
        "governed without regard to the conflicts of laws of the State of Ohio.",
    ],
)
def test_what_is_no_name_of_a_party_is_no_value(text: str) -> None:
    assert list(read_defined(text)) == []
