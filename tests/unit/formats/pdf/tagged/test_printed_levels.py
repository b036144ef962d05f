"""Headings that are tagged on one level have those that their print shows."""

from support.pdf_read import blocks
from support.pdf_tagged import read
from support.tagged_pdfs import Show, Tag, lines, tag

PROSE = ("many words of text that fill the lines of a page",) * 4


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
