"""Pages whose text was recognised before they are read, in PDF files and as pictures."""

import pytest
from PIL import Image

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import pages, read_document
from pincite.model.call import Call
from pincite.model.document import BlockKind, Box, Document, Page
from pincite.model.recognition import RecognisedLine, RecognisedPage, RecognisedWord
from support.pdf_read import FORMAT, blocks
from support.pdfs import PARAGRAPH, Filled, Text, pdf, prose
from support.picture_read import IMAGE
from support.pictures import picture

SCAN = [Filled(0, 0, 612, 792, picture=True)]
ROWS = (("Item", "2023", "2022"), ("Revenue", "1,204", "1,100"), ("Costs", "804", "790"), ("Profit", "400", "310"))


def recognised(number: int = 1, *lines: str, turns: int = 0, problem: str = "", size: float = 11) -> RecognisedPage:
    made = [line_of(line, 72, 72 + 14 * index, size) for index, line in enumerate(lines)]
    width, height = (792, 612) if turns % 2 else (612, 792)
    return RecognisedPage(number, width, height, turns, lines=tuple(made), problem=problem)


def line_of(text: str, left: float, top: float, height: float = 11) -> RecognisedLine:
    words: list[RecognisedWord] = []
    for word in text.split():
        words.append(RecognisedWord(word, Box(left, top, left + 5 * len(word), top + height), 0.99))
        left += 5 * len(word) + 4
    return RecognisedLine(tuple(words), height)


def read(data: bytes, *pages: RecognisedPage, limit: int = 100) -> Document:
    options = ReadOptions(ocr="engine-1", ocr_pages=limit, recognised=pages)
    return read_document(FORMAT, Blob("a.pdf", data), options, Call())


def test_a_scan_has_its_recognised_text_and_other_pages_their_own() -> None:
    found = read(pdf(prose(), SCAN), recognised(2, "words of the scan", "in two lines"))
    assert PARAGRAPH[0] in found.text and "words of the scan in two lines" in found.text
    assert (found.coverage.ocr, found.coverage.ocr_pages, found.coverage.needs_ocr) == (1, (2,), 0)
    assert found.coverage.complete and found.coverage.read == 2
    assert found.warnings == (
        "The text of page 2 was recognised in a picture (OCR) and may have errors: check numbers against the page.",
    )


def test_without_recognition_a_scan_is_a_gap() -> None:
    found = read(pdf(prose(), SCAN))
    assert (found.coverage.needs_ocr, [failure.page for failure in found.coverage.failed]) == (1, [2])
    options = ReadOptions()
    reason = read_document(FORMAT, Blob("a.pdf", pdf(prose(), SCAN)), options, Call()).coverage.failed[0].reason
    assert reason.endswith("pip install 'pincite[ocr]'")


def test_a_scan_that_could_not_be_recognised_says_why() -> None:
    found = read(pdf(prose(), SCAN), recognised(2, problem="it took longer than 60 s"))
    assert [failure.reason for failure in found.coverage.failed] == ["it took longer than 60 s"]
    assert found.coverage.ocr == 0


def test_pages_beyond_the_limit_are_counted_as_cut() -> None:
    found = read(pdf(SCAN, SCAN), recognised(1, "the first page"), limit=1)
    assert found.coverage.limits_hit == ("ocr_pages",)
    assert (found.coverage.ocr_pages, found.coverage.needs_ocr) == ((1,), 1)


def test_a_blank_scan_is_no_gap() -> None:
    assert read(pdf(prose(), SCAN), recognised(2)).coverage.complete


def test_a_good_text_layer_is_never_overruled() -> None:
    found = read(pdf(prose()), recognised(1, "something else entirely", "that nobody printed"))
    assert "something else" not in found.text and PARAGRAPH[0] in found.text
    assert found.coverage.ocr == 0


def test_the_text_of_a_scan_on_its_side_has_boxes_on_the_page_as_displayed() -> None:
    found = read(pdf(SCAN), recognised(1, "a line of the turned page", turns=1))
    (box,) = blocks(found)[0].boxes
    assert found.text == "a line of the turned page\n"
    # The line runs upwards along the left edge: the page is displayed a quarter turn to the left.
    assert box.x0 == pytest.approx(72, abs=1) and box.y1 == pytest.approx(792 - 72, abs=1)
    assert box.y1 - box.y0 > 5 * (box.x1 - box.x0)


