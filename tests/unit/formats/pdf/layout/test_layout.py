"""An untagged page is read in the order in which it is read, as what its print shows."""

import pytest

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import AsideKind, Block, BlockKind, Document
from pincite.registry import FORMATS
from support.pdfs import PARAGRAPH, Content, Filled, Leaf, Text, column, pdf, prose

FORMAT = next(row for row in FORMATS if row.name == "pdf")
JOINED = " ".join(PARAGRAPH)


def read(*pages: Content | Leaf, outline: tuple[tuple[str, int], ...] = ()) -> Document:
    data = pdf(*pages, outline=outline)
    return read_document(FORMAT, Blob("a.pdf", data), ReadOptions(), Call())


def blocks(document: Document) -> list[Block]:
    return [block for section in document.sections for block in section.blocks]


def shown(document: Document) -> list[tuple[str, str]]:
    return [(block.kind.value, document.text[block.start : block.end]) for block in blocks(document)]


def headings(document: Document) -> list[tuple[int, str]]:
    return [(block.level, block.title) for block in blocks(document) if block.kind is BlockKind.HEADING]


def asides(document: Document, kind: AsideKind) -> list[tuple[int | None, str]]:
    return [(aside.page, aside.text) for aside in document.asides if aside.kind is kind]


def test_lines_are_a_paragraph_with_a_box_for_each() -> None:
    (block,) = blocks(found := read(prose()))
    assert found.text == JOINED + "\n"
    assert block.page == 1
    assert block.box_starts == (0, len(PARAGRAPH[0]) + 1, len(PARAGRAPH[0]) + len(PARAGRAPH[1]) + 2)
    first, *_, last = block.boxes
    assert 71 < first.x0 < 74 and 60 < first.y0 < first.y1 < 76 < last.y0 < last.y1 < 100


def test_a_gap_begins_a_paragraph() -> None:
    assert shown(read(prose(times=2))) == [("paragraph", JOINED)] * 2


def test_an_indent_begins_a_paragraph() -> None:
    second = [
        Text("An indented line that is no longer than others of the text", x=92, y=108),
        *column("and one more.", y=120),
    ]
    texts = [text for _, text in shown(read([*prose(), *second]))]
    assert texts == [JOINED, "An indented line that is no longer than others of the text\nand one more."]


def test_a_line_that_ends_early_after_a_full_stop_ends_a_paragraph() -> None:
    assert shown(read([*prose(), *prose(y=108)])) == [("paragraph", JOINED)] * 2


def test_lines_that_end_early_for_no_reason_keep_their_breaks() -> None:
    found = read([*column("Anna Example", "Springfield", "12 Long Street with a very long name")])
    assert shown(found) == [("paragraph", "Anna Example\nSpringfield\n12 Long Street with a very long name")]


def test_larger_and_bold_lines_are_headings_ranked_by_prominence() -> None:
    def chapter(number: int) -> list[Text | Filled]:
        return [
            Text(f"Chapter {number} of it", y=72, size=20),
            *prose(y=110),
            Text("A part of it", y=180, font="B"),
            *prose(y=210),
            Text("An aside", y=280, font="I"),
            *prose(y=310),
        ]

    found = read(chapter(1), chapter(2))
    expected = [(2, "A part of it"), (3, "An aside")]
    assert headings(found) == [(1, "Chapter 1 of it"), *expected, (1, "Chapter 2 of it"), *expected]


def test_headings_of_one_look_are_told_apart_by_their_numbers() -> None:
    texts = ("1 Scope", "1.1 Terms", "1.2 Symbols", "2 Methods", "2.1 Samples")
    page = [
        part for n, text in enumerate(texts) for part in (Text(text, y=60 + n * 90, font="B"), *prose(y=85 + n * 90))
    ]
    assert headings(read(page)) == [(1, texts[0]), (2, texts[1]), (2, texts[2]), (1, texts[3]), (2, texts[4])]


def test_a_bold_beginning_of_a_paragraph_is_no_heading() -> None:
    found = read([Text("Note.", font="B"), Text("The quick brown fox jumps over the lazy dog.", x=104), *prose(y=84)])
    assert shown(found) == [("paragraph", "Note. The quick brown fox jumps over the lazy dog."), ("paragraph", JOINED)]


def test_a_sentence_in_bold_is_no_heading() -> None:
    assert not headings(read([Text("This is said with force.", y=60, font="B"), *prose(y=90)] * 1))


def test_the_outline_names_headings_that_look_like_text() -> None:
    page = [Text("Scope", y=60), *prose(y=100, times=2)]
    assert headings(read(page, outline=(("Scope", 1),))) == [(1, "Scope")]
    assert headings(read(page)) == []


def test_bullets_and_numbers_make_lists_with_their_depth() -> None:
    found = read(
        [
            *prose(),
            Text("• first of them", y=126),
            Text("which goes on", x=80, y=138),
            Text("• deeper", x=92, y=150),
            Text("• second", y=162),
            *prose(y=200),
            Text("1. one", y=254),
            Text("2. two", y=266),
        ]
    )
    assert shown(found)[1] == ("list", "- first of them which goes on\n  - deeper\n- second")
    assert shown(found)[3] == ("list", "1. one\n2. two")


def test_a_number_that_stands_alone_is_no_list() -> None:
    assert ("paragraph", "3. three") in shown(read([*prose(), Text("3. three", y=130)]))


def test_what_the_file_has_late_goes_where_it_stands() -> None:
    found = read([*prose(y=300), *column("Above it all", size=10)])
    assert [text for _, text in shown(found)] == ["Above it all", JOINED]


def test_columns_are_read_one_after_the_other_as_the_file_has_them() -> None:
    left = column("left one is long", "left two is long", "left three", x=72, y=100)
    right = column("right one is long", "right two is long", "right three", x=320, y=100)
    text = read([*left, *right]).text
    assert text.index("left three") < text.index("right one")


