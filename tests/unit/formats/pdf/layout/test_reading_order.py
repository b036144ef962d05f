from itertools import chain

import pytest

from pincite.formats.pdf.layout.paragraphs import Paragraph
from pincite.formats.pdf.layout.reading_order import (
    MAX_LABELS,
    beside_text,
    in_reading_order,
    join_labels,
    part_margin_notes,
    shared_rows,
)
from pincite.formats.pdf.page.placed_text import text_of
from pincite.formats.pdf.page.words import Line, line_of, lines_of, visual_lines
from pincite.model.document import Box
from support.pdf_layout import JOINED, read
from support.pdf_read import read as pdf_read_read
from support.pdf_read import shown, words
from support.pdfs import Text, column, prose
from support.typed_pages import typed, word

PROSE = "words of text in one of the columns"
LINES = (
    "The keeper of the harbour light wrote into",
    "his book every night how many ships went",
    "by, and which of them had been there before.",
)
TEXT = " ".join(LINES)


def test_a_stretch_goes_before_what_it_stands_above() -> None:
    low, high, beside = Box(0, 200, 100, 210), Box(0, 100, 100, 110), Box(300, 100, 400, 110)
    assert in_reading_order([low, high]) == [high, low]
    assert in_reading_order([low, beside]) == [low, beside]


def test_a_page_that_the_file_has_from_its_end_to_its_top_is_turned_round() -> None:
    boxes = [Box(0, 40 * n, 100, 40 * n + 10) for n in range(60)]
    assert in_reading_order(boxes[::-1]) == boxes


def test_what_the_file_has_late_at_the_top_puts_no_column_before_the_one_at_its_left() -> None:
    left, right, above = Box(0, 290, 100, 300), Box(150, 80, 250, 90), Box(0, 20, 30, 30)
    assert in_reading_order([left, right, above]) == [above, left, right]


def test_what_the_file_has_first_at_the_foot_puts_no_column_before_the_one_at_its_left() -> None:
    left, right, below = Box(0, 270, 100, 300), Box(150, 80, 250, 110), Box(200, 320, 240, 330)
    assert in_reading_order([below, left, right]) == [left, right, below]
    # Where it ends above the foot of another column, it belongs to its own.
    early = Box(200, 294, 240, 299)
    assert in_reading_order([early, left, right]) == [right, early, left]


def test_a_title_that_the_file_has_first_goes_between_the_tables_where_it_stands() -> None:
    lines = [Box(0, 20 + 12 * number, 200, 30 + 12 * number) for number in range(4)]
    title, first, second = Box(0, 246, 90, 256), Box(0, 70, 200, 240), Box(0, 262, 200, 330)
    assert in_reading_order([*lines, title, first, second]) == [*lines, first, title, second]


def test_what_the_file_has_late_goes_where_it_stands() -> None:
    found = read([*prose(y=300), *column("Above it all", size=10)])
    assert [text for _, text in shown(found)] == ["Above it all", JOINED]


def test_columns_are_read_one_after_the_other_as_the_file_has_them() -> None:
    left = column("left one is long", "left two is long", "left three", x=72, y=100)
    right = column("right one is long", "right two is long", "right three", x=320, y=100)
    text = read([*left, *right]).text
    assert text.index("left three") < text.index("right one")


def test_columns_that_the_file_has_line_by_line_are_parted_where_that_is_proved() -> None:
    left = column(*[f"Left column of prose number {n}" for n in range(5)], x=72, y=100)
    right = column(*[f"Right column of prose number {n}" for n in range(5)], x=320, y=100)
    found = read([line for pair in zip(left, right, strict=True) for line in pair])
    texts = [text.replace("\n", " ") for _, text in shown(found)]
    assert texts == [" ".join(f"{side} column of prose number {n}" for n in range(5)) for side in ("Left", "Right")]


def test_a_few_lines_beside_each_other_are_left_as_they_are() -> None:
    left = column("Name and address", "Bank and account", x=72, y=100)
    right = column("of the buyer in full", "of the seller in full", x=320, y=100)
    text = read([line for pair in zip(left, right, strict=True) for line in pair]).text.replace("\n", " ")
    assert text.strip() == "Name and address of the buyer in full Bank and account of the seller in full"


def test_raised_marks_go_back_into_their_line() -> None:
    found = read([*column("The product of the company is sold", "in many countries."), Text("TM", x=126, y=69, size=6)])
    assert found.text.startswith("The product TM of the company")


def shared(page: str) -> list[str]:
    """The words of a page's lines, which white parts, that share their row with others."""
    rows = typed(page)
    lines = [line for row in rows for line in _parted(row)]
    found = shared_rows(rows, lines)
    return [word.text for line in lines for word in line.words if word.first in found]


def _parted(row: Line) -> list[Line]:
    at = next((n for n in range(1, len(row.words)) if row.words[n].x0 - row.words[n - 1].x1 > row.size), len(row.words))
    return [line_of(words) for words in (row.words[:at], row.words[at:]) if words]


def test_a_title_in_a_column_of_text_shares_no_row_with_the_text_of_another_column() -> None:
    texts = [f"{PROSE}      {PROSE}"] * 6
    assert shared("\n".join([*texts, f"{'Scope':{len(PROSE)}}      {PROSE}"])) == []


def test_the_label_of_a_chart_shares_its_row_wherever_it_is_in_its_column() -> None:
    texts = [f"{PROSE}      {PROSE}"] * 6
    assert "Rate" in shared("\n".join([*texts, f"          {'Rate':{len(PROSE) - 10}}      {PROSE}"]))


