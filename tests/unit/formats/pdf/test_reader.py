"""What of a PDF is read, what is kept apart, and what is said where it cannot be read."""

import random
from contextlib import suppress
from pathlib import Path

import pytest

from pincite.errors import Cancelled, InvalidInput
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.pdf.reader import read as read_pdf
from pincite.formats.pdf.reader import read_pages
from pincite.model.call import Call
from pincite.model.document import Head, Page
from support.pdf_read import ENCRYPTED, document
from support.pdfs import Filled, column, pdf, prose


def test_pages_beyond_the_limit_are_said() -> None:
    found = document(pdf(*[prose()] * 3), ReadOptions(max_pages=2))
    assert found.coverage.limits_hit == ("max_pages",)
    assert (found.coverage.pages, found.coverage.read) == (3, 2)


def test_a_page_that_is_gone_is_named() -> None:
    whole = pdf(*[column(f"This is page {number}.", y=300) for number in range(1, 4)])
    place = whole.index(b"/Type/Page/", whole.index(b"This is page 2"))
    found = document(whole[:place] + b"/Type/None/" + whole[place + 11 :])
    assert "page 1" in found.text and "page 3" in found.text


def test_damage_anywhere_ends_in_a_document_or_a_clear_error() -> None:
    whole = pdf(*[[*prose(times=3), Filled(0, 0, 10, 10, picture=True)]] * 2, info="/Title(A)", outline=[("A", 1)])
    chance = random.Random(7)  # noqa: S311 - the same damage every time
    for _ in range(150):
        damaged = bytearray(whole)
        for _ in range(chance.randint(1, 20)):
            damaged[chance.randrange(8, len(damaged))] = chance.randrange(256)
        with suppress(InvalidInput):
            assert document(bytes(damaged[: chance.randint(100, len(damaged))])).coverage


def test_reading_stops_when_the_caller_goes_away() -> None:
    call = Call()
    pages = read_pdf(Blob("a.pdf", pdf(*[prose()] * 60)), ReadOptions(), call)
    assert isinstance(next(pages), Head)
    assert next(pages)
    call.stop.set()
    with pytest.raises(Cancelled):
        list(pages)


@pytest.mark.data
def test_files_that_broke_parsers_are_read(data: Path) -> None:
    files = {file.name: file.read_bytes() for file in (data / "hostile").glob("*.pdf")}
    assert files.keys() > ENCRYPTED
    for name in files.keys() - ENCRYPTED:
        assert document(files[name]).coverage.pages, name


@pytest.mark.data
def test_right_to_left_lines_are_read_in_logical_order(data: Path) -> None:
    source = Blob("a.pdf", (data / "office" / "right_to_left_01.pdf").read_bytes())
    _, page = read_pages(source, ReadOptions(), Call(), by_tags=False)
    assert isinstance(page, Page)
    assert "تحسين الإنتاجية وحل المشكلات من خلال البرمجة بلغة R" in page.text
    assert len(page.blocks) == 5
    assert all(len(block.boxes) > 1 for block in page.blocks[1:])
