import os
import sys
from collections.abc import Generator, Sequence
from contextlib import closing

import pytest
from PIL import Image

from pincite.errors import (
    InvalidInput,
    NotFound,
    ReadingFailed,
    Unsupported,
)
from pincite.formats.base import MAX_RENDER_WIDTH, Blob, ReadOptions, Target, ZipLimits
from pincite.formats.detect.sniff import Sniffed, sniff
from pincite.formats.worker.frames import Job, Result
from pincite.formats.worker.pool import ReaderPool
from pincite.formats.worker.processes import ProcessPool, ReaderLimits
from pincite.model.call import Call
from pincite.model.document import Block, BlockKind, Page
from pincite.model.recognition import RecognisedPicture
from pincite.registry import FORMATS, Format
from support import office
from support.pdfs import pdf_with_picture
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


class Recogniser:
    """Finds the same text in every picture; none if it is empty."""

    def __init__(self, text: str) -> None:
        block = Block(BlockKind.PARAGRAPH, 0, len(text))
        self._page = Page(1, f"{text}\n", (block,)) if text else None

    def recognise(self, row: Format, blob: Blob, targets: Sequence[Target], call: Call) -> Sequence[RecognisedPicture]:
        del row, blob
        call.progress(1, len(targets), "pages recognised")
        return [RecognisedPicture(str(target), self._page, 0.9) for target in targets]

    def close(self) -> None:
        pass


@pytest.mark.parametrize(("text", "readings"), [("", 1), ("Seen in it.", 2)], ids=["no text", "text"])
def test_a_file_with_pictures_has_one_progress_and_is_read_again_for_text_alone(
    text: str, readings: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[float, float | None, str]] = []
    jobs: list[Job] = []
    run = ProcessPool.run

    def progress(done: float, total: float | None, message: str) -> None:
        told.append((done, total, message))

    def counted(self: ProcessPool, job: Job, seconds: float, call: Call) -> Generator[Result]:
        jobs.append(job)
        return run(self, job, seconds, call)

    monkeypatch.setattr(ProcessPool, "run", counted)
    data = pdf_with_picture(Image.effect_noise((200, 50), 50))
    with closing(ReaderPool(ReadOptions(ocr="engine-1"), ReaderLimits(), Recogniser(text))) as pool:
        found = pool.read(sniff("a.pdf", data), Blob("a.pdf", data), Call(progress=progress))
    assert told == [(1, 1, "pages read"), (2, 2, "pages recognised")]
    assert len(jobs) == readings
    assert (text in found.text) and found.coverage.complete and not found.coverage.unread_pictures


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