def test_columns_that_the_file_has_line_by_line_are_parted_where_that_is_proved() -> None:
    left = column(*[f"left column of prose number {n}" for n in range(5)], x=72, y=100)
    right = column(*[f"right column of prose number {n}" for n in range(5)], x=320, y=100)
    found = read([line for pair in zip(left, right, strict=True) for line in pair])
    texts = [text.replace("\n", " ") for _, text in shown(found)]
    assert texts == [" ".join(f"{side} column of prose number {n}" for n in range(5)) for side in ("left", "right")]


def test_a_few_lines_beside_each_other_are_left_as_they_are() -> None:
    left = column("Name and address", "Bank and account", x=72, y=100)
    right = column("of the buyer in full", "of the seller in full", x=320, y=100)
    text = read([line for pair in zip(left, right, strict=True) for line in pair]).text.replace("\n", " ")
    assert text.strip() == "Name and address of the buyer in full Bank and account of the seller in full"


def test_raised_marks_go_back_into_their_line() -> None:
    found = read([*column("The product of the company is sold", "in many countries."), Text("TM", x=126, y=69, size=6)])
    assert found.text.startswith("The product TM of the company")


def test_running_heads_and_feet_are_kept_apart() -> None:
    pages = [
        [Text("A Report", y=30), *prose(y=100), Text(f"Page {number} of 4", x=280, y=770)] for number in range(1, 5)
    ]
    found = read(*pages)
    assert "Report" not in found.text
    assert asides(found, AsideKind.HEADER) == [(number, "A Report") for number in range(1, 5)]
    assert asides(found, AsideKind.FOOTER) == [(number, f"Page {number} of 4") for number in range(1, 5)]


def test_pages_that_begin_with_the_same_text_keep_it() -> None:
    found = read(*[[*prose(y=60), *prose(y=96), *prose(y=132)]] * 4)
    assert not found.asides


def test_page_numbers_in_roman_numerals_are_running_feet() -> None:
    found = read(*[[*prose(y=100), Text(number, x=300, y=770)] for number in ("ii", "iii")])
    assert asides(found, AsideKind.FOOTER) == [(1, "ii"), (2, "iii")]


def test_heads_that_change_with_the_chapter_are_told_by_their_page_numbers() -> None:
    names = ("Introduction", "Methods", "Results", "Discussion", "Summary")
    pages = [[Text(f"{name} {number + 10}", y=30), *prose(y=100)] for number, name in enumerate(names)]
    assert [text for _, text in asides(read(*pages), AsideKind.HEADER)] == [
        f"{name} {n + 10}" for n, name in enumerate(names)
    ]


def test_a_heading_at_the_top_of_every_page_stays_if_it_is_large_or_moves() -> None:
    large = [[Text("Control Objective", y=40, size=16), *prose(y=100)] for _ in range(4)]
    moving = [[Text("Control Objective", y=40 + 12 * n, font="B"), *prose(y=130)] for n in range(4)]
    assert not read(*large).asides
    assert not read(*moving).asides


def test_a_table_of_contents_is_one_block() -> None:
    rows = [f"{n} Part number {n} {'.' * 40} {n * 3}" for n in range(1, 8)]
    found = read([Text("Contents", y=50, size=16), *column(*rows, y=80)], *[prose()] * 30)
    (block,) = [block for block in blocks(found) if block.kind is BlockKind.CONTENTS]
    assert found.text[block.start : block.end].count("\n") == 6
    assert len(block.boxes) == 7


def test_rising_numbers_at_the_edge_are_a_table_of_contents_too() -> None:
    rows = [
        part
        for n in range(9)
        for part in (Text(f"Part {'abcdefghi'[n]}", y=80 + n * 14), Text(str(n + 10), x=500, y=80 + n * 14))
    ]
    found = read(rows, *[prose()] * 30)
    assert next(block.kind for block in blocks(found)) is BlockKind.CONTENTS


@pytest.mark.parametrize("turns", [90, 180, 270])
def test_a_turned_page_is_read_as_it_is_displayed(turns: int) -> None:
    direction = {90: (0, 1), 180: (-1, 0), 270: (0, -1)}[turns]
    page: list[Text | Filled] = []
    for number, line in enumerate(PARAGRAPH):
        down, right = 100 + 12 * number, 72
        x, y = {90: (down, 792 - right), 180: (612 - right, 792 - down), 270: (612 - down, right)}[turns]
        page.append(Text(line, x, y, turn=direction))
    found = read(Leaf(page, f"/Rotate {turns}"))
    (block,) = blocks(found)
    assert found.text == JOINED + "\n"
    assert 71 < block.boxes[0].x0 < 74 and 88 < block.boxes[0].y0 < block.boxes[0].y1 < 104


def test_places_count_from_the_crop_box() -> None:
    (block,) = blocks(read(Leaf(prose(x=100, y=150), "/CropBox[50 100 600 700]")))
    assert 49 < block.boxes[0].x0 < 52 and 46 < block.boxes[0].y0 < block.boxes[0].y1 < 64


def test_a_table_stands_in_its_place_between_paragraphs() -> None:
    rows = [
        part
        for n, (label, *values) in enumerate(
            [("Sales", "1,200", "1,100"), ("Costs", "800", "700"), ("Profit", "400", "400")]
        )
        for part in (
            Text(label, y=160 + n * 14),
            *(Text(value, x=300 + 90 * m, y=160 + n * 14) for m, value in enumerate(values)),
        )
    ]
    found = read([*prose(), *rows, *prose(y=260)])
    assert [kind for kind, _ in shown(found)] == ["paragraph", "table", "paragraph"]
