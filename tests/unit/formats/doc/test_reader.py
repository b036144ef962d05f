import pytest

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.doc.reader import rasterise
from pincite.model.call import Call
from pincite.model.document import AsideKind, BlockKind
from support.compound import compound, doc, doc_with_picture, old_doc
from support.doc_read import manual, read_bytes
from support.pictures import picture

MANUAL = """\
# 1. Safety

Switch it off first[^1]. See [the site](https://example.com/pump); 5 m^2 — “free”.

- a) Drain
- b) Open
  - lid

[^1]: By the key.

## 1.1 Ratings

| Type | Flow, pressure | Flow, pressure |
| --- | --- | --- |
| A 7 | 20 | 3.5 |
|  | 25 | 4.0 |

Ωmega 日本 😀 end[^i]

After it

Text in a box

[^i]: At the end.
"""


def test_a_document_of_another_program_is_read_as_it_prints() -> None:
    document = read_bytes(manual())
    assert document.text == MANUAL
    assert (document.title, document.properties["author"]) == ("Pump manual", "Ada Weber")
    assert document.coverage.complete


def test_what_is_not_in_the_text_is_reported() -> None:
    asides = [(aside.kind, aside.text, aside.reason) for aside in read_bytes(manual()).asides]
    assert asides == [
        (AsideKind.HIDDEN, "secret note", "hidden text"),
        (AsideKind.HIDDEN, "white words", "the colour of its background"),
        (AsideKind.HEADER, "Series 7", ""),
        (AsideKind.FOOTER, "Rev. B", ""),
        (AsideKind.COMMENT, "check these", ""),
    ]


def test_cells_that_span_rows_and_columns_are_kept() -> None:
    blocks = [block for section in read_bytes(manual()).sections for block in section.blocks]
    (table,) = [block.table for block in blocks if block.table]
    assert (table.rows, table.columns, table.header_rows) == (3, 3, 1)
    spans = {cell.text: (cell.row_span, cell.column_span) for cell in table.cells}
    assert (spans["A 7"], spans["Flow, pressure"], spans["20"]) == ((2, 1), (1, 2), (1, 1))


def test_a_document_without_formats_keeps_its_paragraphs() -> None:
    blocks = read_bytes(doc("First paragraph\rSecond one\r")).sections[0].blocks
    assert [block.kind for block in blocks] == [BlockKind.PARAGRAPH, BlockKind.PARAGRAPH]


def test_rows_without_formats_are_told_by_their_marks() -> None:
    document = read_bytes(doc("a\x07b\x07\x07c\x07d\x07\x07end\r"))
    assert document.text == "|  |  |\n| --- | --- |\n| a | b |\n| c | d |\n\nend\n"


def test_fields_show_their_results() -> None:
    text = 'See \x13 HYPERLINK "https://example.com/" \x14here\x15, page \x13 PAGE \x145\x15\x13 XE "key" \x15.\r'
    assert read_bytes(doc(text)).text == "See [here](https://example.com/), page 5.\n"


def test_the_end_of_a_truncated_document_is_a_gap() -> None:
    # The text of a Word 6 document is shorter than its head says.
    data = old_doc(b"Rotate the keys.\r")
    length = (17).to_bytes(4, "little")
    longer = data.replace(length, (70_000).to_bytes(4, "little"))
    assert data.count(length) == 1
    assert "characters at its end could not be read" in read_bytes(longer).coverage.gaps[0]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (compound({"WordDocument": bytes(200)}), "damaged or truncated"),
        (compound({"Other": b"x"}), "not a Word document, or it is damaged"),
        (old_doc(b"x\r", flags=0x100), "protected by a password"),
        (manual()[:700], "Save it again"),
    ],
    ids=["zeros", "another stream", "encrypted", "truncated"],
)
def test_what_cannot_be_read_is_refused_with_the_reason(data: bytes, message: str) -> None:
    with pytest.raises((InvalidInput, Unsupported), match=message):
        read_bytes(data)


def test_a_picture_in_the_text_can_be_recognised() -> None:
    data = doc_with_picture(picture(size=(200, 120), kind="PNG"))
    document = read_bytes(data)
    assert (document.text, document.coverage.unread_pictures) == ("See  here\n", 1)
    (raster,) = rasterise(Blob("a.doc", data), ["word/image1.png"], ReadOptions(), Call())
    assert (raster.width, raster.height) == (200, 120)
