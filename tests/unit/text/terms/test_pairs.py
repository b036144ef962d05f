"""What a line says as label and value, however it is laid out."""

import pytest

from pincite.services.extraction.schemas import read_schema
from pincite.text.tables.grids import grids
from pincite.text.terms.label_index import collect
from pincite.text.terms.vocabulary import Vocabulary
from support.extraction import material

NAMES = Vocabulary.of(
    read_schema(
        {
            "advertiser": "string",
            "payer_tin": "string",
            "recipient_tin": "string",
            "recipient_name": "string",
            "flight": "string",
            "seat": "string",
            "specimen_id": "string",
            "foreign_tax_paid": "number",
            "pages": "integer",
        }
    ).root
)


def pairs(text: str) -> set[tuple[str, str]]:
    read = material(text)
    return {(one.label, one.value) for one in collect(read, list(grids(read.document)), NAMES).pairs if not one.is_open}


@pytest.mark.parametrize(
    ("text", "label", "value"),
    [
        ("Advertiser: ACME Ltd\n", "Advertiser", "ACME Ltd"),
        ("**Advertiser:** ACME Ltd\n", "Advertiser", "ACME Ltd"),
        ("Advertiser:ACME Ltd\n", "Advertiser", "ACME Ltd"),
        ("Pages #: 4711-A\n", "Pages #", "4711-A"),
        ("Pages: >5000 mg\n", "Pages", ">5000 mg"),
        # A separator that Markdown has escaped is none of the value.
        ("Advertiser: ACME Ltd \\| Pages: 7\n", "Advertiser", "ACME Ltd"),
        ("Advertiser ACME Ltd\n", "Advertiser", "ACME Ltd"),
        ("Advertiser:\n\nACME Ltd\n", "Advertiser", "ACME Ltd"),
        ("Advertiser\n\nACME Ltd\n", "Advertiser", "ACME Ltd"),
        ("Advertiser\n\n2024-05-16\n", "Advertiser", "2024-05-16"),
        # A heading that is the name of a field, over words of the lexicon.
        ("## Advertiser\n\nThe name of a seller\n", "Advertiser", "The name of a seller"),
        ("https://www.acme.com/en Advertiser 4711-A\n", "Advertiser", "4711-A"),
        ("Advertiser\n\nabout 0.21 kg\n", "Advertiser", "about 0.21 kg"),
        # Several pairs in one row, the first row of a form that is no header.
        (
            "| Delv. Date: | 5/16/2024 | Number: | 3847193 |\n|---|---|---|---|\n| a | b | c | d |\n",
            "Number:",
            "3847193",
        ),
        # Labels above values in a grid, and with its value in one cell.
        (
            "| | | |\n|---|---|---|\n| PAYER’S TIN | RECIPIENT’S TIN | x |\n| 746552769 | 554-03-0876 | |\n",
            "RECIPIENT’S TIN",
            "554-03-0876",
        ),
        ("| | |\n|---|---|\n| RECIPIENT’S name Anastasia Hodges | b |\n", "RECIPIENT’S name", "Anastasia Hodges"),
        # Two labels in a line: that of the schema ends the value before it.
        ("Patient: FERREIRA, Lucia M. Specimen ID: MC-22\n", "Patient", "FERREIRA, Lucia M."),
        # A label of several words that the lexicon has as a whole ends the value, too.
        ("Advertiser: ACME LTD CUSTOMER NUMBER: 4711\n", "Advertiser", "ACME LTD"),
        ("Balance at 31 December 5,111 EUR\n", "Balance at 31 December", "5,111 EUR"),
        ("性别:男\n", "性别", "男"),
        ("Pages\t7\n", "Pages", "7"),
        ("Pages   12\n", "Pages", "12"),
        ("Seat: 12A (Pages: 12/3)\n", "(Pages", "12/3"),
        ("(Seat: HC/S 865)\n", "(Seat", "HC/S 865"),
        ("Seat: 26/2010 /\n", "Seat", "26/2010"),
        ("電話\uff1a03-5357-1666\u3000\uff26\uff21\uff38\uff1a03-5357-1667\n", "電話", "03-5357-1666"),
    ],
)
def test_a_label_names_its_value_in_every_layout(text: str, label: str, value: str) -> None:
    assert (label, value) in pairs(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # The number of the next box, the label beside a label, and options whose boxes were not read.
        ("| | |\n|---|---|\n| 6 Foreign tax paid $ | 7 Foreign country or possession |\n", "7"),
        ("| Advertiser | Original Date / Revision |\n|---|---|\n| x | y |\n", "Original Date / Revision"),
        ("Gender: Female Male\n", "Female Male"),
        # Without a colon, words in the same letters may go on with the label.
        ("Agency Est\n", "Est"),
        ("ADVERTISER PRODUCT CODE\n", "CODE"),
        ("Product 1/2\n", "1/2"),
        # Below a label that nothing marks as one, below two labels, and with a label of its own.
        ("Advertiser\n\nContact number\n", "Contact number"),
        ("Advertisers and others\n\nMore words\n", "More words"),
        ("Fax:\n\nDirect:\n", "Direct"),
        ("Contract:\n\nAcct Type: Agency\n", "Acct Type: Agency"),
        # The first of several values in columns.
        ("Amount EUR      2,100.00      0.8735      1,834.38\n", "2,100.00"),
        # A row of labels above their values, and a colon inside of a sentence.
        ("| | |\n|---|---|\n| ADVERTISER | FREIGHT |\n| Acme | 5 |\n", "FREIGHT"),
        (
            "It is made under the laws of the state of New York (other than these laws): as agreed by both.\n",
            "as agreed by both",
        ),
    ],
)
def test_a_label_is_no_value(text: str, value: str) -> None:
    assert value not in {one for _, one in pairs(text)}


def test_a_line_alone_heads_the_indented_lines_below_it() -> None:
    read = material("```\nBuyer\n  Name:  Acme Works\n\nSeller\n  Name:  Foo Inc\n\nName:  Bar\n```\n")
    found = collect(read, [], NAMES).pairs
    assert {one.value: one.context[-1:] for one in found if one.label == "Name"} == {
        "Acme Works": ("Buyer",), "Foo Inc": ("Seller",), "Bar": (),
    }  # fmt: skip


def test_a_value_that_runs_into_an_unknown_label_is_open() -> None:
    assert ("Chair", "Fiona MacLeod Minute") not in pairs("Chair: Fiona MacLeod Minute taker: Raj Patel\n")


def test_the_dates_of_a_period_are_its_start_and_its_end() -> None:
    read = material("Flight Dates: 2024-05-16 to 2024-05-20\n")
    labels = next(one.labels for one in collect(read, [], NAMES).pairs if one.label == "Flight Dates")
    assert {frozenset({"flight", "start"}), frozenset({"flight", "end"})} <= set(labels)
