from itertools import chain

import pytest

from pincite.formats.pdf.layout.label_columns import MAX_LABELS, is_field, join_labels
from pincite.formats.pdf.page.words import lines_of
from support.pdf_read import read, words
from support.pdfs import Text, column, prose

LABELS = ("Invoice number:", "Invoice date:", "Due date:", "Our reference:")
VALUES = ("RE-2026-118", "12 May 2026", "26 May 2026", "Anna Example")
FIELDS = "\n".join(f"{label} {value}" for label, value in zip(LABELS, VALUES, strict=True))


def test_labels_that_the_file_has_before_their_values_are_read_with_them() -> None:
    address = column("Example Ltd", "12 Long Street", "Springfield", y=100)
    found = read([*address, *column(*LABELS, x=300, y=100), *column(*VALUES, x=420, y=100), *prose(y=250)])
    assert f"\n{FIELDS}\n" in found.text
    assert found.text.startswith("Example Ltd")


def test_values_before_their_labels_and_values_of_several_lines_are_read_with_them() -> None:
    page = [*column(*VALUES, x=200), *column(*LABELS), *prose(y=200)]
    assert read(page).text.startswith(f"{FIELDS}\n")
    labels = [Text(label, y=y) for label, y in zip(LABELS[:2], (72, 96), strict=True)]
    assert read([*labels, *column("12 Long Street", "Springfield", "RE-7", x=200), *prose(y=200)]).text.startswith(
        "Invoice number: 12 Long Street Springfield\nInvoice date: RE-7\n"
    )


def test_fields_that_the_file_has_row_by_row_are_lines() -> None:
    rows = (
        (Text(label, y=y), Text(value, x=200, y=y))
        for label, value, y in zip(LABELS, VALUES, (72, 84, 96, 108), strict=True)
    )
    assert read([*chain(*rows), *prose(y=200)]).text.startswith(f"{FIELDS}\n")


BARE = ("Invoice number", "Invoice date", "Amount due", "Contact")
UNITS = ("each one", "by the box", "by the hour", "per year")
TYPED = ("4711", "12 May 2026", "1,234.50 EUR", "Anna Example")
BARE_FIELDS = "\n".join(f"{label} {value}" for label, value in zip(BARE, TYPED, strict=True))


@pytest.mark.parametrize(
    ("labels", "values"),
    [
        (("Anna Example", "Bert Other", "Cleo Third"), ("Berlin", "Paris", "Rome")),
        (BARE[:2], TYPED[:2]),
        (("Room 1", "Room 2", "Room 3"), ("12", "14", "16")),
        (("This ends here.", "So does this.", "And this."), ("12", "14", "16")),
        (BARE, TYPED[:3]),
    ],
)
def test_columns_that_are_no_labels_and_values_stay(labels: tuple[str, ...], values: tuple[str, ...]) -> None:
    lines = lines_of(words(*column(*labels), *column(*values, x=250)))
    assert [line.text for line in join_labels(lines)] == [*labels, *values]


def test_three_columns_stay() -> None:
    lines = lines_of(words(*column(*BARE), *column(*TYPED, x=200), *column(*UNITS, x=350)))
    assert join_labels(lines) == lines
    lines = lines_of(words(*column(*UNITS), *column(*BARE, x=200), *column(*TYPED, x=350)))
    assert join_labels(lines) == lines


def test_labels_without_values_next_to_them_stay() -> None:
    apart = lines_of(words(*column(*LABELS), *column(*VALUES, x=200, y=78)))
    assert join_labels(apart) == apart
    ragged = lines_of(
        words(*column(*LABELS), *(Text(value, 150 + 30 * n, 72 + 12 * n) for n, value in enumerate(VALUES)))
    )
    assert join_labels(ragged) == ragged
    other = lines_of(words(*column(*LABELS), *column(*LABELS, x=300)))
    assert join_labels(other) == other


def test_more_labels_than_a_page_has_are_not_compared() -> None:
    labels = lines_of(
        words(*column(*["a:"] * (MAX_LABELS + 1), size=2), *column(*["b"] * (MAX_LABELS + 1), x=100, size=2))
    )
    assert join_labels(labels) == labels


@pytest.mark.parametrize("text", ["Due date:", "Due date: 12 May 2026", "Zahlungstyp (codiert): 58", "Käufer: X"])
def test_a_field_begins_with_a_label(text: str) -> None:
    assert all(map(is_field, lines_of(words(Text(text)))))


@pytest.mark.parametrize(
    "text",
    [
        "and load. Define: x",
        "Spread and load. Define: x",
        "Systems]: Process",
        "in: Proceedings",
        "At 12:30",
        "f = x: y",
    ],
)
def test_other_lines_with_a_colon_are_no_fields(text: str) -> None:
    assert not any(map(is_field, lines_of(words(Text(text)))))
