from pincite.formats.pdf.layout.margin_titles import part_margin_notes, part_margin_titles
from pincite.formats.pdf.page.words import lines_of
from support.pdf_read import read, shown, words
from support.pdfs import Text, column, prose

LINES = (
    "The keeper of the harbour light wrote into",
    "his book every night how many ships went",
    "by, and which of them had been there before.",
)
TEXT = " ".join(LINES)


def test_a_title_in_the_margin_is_apart_from_the_text_at_its_side() -> None:
    page = [*prose(y=72, x=180), Text("Scope", y=200, font="B"), *column(*LINES, x=180, y=200), *prose(y=300, x=180)]
    assert [text.replace("\n", " ") for _, text in shown(read(page))][1:3] == ["Scope", TEXT]


def test_a_title_of_two_lines_is_one() -> None:
    rows = [Text("Scope of", y=200, font="B"), Text(LINES[0], x=180, y=200), Text("the book", y=212, font="B")]
    page = [*prose(y=72, x=180), *rows, *column(*LINES[1:], x=180, y=212), *prose(y=300, x=180)]
    assert [text.replace("\n", " ") for _, text in shown(read(page))][1:3] == ["Scope of the book", TEXT]


def test_a_bold_beginning_and_labels_of_rows_stay_in_their_lines() -> None:
    for page in (
        [Text("Scope", font="B"), *column(*LINES, x=105)],
        [Text("Scope", font="B"), Text("one", x=180), Text("Terms", y=84, font="B"), Text("two", x=180, y=84)],
        [Text("Scope"), *column(*LINES, x=180)],
        [Text("o", font="B"), *column(*LINES, x=100)],
        [Text("Invoice date", font="B"), *column("12 May 2026", "and nothing else", x=180)],
    ):
        lines = lines_of(words(*page))
        assert part_margin_titles(lines) == lines


def test_the_first_line_of_a_note_in_the_margin_is_apart_from_the_title_at_its_side() -> None:
    note = column("He did so until", "the lamp went out.", x=400, y=200, size=8)
    page = [Text("Scope of it", y=200, font="I"), *note, *column(*LINES, y=240)]
    assert [text.replace("\n", " ") for _, text in shown(read(page))] == [
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
