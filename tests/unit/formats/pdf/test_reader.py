"""What of a PDF is read, what is kept apart, and what is said where it cannot be read."""

import random
from contextlib import suppress
from pathlib import Path

import pytest

from pincite.errors import Cancelled, InvalidInput
from pincite.evidence.quotes import Verdict, verify
from pincite.evidence.search import prepare
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.pdf.page.hyphens import Hyphenation
from pincite.formats.pdf.reader import join_words, read_pages
from pincite.formats.pdf.reader import read as read_pdf
from pincite.model.call import Call
from pincite.model.document import Block, BlockKind, Box, Head, Page, RecognisedSpan
from support.pdf_read import ENCRYPTED, blocks, document, read, shown
from support.pdfs import Filled, Text, column, pdf, prose

P, F, N = BlockKind.PARAGRAPH, BlockKind.FIGURE, BlockKind.FOOTNOTE
BOX = Box(0, 0, 10, 10)


def test_pages_beyond_the_limit_are_said() -> None:
    found = document(pdf(*[prose()] * 3), ReadOptions(max_pages=2))
    assert found.coverage.limits_hit == ("max_pages",)
    assert (found.coverage.pages, found.coverage.read) == (3, 2)


def test_a_page_that_is_gone_is_named() -> None:
    whole = pdf(*[column(f"This is page {number}.", y=300) for number in range(1, 4)])
    place = whole.index(b"/Type/Page/", whole.index(b"This is page 2"))
    found = document(whole[:place] + b"/Type/None/" + whole[place + 11 :])
    assert "page 1" in found.text and "page 3" in found.text


def test_damage_anywhere_ends_in_a_document_or_a_clear_error() -> None:
    whole = pdf(*[[*prose(times=3), Filled(0, 0, 10, 10, picture=True)]] * 2, info="/Title(A)", outline=[("A", 1)])
    chance = random.Random(7)  # noqa: S311 - the same damage every time
    for _ in range(150):
        damaged = bytearray(whole)
        for _ in range(chance.randint(1, 20)):
            damaged[chance.randrange(8, len(damaged))] = chance.randrange(256)
        with suppress(InvalidInput):
            assert document(bytes(damaged[: chance.randint(100, len(damaged))])).coverage


def test_reading_stops_when_the_caller_goes_away() -> None:
    call = Call()
    pages = read_pdf(Blob("a.pdf", pdf(*[prose()] * 60)), ReadOptions(), call)
    assert isinstance(next(pages), Head)
    assert next(pages)
    call.stop.set()
    with pytest.raises(Cancelled):
        list(pages)


@pytest.mark.data
def test_files_that_broke_parsers_are_read(data: Path) -> None:
    files = {file.name: file.read_bytes() for file in (data / "hostile").glob("*.pdf")}
    assert files.keys() > ENCRYPTED
    for name in files.keys() - ENCRYPTED:
        assert document(files[name]).coverage.pages, name


@pytest.mark.data
def test_right_to_left_lines_are_read_in_logical_order(data: Path) -> None:
    source = Blob("a.pdf", (data / "office" / "right_to_left_01.pdf").read_bytes())
    _, page = read_pages(source, ReadOptions(), Call(), by_tags=False)
    assert isinstance(page, Page)
    assert "تحسين الإنتاجية وحل المشكلات من خلال البرمجة بلغة R" in page.text
    assert len(page.blocks) == 5
    assert all(len(block.boxes) > 1 for block in page.blocks[1:])


def page(number: int, *texts: str | tuple[BlockKind, str]) -> Page:
    """A page of paragraphs, or of blocks of other kinds."""
    parts: list[str] = []
    made: list[Block] = []
    start = 0
    for kind, text in ((P, text) if isinstance(text, str) else text for text in texts):
        made.append(Block(kind, start, start + len(text), boxes=(BOX, BOX), box_starts=(0, 3)))
        parts.append(text)
        start += len(text) + 2
    return Page(number, "\n\n".join(parts), tuple(made))


def joined(*pages: Page, hyphenation: Hyphenation = Hyphenation(breaks=True)) -> list[list[str]]:  # noqa: B008 - a frozen value
    found = list(join_words(pages, lambda: hyphenation))
    return [[one.text[block.start : block.end] for block in one.blocks] for one in found]


