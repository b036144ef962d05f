from pincite.formats.pdf.layout.reading_order import in_reading_order
from pincite.model.document import Box
from support.pdf_layout import JOINED, read
from support.pdf_read import shown
from support.pdfs import Text, column, prose


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
