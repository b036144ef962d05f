"""Pictures inside Word documents and presentations, with text that was recognised before they are read."""

from dataclasses import replace

import pytest

from pincite.errors import InvalidInput
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.ooxml.pictures import rasterise
from pincite.formats.worker.read import pages, read_document
from pincite.model.call import Call
from pincite.model.document import Document, Page
from pincite.model.recognition import RecognisedPicture
from support.decks import PPTX
from support.docx_read import DOCX
from support.office import changed
from support.pictures import in_document, in_slides, picture, recognised

ONE, OTHER, ICON = picture(size=(200, 100)), picture(size=(201, 100)), picture(size=(60, 40))
FIRST, SECOND = "word/media/image1.png", "word/media/image2.png"
WITH_ENGINE = ReadOptions(ocr="engine-1")


def read(data: bytes, *given: RecognisedPicture, options: ReadOptions = WITH_ENGINE) -> Document:
    format_row = PPTX if b"ppt/" in data else DOCX
    return read_document(format_row, Blob("a", data), replace(options, recognised_pictures=given), Call())


def unread(data: bytes, options: ReadOptions = WITH_ENGINE) -> list[str]:
    items = pages(PPTX if b"ppt/" in data else DOCX, Blob("a", data), options, Call())
    return [name for item in items if isinstance(item, Page) for name in item.unread_pictures]


def recognised_texts(found: Document) -> list[str]:
    return [found.text[span.start : span.end] for span in found.coverage.ocr_spans]


def test_the_text_of_a_picture_is_written_where_it_is_and_marked() -> None:
    found = read(in_document(ONE), recognised(FIRST, "Invoice 4711", "1,204.50"))
    assert found.text == "# Keys\n\nBefore.\n\nInvoice 4711\n\n1,204.50\n\nAfter.\n"
    assert recognised_texts(found) == ["Invoice 4711\n\n1,204.50"]
    assert (found.coverage.ocr, found.coverage.unread_pictures, found.coverage.complete) == (1, 0, True)
    assert found.warnings == (found.coverage.recognised(),)


def test_a_picture_in_a_cell_is_read_after_its_table() -> None:
    found = read(in_document(in_cell=ONE), recognised(FIRST, "Invoice 4711"))
    table = found.text.index("In the cell")
    assert table < found.text.index("Invoice 4711") < found.text.index("After.")


def test_pictures_of_slides_are_in_their_place_with_their_box() -> None:
    found = read(in_slides(ONE, OTHER), recognised("ppt/media/image2.png", "Sales 2024"))
    assert found.text.index("Title 2") < found.text.index("Sales 2024")
    (block,) = [b for s in found.sections for b in s.blocks if found.text[b.start : b.end] == "Sales 2024"]
    assert block.page == 2 and block.boxes[0].x0 == 72
    assert found.coverage.recognised([1]) is not None and found.coverage.recognised([1], [(0, 5)]) is None


def test_a_picture_on_several_slides_is_read_once() -> None:
    found = read(in_slides(ONE, ONE), recognised("ppt/media/image1.png", "Logo text"))
    assert found.text.count("Logo text") == 1


def test_pictures_to_recognise_are_named_and_icons_are_not() -> None:
    assert unread(in_document(ONE, ICON, OTHER)) == [FIRST, "word/media/image3.png"]
    assert unread(in_document(ICON), replace(WITH_ENGINE, min_picture_pixels=2000)) == [FIRST]
    assert unread(in_document(ONE), replace(WITH_ENGINE, ocr_pictures=0)) == []
    assert unread(in_slides(ONE, ICON)) == ["ppt/media/image1.png"]


@pytest.mark.parametrize("data", [b"", b"\xd7\xcd\xc6\x9a metafile", picture(size=(300, 300))[:200]])
def test_a_picture_that_cannot_be_opened_is_no_gap(data: bytes) -> None:
    broken = changed(in_document(ONE), {FIRST: data})
    assert read(broken).coverage.complete
    with pytest.raises(Exception, match=r"(?i)image|picture|damaged"):
        list(rasterise(Blob("a", broken), [FIRST], ReadOptions(), Call()))


def test_without_an_engine_one_sentence_says_so_and_nothing_is_missing() -> None:
    found = read(in_document(ONE, OTHER), options=ReadOptions())
    (warning,) = found.warnings
    assert warning.startswith("Text in its pictures") and "pip install 'pincite[ocr]'" in warning
    assert found.coverage.complete and found.coverage.unread_pictures == 2


def test_more_pictures_than_the_limit_are_a_gap() -> None:
    found = read(in_document(ONE, OTHER), recognised(FIRST, "Invoice 4711"))
    assert found.coverage.limits_hit == ("ocr_pictures",) and found.coverage.unread_pictures == 1


def test_a_picture_that_failed_is_a_gap_and_one_without_text_is_none() -> None:
    failed = read(in_document(ONE), recognised(FIRST, problem="it took longer than 60 s"))
    assert failed.coverage.gaps == ("the text in a picture was not read: it took longer than 60 s",)
    photograph = read(in_document(ONE), recognised(FIRST))
    assert photograph.coverage.complete and photograph.coverage.ocr == 0 and not photograph.warnings


def test_a_picture_is_rasterised_by_the_name_of_its_part() -> None:
    (raster,) = rasterise(Blob("a", in_document(ONE)), [FIRST], ReadOptions(), Call())
    assert (raster.number, raster.width, raster.height, raster.picture.size) == (1, 200, 100, (200, 100))
    with pytest.raises(InvalidInput):
        list(rasterise(Blob("a", in_document(ONE)), [FIRST], ReadOptions(max_pixels=100), Call()))
