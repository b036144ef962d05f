from pincite.formats.pdf.layout.margin_notes import part_margin_notes
from pincite.formats.pdf.page.words import lines_of
from support.pdf_read import read, shown, words
from support.pdfs import Text, column

LINES = (
    "The keeper of the harbour light wrote into",
    "his book every night how many ships went",
    "by, and which of them had been there before.",
)
TEXT = " ".join(LINES)


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
