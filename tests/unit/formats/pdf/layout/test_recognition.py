"""Pages whose text was recognised before they are read, in PDF files and as pictures."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.pdf.render import rasterise
from pincite.formats.worker.read import pages, read_document
from pincite.model.call import Call
from pincite.model.document import BlockKind, Box, Document, Page
from pincite.model.recognition import RecognisedLine, RecognisedPage, RecognisedPicture, RecognisedWord
from support.pdf_read import FORMAT, blocks
from support.pdfs import PARAGRAPH, WIDTH, Content, Filled, Text, pdf, prose
from support.picture_read import IMAGE
from support.pictures import picture, recognised

SCAN = [Filled(0, 0, 612, 792, picture=True)]
ROWS = (("Item", "2023", "2022"), ("Revenue", "1,204", "1,100"), ("Costs", "804", "790"), ("Profit", "400", "310"))
PICTURE = Filled(72, 300, 272, 400, picture=True)
NAME = "1:72.00,300.00,272.00,400.00"
WITH_ENGINE = ReadOptions(ocr="engine-1")


def recognised_recognition(
    number: int = 1, *lines: str, turns: int = 0, problem: str = "", size: float = 11
) -> RecognisedPage:
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
    found = read(pdf(prose(), SCAN), recognised_recognition(2, "words of the scan", "in two lines"))
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
    found = read(pdf(prose(), SCAN), recognised_recognition(2, problem="it took longer than 60 s"))
    assert [failure.reason for failure in found.coverage.failed] == ["it took longer than 60 s"]
    assert found.coverage.ocr == 0


def test_pages_beyond_the_limit_are_counted_as_cut() -> None:
    found = read(pdf(SCAN, SCAN), recognised_recognition(1, "the first page"), limit=1)
    assert found.coverage.limits_hit == ("ocr_pages",)
    assert (found.coverage.ocr_pages, found.coverage.needs_ocr) == ((1,), 1)


def test_a_blank_scan_is_no_gap() -> None:
    assert read(pdf(prose(), SCAN), recognised_recognition(2)).coverage.complete


def test_a_good_text_layer_is_never_overruled() -> None:
    found = read(pdf(prose()), recognised_recognition(1, "something else entirely", "that nobody printed"))
    assert "something else" not in found.text and PARAGRAPH[0] in found.text
    assert found.coverage.ocr == 0


def test_the_text_of_a_scan_on_its_side_has_boxes_on_the_page_as_displayed() -> None:
    found = read(pdf(SCAN), recognised_recognition(1, "a line of the turned page", turns=1))
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
    found = read(pdf(garbage), recognised_recognition(1, "the total of all items"))
    assert found.text == "the total of all items\n" and found.coverage.ocr_pages == (1,)


def test_a_layer_in_doubt_that_the_print_confirms_is_kept_without_doubt() -> None:
    doubtful = [Text("the total of all items (cid:12)(cid:13)(cid:14)(cid:15)", y=300)]
    found = read(pdf(doubtful), recognised_recognition(1, "the total of all items"))
    assert "(cid:12)" in found.text and found.coverage.complete and found.coverage.ocr == 0


def test_a_layer_of_hardly_any_text_is_no_gap_where_recognition_finds_no_more() -> None:
    layer = [*SCAN, Text("Stamp", y=300, mode=3)]
    assert "which was not read" in read(pdf(layer)).coverage.gaps[0]
    found = read(pdf(layer), recognised_recognition(1, "Stomp"))
    assert (found.text, found.coverage.complete, found.coverage.ocr_pages) == ("Stamp\n", True, (1,))


def test_a_layer_of_hardly_any_text_gives_way_to_more() -> None:
    layer = [*SCAN, Text("Stamp", y=300, mode=3)]
    found = read(pdf(layer), recognised_recognition(1, "the words of the scan", "in two lines"))
    assert (found.text, found.coverage.complete) == ("the words of the scan in two lines\n", True)


def test_a_picture_has_its_recognised_text_with_boxes() -> None:
    options = ReadOptions(ocr="engine-1", recognised=(recognised_recognition(1, "Invoice 4711", "due at once"),))
    found = read_document(IMAGE, Blob("a.png", picture({"Title": "Scan"}, size=(612, 792))), options, Call())
    assert "Scan" in found.text and "Invoice 4711 due at once" in found.text
    assert (found.coverage.ocr_pages, found.coverage.complete) == ((1,), True)
    assert [block.page for block in blocks(found)] == [1, 1] and blocks(found)[1].boxes


def test_a_picture_without_text_says_that_none_was_recognised() -> None:
    options = ReadOptions(ocr="engine-1", recognised=(recognised_recognition(1),))
    found = read_document(IMAGE, Blob("a.png", picture({"Title": "A photograph"}, size=(612, 792))), options, Call())
    assert [failure.reason for failure in found.coverage.failed] == ["no text was recognised in the picture"]


def test_each_picture_of_a_tiff_is_a_page() -> None:
    data = picture(kind="TIFF", size=(612, 792), save_all=True, append_images=[Image.new("RGB", (612, 792))] * 2)
    unread = pages(IMAGE, Blob("a.tif", data), ReadOptions(ocr="engine-1"), Call())
    assert [page.number for page in unread if isinstance(page, Page) and page.needs_ocr] == [1, 2, 3]
    options = ReadOptions(
        ocr="engine-1", ocr_pages=2, recognised=(recognised_recognition(1, "one"), recognised_recognition(2, "two"))
    )
    found = read_document(IMAGE, Blob("a.tif", data), options, Call())
    assert found.text == "one\ntwo\n"
    assert (found.coverage.pages, found.coverage.ocr_pages) == (3, (1, 2))
    assert found.coverage.limits_hit == ("ocr_pages",) and found.coverage.needs_ocr == 1


def unread(*content: Content, options: ReadOptions = WITH_ENGINE) -> list[str]:
    items = pages(FORMAT, Blob("a.pdf", pdf(*content)), options, Call())
    return [name for item in items if isinstance(item, Page) for name in item.unread_pictures]


def read_inner_pictures(data: bytes, *given: RecognisedPicture, options: ReadOptions = WITH_ENGINE) -> Document:
    return read_document(FORMAT, Blob("a.pdf", data), replace(options, recognised_pictures=given), Call())


def test_a_picture_in_a_page_of_text_is_named() -> None:
    assert unread([*prose(), PICTURE]) == [NAME]
    assert unread([*prose(), PICTURE], options=replace(WITH_ENGINE, ocr_pictures=0)) == []
    assert unread([*prose(), Filled(72, 300, 90, 318, picture=True)]) == []


def test_a_logo_on_every_page_is_read_on_the_first() -> None:
    assert unread([*prose(), PICTURE], [*prose(), PICTURE]) == [NAME]


def test_a_background_with_text_over_it_is_no_picture_of_text() -> None:
    assert unread([Filled(0, 0, WIDTH, 500, picture=True), *prose()]) == []
    assert unread([PICTURE, *prose(y=500), Text("label", 100, 350)]) == [NAME]


def test_its_text_is_inserted_where_it_is_and_the_layer_stays_as_it_is() -> None:
    data = pdf([*prose(y=100), PICTURE, *prose(y=500)], prose())
    found = read_inner_pictures(data, recognised(NAME, "Invoice 4711"))
    before, after = found.text.split("Invoice 4711\n\n")
    assert before.startswith(PARAGRAPH[0]) and after.startswith(PARAGRAPH[0])
    (span,) = found.coverage.ocr_spans
    assert found.text[span.start : span.end] == "Invoice 4711"
    assert found.text.replace("Invoice 4711\n\n", "") == read_inner_pictures(data, recognised(NAME)).text
    assert (found.coverage.ocr, found.coverage.ocr_pages, found.coverage.complete) == (1, (), True)


def test_words_over_a_picture_are_not_recognised_again() -> None:
    data = pdf(
        [*prose(), Filled(72, 300, 272, 400, "0 0 0", picture=True), Text("LABEL", 100, 350, 30, colour="1 0 0")]
    )
    (raster,) = rasterise(Blob("a.pdf", data), [NAME], WITH_ENGINE, Call())
    assert raster.picture.size == (round(200 * 200 / 72), round(100 * 200 / 72))
    assert (raster.number, raster.width, raster.height) == (1, 200, 100)
    red, green, _ = np.moveaxis(np.asarray(raster.picture), 2, 0)
    assert not ((red > 200) & (green < 100)).any()


@pytest.mark.parametrize("target", [1, NAME])
def test_a_page_and_a_part_of_it_are_rendered_alike(target: int | str) -> None:
    (raster,) = rasterise(Blob("a.pdf", pdf([*prose(), PICTURE])), [target], WITH_ENGINE, Call())
    scale = 200 / 72
    left, top = (72, 300) if target == 1 else (0, 0)
    middle = raster.picture.getpixel((round((left + 100) * scale), round((top + 50) * scale)))
    assert middle == (64, 64, 64)
