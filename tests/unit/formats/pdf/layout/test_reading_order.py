from pincite.formats.pdf.layout.paragraphs import Paragraph
from pincite.formats.pdf.layout.reading_order import beside_text, in_reading_order, part_margin_notes, shared_rows
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
