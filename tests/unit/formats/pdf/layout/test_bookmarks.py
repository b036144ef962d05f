from pincite.formats.pdf.document import open_document
from pincite.formats.pdf.layout.bookmarks import bookmarks, depths_by_page, outlined_title
from pincite.model.document import BlockKind
from support.pdf_layout import read
from support.pdf_read import blocks
from support.pdfs import Text, column, pdf, prose


def test_the_outline_is_read_once_even_where_it_goes_in_circles() -> None:
    whole = pdf(prose(), prose(), outline=[("Part one", 1), ("Part two", 2)])
    with open_document(whole) as file:
        assert depths_by_page(bookmarks(file.document)) == {1: {"partone": 1}, 2: {"parttwo": 1}}
    with open_document(whole.replace(b"/Title(Part two)", b"/First 11 0 R/X(1)")) as file:
        assert [entry.title for entry in bookmarks(file.document)] == ["Part one"]


def test_an_outline_names_a_title_with_and_without_its_number() -> None:
    outline = {"scope": 2, "21terms": 2}
    assert [outlined_title(text, outline) for text in ("1.1 Scope", "2.1 Terms", "Scope", "1.2 Other")] == [
        "scope",
        "21terms",
        "scope",
        None,
    ]


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


def test_some_rows_with_leaders_among_text_are_no_contents() -> None:
    items = [f"({n}) Substance {n} {'.' * 30} {7400 + n}" for n in range(6)]
    texts = [part for n, item in enumerate(items) for part in (Text(item, y=60 + n * 90), *prose(y=75 + n * 90))]
    found = read(texts, *[prose()] * 3)
    assert BlockKind.CONTENTS not in {block.kind for block in blocks(found)}
