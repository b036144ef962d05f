import os
import sys

import pytest

from pincite.errors import (
    InvalidInput,
    NotFound,
    ReadingFailed,
    Unsupported,
)
from pincite.formats.base import MAX_RENDER_WIDTH, Blob, ReadOptions, ZipLimits
from pincite.formats.detect.sniff import Sniffed, sniff
from pincite.model.call import Call
from pincite.registry import FORMATS
from support import office
from support.pictures import picture
from support.reader_pool import MakePool, read, render


def test_a_document_comes_out_of_another_process_as_it_would_here(make: MakePool) -> None:
    document = read(make(), "well", b"keys")
    assert (document.name, document.title, document.text) == ("a.well", "Well", "keys 1\nkeys 2\nkeys 3\n")
    assert document.properties["process"] != str(os.getpid())
    assert [block.page for section in document.sections for block in section.blocks] == [1, 2, 3]
    assert document.coverage.complete


def test_what_is_trusted_is_read_here(make: MakePool, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "/nowhere/python")
        assert make().read(Sniffed(FORMATS[0]), Blob("a.md", b"# A\n"), Call()).title == "A"


def test_pages_are_counted_to_the_caller(make: MakePool) -> None:
    told: list[tuple[float, float | None, str]] = []

    def progress(done: float, total: float | None, message: str) -> None:
        told.append((done, total, message))

    read(make(), "well", call=Call(progress=progress))
    assert told == [(1, 3, "pages read"), (2, 3, "pages read"), (3, 3, "pages read")]


def test_a_lying_name_is_a_warning_of_the_document(make: MakePool) -> None:
    document = make().read(Sniffed(FORMATS[1], "Its name lies."), Blob("a.pdf", b"text"), Call())
    assert document.warnings == ("Its name lies.",)


def test_what_nobody_reads_is_refused_with_the_reason(make: MakePool) -> None:
    with pytest.raises(Unsupported, match="It is a zip archive"):
        make().read(Sniffed(None, problem="It is a zip archive."), Blob("a.zip", b""), Call())
    with pytest.raises(InvalidInput, match="It is empty"):
        make().read(Sniffed(None, problem="It is empty.", damaged=True), Blob("a.docx", b""), Call())


def test_a_zipped_format_passes_the_guard_first(make: MakePool) -> None:
    pool = make(ReadOptions(zip=ZipLimits(entries=2)))
    with pytest.raises(ReadingFailed, match="more than 2"):
        read(pool, "well", office.docx())


def test_a_page_is_rendered_in_another_process(make: MakePool) -> None:
    process, page, width = render(make(), "well", page=7)[8:].decode().split()
    assert (process != str(os.getpid()), page, width) == (True, "7", "100")


def test_a_real_page_is_rendered(make: MakePool) -> None:
    data = picture(size=(60, 40))
    shown = make().render(sniff("a.png", data), Blob("a.png", data), 1, 90, Call())
    assert shown.startswith(b"\x89PNG") and shown[16:24] == (90).to_bytes(4, "big") + (60).to_bytes(4, "big")


def test_a_page_that_is_not_there_is_told_with_the_number_of_pages(make: MakePool) -> None:
    data = picture()
    with pytest.raises(NotFound, match=r"There is no page 2\. The file has one page\."):
        make().render(sniff("a.png", data), Blob("a.png", data), 2, 90, Call())


@pytest.mark.parametrize("name", ["a.md", "a.txt", "a.csv", "a.html"])
def test_formats_without_pages_cannot_be_shown_and_start_no_process(
    make: MakePool, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "/nowhere/python")
        with pytest.raises(Unsupported, match="cannot be shown, only those of: pdf, image"):
            make().render(sniff(name, b"a,b\n1,2\n"), Blob(name, b"a,b\n1,2\n"), 1, 100, Call())


@pytest.mark.parametrize("width", [-1, 0, MAX_RENDER_WIDTH + 1])
def test_a_width_out_of_its_range_is_refused(make: MakePool, width: int) -> None:
    data = picture()
    with pytest.raises(InvalidInput, match=f"The width must be 1 to {MAX_RENDER_WIDTH} pixels, not {width}"):
        make().render(sniff("a.png", data), Blob("a.png", data), 1, width, Call())


def test_pages_are_measured_in_another_process(make: MakePool) -> None:
    data = picture(size=(60, 40))
    assert make().measure(sniff("a.png", data), Blob("a.png", data), Call()).sizes == ((60, 40),)


def test_a_file_without_pages_is_not_measured(make: MakePool) -> None:
    with pytest.raises(Unsupported, match="cannot be shown"):
        make().measure(sniff("a.md", b"a"), Blob("a.md", b"a"), Call())
