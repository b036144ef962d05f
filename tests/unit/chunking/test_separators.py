from collections.abc import Sequence

from pincite.chunking.separators import lay_out
from pincite.formats.writing.builder import build
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.document import Block, Cell, Document, Head, Page, Table
from pincite.registry import FORMATS

MEDIA_TYPES = {row.name: row.media_types[0] for row in FORMATS}
TABLE = Table(1, 2, (Cell(0, 0, "a"), Cell(0, 1, "b")))


def document(name: str, pages: Sequence[Page], count: int | None = None) -> Document:
    return build("a", "ff", MEDIA_TYPES[name], [Head(pages=count), *pages])


def page(number: int | None, *texts: str, table: Table | None = None, limit: str = "") -> Page:
    writer = PageWriter(100, number)
    for text in texts:
        if text.startswith("# "):
            writer.heading(2, text[2:])
        else:
            writer.paragraph(text)
    if table:
        writer.table(table)
    if limit:
        writer.limit(limit)
    return writer.page()


def blocks(laid: Document) -> list[tuple[str, Block]]:
    return [(laid.text[each.start : each.end], each) for section in laid.sections for each in section.blocks]


def test_every_page_begins_with_its_line_an_empty_one_too() -> None:
    laid = lay_out(document("pdf", [page(1), page(2, "one", "# Two"), page(3), page(4, "four"), page(5)], 5))
    assert laid.text == (
        "--- Page 1 ---\n\n--- Page 2 ---\n\none\n\n## Two\n\n--- Page 3 ---\n\n--- Page 4 ---\n\nfour\n\n"
        "--- Page 5 ---\n\n"
    )
    assert [(text, block.page) for text, block in blocks(laid)] == [("one", 2), ("## Two", 2), ("four", 4)]
    assert [laid.text[each.start : each.end].split()[0] for each in laid.sections] == ["---", "##"]
    assert laid.sections[-1].end == len(laid.text)


def test_pages_that_a_limit_cut_off_have_no_line() -> None:
    laid = lay_out(document("pdf", [page(1, "one"), page(None, limit="max_pages")], 9))
    assert laid.text == "--- Page 1 ---\n\none\n"


def test_slides_have_a_rule_between_them() -> None:
    laid = lay_out(document("pptx", [page(1, "# One", "one"), page(2), page(3, "# Three")], 3))
    assert laid.text == "## One\n\none\n\n---\n\n## Three\n"
    assert [text for text, _ in blocks(laid)] == ["## One", "one", "## Three"]
    assert [laid.text[each.start : each.end] for each in laid.sections] == ["## One\n\none\n", "\n---\n\n## Three\n"]


def test_sheets_begin_with_their_name_and_blocks_with_a_rule() -> None:
    grid = "| a | b |\n| --- | --- |"
    further = Table(1, 2, TABLE.cells, continued=True)
    laid = lay_out(document("sheets", [page(None, "# One", table=TABLE), page(None, "# Two", "note", table=further)]))
    text = [part for part, _ in blocks(laid)]
    assert text[0] == "=== One ===" and text[2:4] == ["=== Two ===", "note"]
    assert laid.text.startswith("=== One ===\n\n---\n\n")
    assert "\n\n=== Two ===\n\nnote\n\n|" in laid.text
    assert laid.text.count("---\n\n|") == 1
    assert grid.partition("\n")[0] in text[1].replace("|  |  |\n| --- | --- |\n", "")
    assert [section.path for section in laid.sections] == [("One",), ("Two",)]


def test_other_documents_and_those_without_text_stay_as_they_are() -> None:
    for name, pages in (("markdown", [page(None, "one")]), ("pdf", [page(1), page(2)]), ("csv", [page(None, "a")])):
        found = document(name, pages, len(pages))
        assert lay_out(found) is found
