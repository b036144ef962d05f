"""Labels and values of forms are read by their boxes on the page."""

from dataclasses import replace

from pincite.model.call import Call
from pincite.model.chunk import PlacedText
from pincite.model.document import Box
from pincite.text.terms.form_pairs import of_form
from pincite.text.terms.vocabulary import LEXICON_ALONE
from support.extraction import material


def pairs(*runs: tuple[str, float, float]) -> set[tuple[str, str]]:
    """Texts with their left and upper edges, each in a paragraph of its own."""
    (chunk,) = material("# Form\n\n" + "\n".join(text for text, _, _ in runs) + "\n").chunks
    boxes: list[PlacedText] = []
    for text, x, y in runs:
        start = chunk.text.index(text, boxes[-1].end if boxes else 0)
        boxes.append(PlacedText(1, Box(x, y, x + 5 * len(text), y + 8), start, start + len(text)))
    found = of_form([replace(chunk, boxes=tuple(boxes))], LEXICON_ALONE, Call())
    return {(one.label, one.value) for one in found}


def test_a_row_of_labels_names_the_numbers_and_dates_below() -> None:
    rows = [("Invoice date", 10, 10), ("Invoice", 110, 10), ("INV-4711", 110, 22), ("8-9-2022", 10, 22)]
    assert pairs(*rows) == {("Invoice date", "8-9-2022"), ("Invoice", "INV-4711")}


def test_one_label_over_a_number_may_be_a_heading() -> None:
    assert pairs(("Invoice", 10, 10), ("INV-4711", 10, 22)) == set()


def test_a_number_under_two_labels_is_of_neither() -> None:
    assert pairs(("Date", 10, 10), ("Due date", 40, 10), ("8-9-2022 9-9-2022", 10, 22)) == set()


def test_aligned_labels_name_what_is_right_of_them() -> None:
    labels = [("Buyer", 10, 10), ("Seller", 10, 22), ("Invoice", 10, 34)]
    values = [("Acme Ltd", 90, 10), ("Bolt & Sons", 90, 22), ("INV-4711", 90, 34)]
    assert pairs(*labels, *values) == {("Buyer", "Acme Ltd"), ("Seller", "Bolt & Sons"), ("Invoice", "INV-4711")}
    assert pairs(*labels[:2], *values[:2]) == set(), "two lines may be aligned by chance"
