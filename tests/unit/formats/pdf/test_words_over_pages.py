import pytest

from pincite.evidence.quotes import Verdict, verify
from pincite.evidence.search import prepare
from pincite.formats.pdf.page.hyphens import Hyphenation
from pincite.formats.pdf.words_over_pages import join_words
from pincite.model.document import Block, BlockKind, Box, Page, RecognisedSpan
from support.pdf_read import blocks, read, shown
from support.pdfs import Text, column

P, F, N = BlockKind.PARAGRAPH, BlockKind.FIGURE, BlockKind.FOOTNOTE
BOX = Box(0, 0, 10, 10)


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
