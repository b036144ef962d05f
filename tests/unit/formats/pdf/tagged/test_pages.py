"""A tagged page is read as its tags say."""

import pytest

from pincite.model.document import AsideKind
from support.pdf_read import blocks, shown
from support.pdf_tagged import read
from support.tagged_pdfs import Show, Tag, lines, tag

PROSE = ("many words of text that fill the lines of a page",) * 4


def test_blocks_come_in_the_order_of_the_tree_not_of_the_page() -> None:
    found = read([lines("P", "second paragraph", y=300), lines("P", "first in print", y=700)])
    assert shown(found) == [("paragraph", "second paragraph"), ("paragraph", "first in print")]


def test_text_that_is_tagged_as_nothing_is_a_running_head() -> None:
    body = lines("P", *("many words of text that fill a page",) * 20, y=700)
    found = read([
        Show("Chapter", 72, 760, mark="Artifact"),
        body,
        Show("Watermark", 300, 300, mark="Artifact"),
        Show("page 7", 300, 30),
    ])  # fmt: skip
    assert [(aside.kind, aside.text) for aside in found.asides] == [
        (AsideKind.HEADER, "Chapter"),
        (AsideKind.FOOTER, "Watermark"),
        (AsideKind.FOOTER, "page 7"),
    ]


def test_text_that_was_left_untagged_by_mistake_is_kept_in_its_place() -> None:
    upper, lower = (lines("P", *("many words of text that fill a page",) * 12, y=y) for y in (700, 400))
    found = read([upper, lower, Show("left alone", 72, 450)])
    assert [text[:10] for _, text in shown(found)] == ["many words", "left alone", "many words"]


@pytest.mark.parametrize("mark", ["", "Artifact"])
def test_tags_that_leave_out_much_are_not_followed(mark: str) -> None:
    texts = [Show(f"line {n} of what no tag reaches at all", 72, 600 - 14 * n, mark=mark) for n in range(20)]
    found = read([lines("H1", "Tagged", y=700), *texts])
    assert "of what no tag reaches" in found.text and not found.asides


@pytest.mark.parametrize("are_tagged", [False, True])
def test_numbers_of_lines_of_code_are_no_text(are_tagged: bool) -> None:
    body = lines("P", *("many words of text that fill a page",) * 12, y=760)
    numbers = [Show(str(n + 1), 72, 500 - 14 * n, font="F") for n in range(3)]
    code = [Show(f"name = {n}", 90, 500 - 14 * n, font="C") for n in range(3)]
    rows = [
        tag("NonStruct", *((number, line) if are_tagged else (line,)))
        for number, line in zip(numbers, code, strict=True)
    ]
    found = read([body, tag("NonStruct", *rows), *([] if are_tagged else numbers)])
    assert shown(found)[1:] == [("code", "```\nname = 0\nname = 1\nname = 2\n```")]
    assert [(aside.kind, aside.text) for aside in found.asides] == [(AsideKind.SURROUNDINGS, "1 2 3")]


def test_hidden_words_are_in_no_block() -> None:
    found = read([tag("P", Show("seen words", 72, 700), Show("hidden words", 72, 680, hidden=True))])
    assert shown(found) == [("paragraph", "seen words")]
    assert "hidden" in " ".join(aside.text for aside in found.asides)


def test_a_page_of_a_well_tagged_file_may_leave_out_a_chart_s_labels() -> None:
    body = lines("P", *("many words of text that fill a page",) * 40, y=740)
    chart = [Show(f"label {n}", 400, 700 - 20 * n) for n in range(20)]
    found = read([body], [lines("H1", "Heading", y=760), *chart[:12], body])
    assert [block.level for block in blocks(found) if block.level] == [1]
    assert "label 1" in found.text


def levels(kinds: tuple[str, ...], *sizes: int) -> list[int]:
    """The levels of headings in some sizes."""
    page: list[Tag | Show] = []
    for number, (kind, size) in enumerate(zip(kinds, sizes, strict=True)):
        y = 740 - 120 * number
        page += [tag(kind, Show(f"Title {number}", 72, y, size=size)), lines("P", *PROSE, y=y - 30)]
    return [block.level for block in blocks(read(page)) if block.level]


def test_headings_of_one_level_are_ranked_by_their_size() -> None:
    assert levels(("H2",) * 5, 24, 18, 15, 15, 18) == [1, 2, 3, 3, 2]


def test_headings_of_several_levels_have_their_own() -> None:
    assert levels(("H1", "H2", "H2", "H2", "H2"), 24, 18, 15, 15, 18) == [1, 2, 2, 2, 2]


def test_a_single_heading_in_smaller_type_is_below_the_others() -> None:
    assert levels(("H2",) * 4, 18, 18, 18, 15) == [1, 1, 1, 2]


def test_a_heading_that_is_printed_as_text_is_has_the_lowest_level() -> None:
    assert levels(("H2",) * 4, 18, 18, 18, 12) == [1, 1, 1, 2]
    assert levels(("H2",) * 5, 18, 15, 15, 12, 18) == [1, 2, 2, 3, 1]


def test_a_heading_in_type_that_no_untagged_one_would_have_is_ranked_by_it() -> None:
    assert levels(("H2",) * 5, 18, 15, 13, 15, 13) == [1, 2, 3, 2, 3]