def test_a_word_that_is_parted_at_the_end_of_a_page_is_whole_in_the_block_before_the_break() -> None:
    pages = [page(1, "One.", "It is a compre-"), page(2, "hensive study of it.", "Two."), page(3, "Three.")]
    assert joined(*pages) == [["One.", "It is a comprehensive"], ["study of it.", "Two."], ["Three."]]
    compound = [page(1, "One is well-"), page(2, "known.")]
    assert joined(*compound, hyphenation=Hyphenation()) == [["One is well-known."], []]
    assert joined(*compound, hyphenation=Hyphenation(breaks=True, known={"well-known"})) == [["One is well-known."], []]
    assert joined(page(1, "A compre-"), page(2, "hensive"), page(3, "c")) == [["A comprehensive"], [], ["c"]]


def test_a_word_is_whole_too_where_all_hyphens_of_the_print_are_marked_in_the_file() -> None:
    """The texts of two pages have lost those marks."""
    pages = [page(1, "A service that mea-"), page(2, "sures it.")]
    assert joined(*pages, hyphenation=Hyphenation(breaks=True, all_marked=True)) == [
        ["A service that measures"],
        ["it."],
    ]


def test_notes_and_figures_between_the_parts_are_passed_over_where_the_word_is_known() -> None:
    pages = [page(1, "It is a compre-", (N, "[^1]: Note.")), page(2, (F, "![Map]"), "hensive study.")]
    assert joined(*pages) == [["It is a comprehensive", "[^1]: Note."], ["![Map]", "study."]]
    pages = [page(1, "It is a xan-", (N, "[^1]: Note.")), page(2, "dria study.")]
    assert joined(*pages)[1] == ["dria study."]
    assert joined(*pages, hyphenation=Hyphenation(known={"xandria"}))[0][0] == "It is a xandria"


@pytest.mark.parametrize(
    ("last", "first"),
    [
        ("From short-", "and long-term views."),
        ("A compre-", "Hensive study."),
        ("A line -", "of it"),
        ("No. 12-", "of it"),
        ("A compre", "hensive study."),
        ("Two of the stu-", "window, which is open"),
        ("Climbing a sin-", "in the tree"),
    ],
)
def test_other_ends_of_pages_stay(last: str, first: str) -> None:
    assert joined(page(1, last), page(2, first)) == [[last], [first]]


def test_a_title_on_the_next_page_ends_the_text_before_it() -> None:
    title = (BlockKind.HEADING, "# Title")
    assert joined(page(1, "A compre-"), page(2, title, "hensive study.")) == [
        ["A compre-"],
        ["# Title", "hensive study."],
    ]


def test_boxes_and_recognised_spans_move_with_the_text() -> None:
    first, second = page(1, "A compre-", "Note."), page(2, "hensive study.", "Two.")
    first = Page(1, first.text, first.blocks, ocr_spans=(RecognisedSpan(0, 9, 0.9), RecognisedSpan(11, 16, 0.9)))
    second = Page(2, second.text, second.blocks, ocr_spans=(RecognisedSpan(0, 14, 0.9), RecognisedSpan(16, 20, 0.9)))
    one, two = join_words([first, second], lambda: Hyphenation(breaks=True))
    assert [one.text[span.start : span.end] for span in one.ocr_spans] == ["A comprehensive", "Note."]
    assert [two.text[span.start : span.end] for span in two.ocr_spans] == ["study.", "Two."]
    assert [block.box_starts for block in two.blocks] == [(0, 0), (0, 3)]


def test_a_quote_over_a_page_break_within_a_word_is_found_in_the_file() -> None:
    lines = [f"Line {n} of the text goes on to the right margin and it is full." for n in range(6)]
    first = column(*lines, "The last line of this page has the beginning of a compre-", y=600)
    second = column("hensive study, which goes on here to the margin.", *lines, y=72)
    found = read(first, [*second, Text("A note.", y=700)])
    assert "beginning of a comprehensive" in shown(found)[0][1]
    assert [block.page for block in blocks(found)][:2] == [1, 2]
    assert "compre-" not in found.text
    finding = verify("the beginning of a comprehensive study, which goes on", prepare(found.text), (0, len(found.text)))
    assert finding.verdict is Verdict.NORMALISED
