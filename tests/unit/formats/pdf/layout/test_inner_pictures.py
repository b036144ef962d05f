"""Pictures inside PDF pages that have text of their own."""

from dataclasses import replace

import numpy as np
import pytest

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.pdf.render import rasterise
from pincite.formats.worker.read import pages, read_document
from pincite.model.call import Call
from pincite.model.document import Document, Page
from pincite.model.recognition import RecognisedPicture
from support.pdf_read import FORMAT
from support.pdfs import PARAGRAPH, WIDTH, Content, Filled, Text, pdf, prose
from support.pictures import recognised

PICTURE = Filled(72, 300, 272, 400, picture=True)
NAME = "1:72.00,300.00,272.00,400.00"
WITH_ENGINE = ReadOptions(ocr="engine-1")


def unread(*content: Content, options: ReadOptions = WITH_ENGINE) -> list[str]:
    items = pages(FORMAT, Blob("a.pdf", pdf(*content)), options, Call())
    return [name for item in items if isinstance(item, Page) for name in item.unread_pictures]


def read(data: bytes, *given: RecognisedPicture, options: ReadOptions = WITH_ENGINE) -> Document:
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
    found = read(data, recognised(NAME, "Invoice 4711"))
    before, after = found.text.split("Invoice 4711\n\n")
    assert before.startswith(PARAGRAPH[0]) and after.startswith(PARAGRAPH[0])
    (span,) = found.coverage.ocr_spans
    assert found.text[span.start : span.end] == "Invoice 4711"
    assert found.text.replace("Invoice 4711\n\n", "") == read(data, recognised(NAME)).text
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
