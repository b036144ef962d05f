import pytest

from pincite.errors import InternalError
from pincite.formats.writing.builder import build
from pincite.model.document import Aside, AsideKind, Block, BlockKind, Box, Head, Page, PageFailure

BOX = Box(0, 0, 10, 10)


def page(text: str, number: int | None = None, **more: object) -> Page:
    """One block a line; `#` makes headings."""
    blocks: list[Block] = []
    start = 0
    for line in text.splitlines(keepends=True):
        level = len(line) - len(line.lstrip("#"))
        kind = BlockKind.HEADING if level else BlockKind.PARAGRAPH
        end = start + len(line.rstrip())
        if end > start:
            blocks.append(Block(kind, start, end, level, line.strip("# \n") if level else "", boxes=(BOX,)))
        start += len(line)
    return Page(number, text, tuple(blocks), **more)  # type: ignore[arg-type]


def paths(*pages: Page, head: Head | None = None) -> list[tuple[int, tuple[str, ...]]]:
    return [(section.number, section.path) for section in build("x", "", "", [head or Head(), *pages]).sections]


def test_skipped_levels_hang_under_the_nearest_smaller_one() -> None:
    assert paths(page("# A\n#### B\n### C\n## D\n###### E\n# F\n")) == [
        (1, ("A",)),
        (2, ("A", "B")),
        (3, ("A", "C")),
        (4, ("A", "D")),
        (5, ("A", "D", "E")),
        (6, ("F",)),
    ]


def test_a_page_may_begin_with_a_deep_heading() -> None:
    assert paths(page("### A\n## B\n# C\n")) == [(1, ("A",)), (2, ("B",)), (3, ("C",))]


def test_text_before_the_first_heading_is_section_0() -> None:
    assert paths(page("hello\n\n# A\n")) == [(0, ()), (1, ("A",))]


def test_blank_text_before_the_first_heading_joins_it() -> None:
    document = build("x", "", "", [Head(), page("\n \n# A\ntext\n")])
    assert [(section.number, section.start, section.end) for section in document.sections] == [(1, 0, 12)]


def test_an_empty_heading_keeps_its_place_in_the_path() -> None:
    assert paths(page("# A\n##\n### C\n")) == [(1, ("A",)), (2, ("A", "")), (3, ("A", "", "C"))]


@pytest.mark.parametrize("text", ["", "\n\n \t\n", "\u00a0\u2003"])
def test_a_blank_document_is_empty(text: str) -> None:
    document = build("x", "", "", [Head(), Page(None, text, ())])
    assert (document.text, document.sections) == ("", ())


@pytest.mark.parametrize(
    ("head", "text", "title"),
    [
        (Head(title="Named"), "# A\n", "Named"),
        (Head(), "## S\n# A\n# B\n", "A"),
        (Head(), "#\n# B\n", "B"),
        (Head(), "## S\n", None),
    ],
)
def test_the_title_is_the_documents_own_or_its_first_h1(head: Head, text: str, title: str | None) -> None:
    assert build("x", "", "", [head, page(text)]).title == title


def test_pages_are_joined_and_their_spans_moved() -> None:
    document = build("x", "", "", [Head(), page("# A\nend", 1), page("", 2), page("more\n", 3), page("# B\n", 4)])
    assert document.text == "# A\nend\nmore\n# B\n"
    found = [(document.text[block.start : block.end], block.page) for s in document.sections for block in s.blocks]
    assert found == [("# A", 1), ("end", 1), ("more", 3), ("# B", 4)]
    assert document.sections[0].blocks[0].boxes == (BOX,)


def test_coverage_counts_pages_failures_and_hidden_text() -> None:
    failure = PageFailure(2, "no text layer")
    head = Head(pages=3)
    hidden = page(
        "a\n", 1, asides=(Aside(AsideKind.HIDDEN, "x"), Aside(AsideKind.HEADER, "y"), Aside(AsideKind.HIDDEN, "z"))
    )
    document = build("x", "", "", [head, hidden, page("", 2, failures=(failure,))])
    coverage = document.coverage
    assert (coverage.pages, coverage.read, coverage.failed, coverage.hidden_spans) == (3, 1, (failure,), 2)
    assert not coverage.complete


def test_a_format_without_pages_has_none_in_its_coverage() -> None:
    coverage = build("x", "", "", [Head(), page("a\n")]).coverage
    assert (coverage.pages, coverage.read, coverage.complete) == (None, None, True)


@pytest.mark.parametrize("stream", [[], [page("a")], [Head()], [Head(), Head()]])
def test_a_reader_that_breaks_its_protocol_is_found_out(stream: list[Head | Page]) -> None:
    with pytest.raises(InternalError, match="A reader must"):
        build("x", "", "", stream)


def test_what_is_kept_apart_knows_its_page_and_warnings_stand_once() -> None:
    pages = [
        page("a\n", number, asides=(Aside(AsideKind.FOOTER, "f"),), warnings=("odd",), limits_hit=("max_blocks",))
        for number in (1, 2)
    ]
    document = build("x", "", "", [Head(), *pages])
    assert [(aside.kind, aside.page) for aside in document.asides] == [(AsideKind.FOOTER, 1), (AsideKind.FOOTER, 2)]
    assert document.warnings == ("odd",)
    assert document.coverage.limits_hit == ("max_blocks",)


def test_a_heading_of_a_page_whose_letters_are_in_doubt_is_no_title() -> None:
    pages = [page("# \u03c8\ufffd\u07d9\n", 1, needs_ocr=True), page("# Features\n", 2)]
    assert build("x", "", "", [Head(), *pages]).title == "Features"
    assert build("x", "", "", [Head(), pages[0]]).title is None
    assert build("x", "", "", [Head("The title"), pages[0]]).title == "The title"
