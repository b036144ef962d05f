"""Who issued an invoice is named by its letterhead where no label says it."""

import pytest

from pincite.text.terms.issuer import company_end, read_issuer
from pincite.text.terms.label_index import collect
from pincite.text.terms.pairs import Source
from support.extraction import material

NUMBER = "Invoice number: INV-4711\n\n"
CLIENT = "Bill to: Client Works Ltd\n\n"


def issuer(text: str) -> list[tuple[str, str]]:
    others = [one for one in collect(material(text), []).pairs if one.source is not Source.ISSUER]
    return [(one.value, one.label) for one in read_issuer(text, others)]


@pytest.mark.parametrize(
    ("letterhead", "expected"),
    [
        ("Azure Interior 4557 De Silva St\n\nazure@example.com http://www.azure-interior.com\n",
         ("Azure Interior", "www.azure-interior.com")),
        ("Acorn France\n\nmail@acorn.com\n", ("Acorn France", "acorn.com")),
        ("Northwind B.V.\nWeena 664\n\nwww.tablets.example.nl\n", ("Northwind B.V.", "tablets.example.nl")),
        ("Example, LLC\n\nsupport@example.com\n", ("Example, LLC", "example.com")),
        ("Titulaire du compte : NETPRESSE\n", ("NETPRESSE", "Titulaire du compte")),
    ],
    ids=["its own web address", "with a country", "a company", "its form behind a comma", "holder of the account"],
)  # fmt: skip
def test_the_issuer_is_named_by_its_letterhead(letterhead: str, expected: tuple[str, str]) -> None:
    assert issuer(letterhead + "\n" + NUMBER + CLIENT) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "Northwind B.V.\n\nwww.example.nl\n\nOrder number: PO-4711\n",
        "Northwind B.V.\n\nSouthwind GmbH\n\nwww.example.nl\n\n" + NUMBER,
        "www.example.nl\n\n" + NUMBER + CLIENT,
        NUMBER + "CLIENT\n\nAcme Corp\n\nwww.example.nl\n",
    ],
    ids=["no invoice", "two companies", "the buyer alone", "a company below another party's label"],
)
def test_nobody_is_the_issuer_where_nothing_tells(text: str) -> None:
    assert issuer(text) == []


def test_a_companys_name_ends_before_its_address() -> None:
    assert "Woofers Inc 1234 Woof Street"[: company_end("Woofers Inc 1234 Woof Street")] == "Woofers Inc"
    assert company_end("Kunden AG Mitte") == len("Kunden AG Mitte")