def test_aligned_values_of_a_scan_are_a_table() -> None:
    lines = [
        line_of(text, left, 100 + 16 * row)
        for row, cells in enumerate(ROWS)
        for text, left in zip(cells, (72, 300, 400), strict=True)
    ]
    found = read(pdf(SCAN), RecognisedPage(1, 612, 792, lines=tuple(lines)))
    (table,) = [block.table for block in blocks(found) if block.kind is BlockKind.TABLE]
    assert table is not None and [cell.text for cell in table.cells if cell.row == 1] == ["Revenue", "1,204", "1,100"]


def test_letters_without_a_meaning_give_way_to_what_is_printed() -> None:
    garbage = [Text("(cid:12)(cid:13)(cid:14)(cid:15) wkh wrwdo", y=300)]
    found = read(pdf(garbage), recognised(1, "the total of all items"))
    assert found.text == "the total of all items\n" and found.coverage.ocr_pages == (1,)


def test_a_layer_in_doubt_that_the_print_confirms_is_kept_without_doubt() -> None:
    doubtful = [Text("the total of all items (cid:12)(cid:13)(cid:14)(cid:15)", y=300)]
    found = read(pdf(doubtful), recognised(1, "the total of all items"))
    assert "(cid:12)" in found.text and found.coverage.complete and found.coverage.ocr == 0


def test_a_layer_of_hardly_any_text_is_no_gap_where_recognition_finds_no_more() -> None:
    layer = [*SCAN, Text("Stamp", y=300, mode=3)]
    assert "which was not read" in read(pdf(layer)).coverage.gaps[0]
    found = read(pdf(layer), recognised(1, "Stomp"))
    assert (found.text, found.coverage.complete, found.coverage.ocr_pages) == ("Stamp\n", True, (1,))


def test_a_layer_of_hardly_any_text_gives_way_to_more() -> None:
    layer = [*SCAN, Text("Stamp", y=300, mode=3)]
    found = read(pdf(layer), recognised(1, "the words of the scan", "in two lines"))
    assert (found.text, found.coverage.complete) == ("the words of the scan in two lines\n", True)


def test_a_picture_has_its_recognised_text_with_boxes() -> None:
    options = ReadOptions(ocr="engine-1", recognised=(recognised(1, "Invoice 4711", "due at once"),))
    found = read_document(IMAGE, Blob("a.png", picture({"Title": "Scan"}, size=(612, 792))), options, Call())
    assert "Scan" in found.text and "Invoice 4711 due at once" in found.text
    assert (found.coverage.ocr_pages, found.coverage.complete) == ((1,), True)
    assert [block.page for block in blocks(found)] == [1, 1] and blocks(found)[1].boxes


def test_a_picture_without_text_says_that_none_was_recognised() -> None:
    options = ReadOptions(ocr="engine-1", recognised=(recognised(1),))
    found = read_document(IMAGE, Blob("a.png", picture({"Title": "A photograph"}, size=(612, 792))), options, Call())
    assert [failure.reason for failure in found.coverage.failed] == ["no text was recognised in the picture"]


def test_each_picture_of_a_tiff_is_a_page() -> None:
    data = picture(kind="TIFF", size=(612, 792), save_all=True, append_images=[Image.new("RGB", (612, 792))] * 2)
    unread = pages(IMAGE, Blob("a.tif", data), ReadOptions(ocr="engine-1"), Call())
    assert [page.number for page in unread if isinstance(page, Page) and page.needs_ocr] == [1, 2, 3]
    options = ReadOptions(ocr="engine-1", ocr_pages=2, recognised=(recognised(1, "one"), recognised(2, "two")))
    found = read_document(IMAGE, Blob("a.tif", data), options, Call())
    assert found.text == "one\ntwo\n"
    assert (found.coverage.pages, found.coverage.ocr_pages) == (3, (1, 2))
    assert found.coverage.limits_hit == ("ocr_pages",) and found.coverage.needs_ocr == 1
