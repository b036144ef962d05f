from collections.abc import Sequence

from pincite.formats.pdf.page.words import Word
from pincite.formats.pdf.tagged.structure import Element
from pincite.formats.pdf.tagged.table_titles import title_rows, without_rows
from support.pdf_read import blocks, shown
from support.pdf_tagged import read
from support.tagged_pdfs import Show, row, tag


def words(size: float, count: int = 1) -> list[Word]:
    return [Word("word", 0, 0, 1, 1, size, "", False, False, 0, n, n, 0, 0, 0) for n in range(count)]  # noqa: FBT003


def titles(*rows: Sequence[float]) -> list[int]:
    """Return the levels of the titles of a table, whose cells have words of these sizes, 0 for none."""
    contents = {10 * n + m: words(size) for n, sizes in enumerate(rows) for m, size in enumerate(sizes) if size}
    trs = [
        Element("TR", tuple(Element("TD", (10 * n + m,)) for m in range(len(sizes)))) for n, sizes in enumerate(rows)
    ]
    table = Element("Table", (Element("TBody", tuple(trs)),))

    def words_of(element: Element) -> list[Word]:
        return [word for content in element.content_ids() for word in contents.get(content, ())]

    found = title_rows(table, words_of)
    assert [one for one, _ in found] == trs[: len(found)]
    assert without_rows(table, {id(one) for one, _ in found}).children == (Element("TBody", tuple(trs[len(found) :])),)
    return [level for _, level in found]


def test_first_rows_of_one_text_in_larger_type_are_titles() -> None:
    cells = [(8.0, 8.0, 8.0)] * 4
    assert titles((16, 0, 0), (0, 12, 0), *cells) == [1, 2]
    assert titles((12, 0, 0), (12, 0, 0), *cells) == [1, 1]
    # A note in the type of the cells, two texts, and one below the first row of cells.
    assert titles((9, 0, 0), *cells) == titles((12, 12, 0), *cells) == titles(*cells, (12, 0, 0)) == []
    assert titles((12,), (12,)) == titles((0, 0)) == titles() == []


def test_the_titles_of_a_tagged_table_are_headings_above_it() -> None:
    title = tag("TR", tag("TD", Show("Primary election", 72, 700, size=24)), tag("TD"))
    found = read([tag("Table", title, row("Alcona", "963", y=660), row("Caledonia", "923", y=640))])
    assert [(block.level, block.title) for block in blocks(found) if block.level] == [(1, "Primary election")]
    assert shown(found)[1][0] == "table" and "Primary" not in shown(found)[1][1]