def test_a_label_shares_its_row_with_the_text_at_its_side() -> None:
    page = "\n".join([f"{'Scope':12}{PROSE}", *[" " * 12 + PROSE] * 6])
    assert shared(page) == ["Scope", *PROSE.split()]
    values = "\n".join([*[PROSE] * 6, f"{'Scope':{len(PROSE)}}      12"])
    assert shared(values) == ["Scope", "12"]


def test_the_first_line_of_a_note_in_the_margin_is_apart_from_the_title_at_its_side() -> None:
    note = column("He did so until", "the lamp went out.", x=400, y=200, size=8)
    page = [Text("Scope of it", y=200, font="I"), *note, *column(*LINES, y=240)]
    assert [text.replace("\n", " ") for _, text in shown(pdf_read_read(page))] == [
        "Scope of it",
        "He did so until the lamp went out.",
        TEXT,
    ]


def test_values_at_the_right_stay_in_their_lines() -> None:
    for page in (
        [Text("Scope of it"), *column("12 May 2026", "London", x=400)],
        [Text("Scope of it"), Text("12 May 2026", x=400, size=8), *column(*LINES, y=84)],
        [Text("Scope of it"), Text("12", x=400, size=8), Text("13", x=340, y=84, size=8)],
    ):
        lines = lines_of(words(*page))
        assert part_margin_notes(lines) == lines


def line(text: str, x: float, y: float) -> Line:
    first = int(y * 1000 + x)
    return line_of([word(part, x + 40 * n, y, first=first + 10 * n) for n, part in enumerate(text.split())])


def paragraph(*lines: Line, alone: bool = True) -> Paragraph:
    return Paragraph(lines, text_of(word for line in lines for word in line.words), alone)


def is_alone(title: Line, *text: Line, below: int = 2) -> bool:
    own = [line("below it", 0, 36 + 12 * n) for n in range(below)]
    parts = [paragraph(title, alone=False), paragraph(*own), paragraph(*text)]
    rows = visual_lines(word for part in parts for word in part.words)
    return beside_text(parts, rows)[0].alone


TEXT_beside_text = [line("of a text", 200, y) for y in (0, 12, 24)]


def test_a_title_beside_a_line_within_a_text_is_alone() -> None:
    assert is_alone(line("A title", 0, 12), *TEXT_beside_text)


def test_a_label_of_a_drawing_has_no_text_below_it() -> None:
    assert not is_alone(line("A title", 0, 12), *TEXT_beside_text, below=1)


def test_a_title_beside_the_first_line_of_a_text_is_its_label() -> None:
    assert not is_alone(line("A title", 0, 0), *TEXT_beside_text)


def test_a_title_beside_few_lines_or_without_white_is_not_alone() -> None:
    assert not is_alone(line("A title", 0, 12), *TEXT_beside_text[:2])
    assert not is_alone(line("A title", 135, 12), *TEXT_beside_text)


def test_a_title_above_the_text_of_a_column_is_alone_beside_first_lines_and_tables_of_others() -> None:
    own = [line("whatever is below it is a text", 0, 36 + 12 * n) for n in range(3)]
    parts = [paragraph(line("A title", 0, 12), alone=False), paragraph(*own)]
    parts += [paragraph(line("first line", 300, 12)), paragraph(line("first line", 500, 12))]
    words = [word for part in parts for word in part.words]
    in_table = line("1.5", 700, 12).words
    assert beside_text(parts, visual_lines([*words, *in_table]))[0].alone
    short = [line("a note", 0, 36 + 12 * n) for n in range(3)]
    parts[1] = paragraph(*short)
    assert not beside_text(parts, visual_lines([*words, *in_table]))[0].alone


LABELS = ("Invoice number:", "Invoice date:", "Due date:", "Our reference:")
VALUES = ("RE-2026-118", "12 May 2026", "26 May 2026", "Anna Example")
FIELDS = "\n".join(f"{label} {value}" for label, value in zip(LABELS, VALUES, strict=True))


def test_labels_that_the_file_has_before_their_values_are_read_with_them() -> None:
    address = column("Example Ltd", "12 Long Street", "Springfield", y=100)
    found = pdf_read_read([*address, *column(*LABELS, x=300, y=100), *column(*VALUES, x=420, y=100), *prose(y=250)])
    assert f"\n{FIELDS}\n" in found.text
    assert found.text.startswith("Example Ltd")


def test_values_before_their_labels_and_values_of_several_lines_are_read_with_them() -> None:
    page = [*column(*VALUES, x=200), *column(*LABELS), *prose(y=200)]
    assert pdf_read_read(page).text.startswith(f"{FIELDS}\n")
    labels = [Text(label, y=y) for label, y in zip(LABELS[:2], (72, 96), strict=True)]
    assert pdf_read_read(
        [*labels, *column("12 Long Street", "Springfield", "RE-7", x=200), *prose(y=200)]
    ).text.startswith("Invoice number: 12 Long Street Springfield\nInvoice date: RE-7\n")


def test_fields_that_the_file_has_row_by_row_are_lines() -> None:
    rows = (
        (Text(label, y=y), Text(value, x=200, y=y))
        for label, value, y in zip(LABELS, VALUES, (72, 84, 96, 108), strict=True)
    )
    assert pdf_read_read([*chain(*rows), *prose(y=200)]).text.startswith(f"{FIELDS}\n")


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
