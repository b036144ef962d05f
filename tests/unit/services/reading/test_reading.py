"""Files are read once, through real reader processes, and pages are rendered in them."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pincite.errors import Cancelled, InvalidInput, NotFound, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.pool import ReaderPool
from pincite.formats.worker.processes import ReaderLimits
from pincite.model.call import Call
from pincite.model.document import Document
from pincite.services.reading.cache import DocumentCache
from pincite.services.reading.reading import Reading
from support.pictures import picture
from support.reader_pool import is_running
from support.tagged_pdfs import lines, tagged_pdf
from support.waiting import wait_for

PDF = tagged_pdf([lines("H1", "One", y=700), lines("P", "first words", y=650)], [lines("P", "second words", y=700)])
Make = Callable[..., Reading]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "documents"


@pytest.fixture
def make(folder: Path) -> Iterator[Make]:
    """Services over one cache; their processes end at the end."""
    pools: list[ReaderPool] = []

    def make(max_bytes: int = 10_000_000, options: ReadOptions | None = None) -> Reading:
        pools.append(ReaderPool(options or ReadOptions(), ReaderLimits()))
        return Reading(pools[-1], DocumentCache(folder, max_bytes) if max_bytes else None)

    yield make
    for pool in pools:
        pool.close()


@pytest.fixture
def no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on no reader process can be started: what is read comes from the disk."""
    monkeypatch.setattr(sys, "executable", "/nowhere/python")


def kept(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def test_a_document_that_was_read_once_is_read_no_more(
    make: Make, folder: Path, request: pytest.FixtureRequest
) -> None:
    first = make().read(Blob("a.pdf", PDF), Call())
    assert first.text.startswith("# One") and first.coverage.pages == 2
    request.getfixturevalue("no_process")
    assert make().read(Blob("a.pdf", PDF), Call()) == first
    assert len(kept(folder)) == 1


def test_it_bears_the_name_of_the_file_that_is_read_and_its_own_warning(
    make: Make, request: pytest.FixtureRequest
) -> None:
    first = make().read(Blob("folder/a.pdf", PDF), Call())
    request.getfixturevalue("no_process")
    other = make().read(Blob("b.docx", PDF), Call())
    assert (first.name, first.warnings) == ("folder/a.pdf", ())
    assert (other.name, other.text) == ("b.docx", first.text)
    assert other.warnings == ("Its name ends in .docx, but it is a PDF document: it was read as that.",)
    assert make().read(Blob("c.pdf", PDF), Call()).warnings == ()


def test_other_bytes_and_other_limits_are_read(make: Make, folder: Path) -> None:
    make().read(Blob("a.pdf", PDF), Call())
    assert "third" in make().read(Blob("a.pdf", PDF.replace(b"second", b"third ")), Call()).text
    short = make(options=ReadOptions(max_pages=1)).read(Blob("a.pdf", PDF), Call())
    assert (short.coverage.read, short.coverage.limits_hit) == (1, ("max_pages",))
    assert make().read(Blob("a.pdf", PDF), Call()).coverage.read == 2
    assert len(kept(folder)) == 3


def test_the_same_bytes_read_as_another_format_are_another_document(make: Make, folder: Path) -> None:
    data = b"name,age\nAnn,3\nBob,4\n"
    sheet, page = (make().read(Blob(name, data), Call()) for name in ("a.csv", "a.html"))
    assert sheet.media_type != page.media_type
    assert len(kept(folder)) == 2


def test_a_new_version_of_the_reader_reads_again(make: Make, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    make().read(Blob("a.pdf", PDF), Call())
    monkeypatch.setattr("pincite.registry.Format.identity", "pdf/999")
    make().read(Blob("a.pdf", PDF), Call())
    assert len(kept(folder)) == 2


def test_what_is_read_in_this_process_and_what_nothing_keeps_is_not_kept(make: Make, folder: Path) -> None:
    assert make().read(Blob("a.md", b"# A\n"), Call()).title == "A"
    make(0).read(Blob("a.pdf", PDF), Call())
    assert kept(folder) == []


def test_a_failure_is_not_kept(make: Make, folder: Path) -> None:
    for _ in range(2):
        with pytest.raises(InvalidInput, match="damaged"):
            make().read(Blob("a.pdf", b"%PDF-1.7\nnothing"), Call())
    with pytest.raises(Unsupported, match="It is a zip archive"):
        make().read(Blob("a.zip", b"PK\5\6" + bytes(18)), Call())
    assert kept(folder) == []


def test_a_file_that_is_cut_off_is_read_again_and_replaced(
    make: Make, folder: Path, request: pytest.FixtureRequest
) -> None:
    first = make().read(Blob("a.pdf", PDF), Call())
    (path,) = kept(folder)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert make().read(Blob("a.pdf", PDF), Call()) == first
    request.getfixturevalue("no_process")
    assert make().read(Blob("a.pdf", PDF), Call()) == first


def test_a_bound_smaller_than_one_document_keeps_none(make: Make, folder: Path) -> None:
    for _ in range(2):
        assert make(100).read(Blob("a.pdf", PDF), Call()).coverage.pages == 2
    assert kept(folder) == []


def test_two_processes_share_what_they_read(make: Make, folder: Path, request: pytest.FixtureRequest) -> None:
    code = (
        "import sys; sys.path[:] = {path!r}\n"
        "from pathlib import Path\n"
        "from pincite.model.call import Call\n"
        "from pincite.formats.base import Blob, ReadOptions\n"
        "from pincite.formats.worker.pool import ReaderPool\n"
        "from pincite.formats.worker.processes import ReaderLimits\n"
        "from pincite.services.reading.cache import DocumentCache\n"
        "from pincite.services.reading.reading import Reading\n"
        "pool = ReaderPool(ReadOptions(), ReaderLimits())\n"
        "print(Reading(pool, DocumentCache(Path({folder!r}), 10**7)).read(Blob('b.pdf', {pdf!r}), Call()).text)\n"
        "pool.close()\n"
    )
    program = code.format(path=sys.path, folder=str(folder), pdf=PDF)
    running = [subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    texts = {process.communicate()[0].rstrip("\n") for process in running}
    assert [process.returncode for process in running] == [0, 0]
    assert len(kept(folder)) == 1
    request.getfixturevalue("no_process")
    assert {make().read(Blob("a.pdf", PDF), Call()).text.rstrip("\n")} == texts


def test_a_call_that_is_cancelled_is_not_answered_from_the_disk(make: Make) -> None:
    make().read(Blob("a.pdf", PDF), Call())
    call = Call()
    call.stop.set()
    with pytest.raises(Cancelled):
        make().read(Blob("a.pdf", PDF), call)


def test_several_threads_read_one_file(make: Make) -> None:
    reading, documents = make(), list[Document]()
    threads = [
        threading.Thread(target=lambda: documents.append(reading.read(Blob("a.pdf", PDF), Call()))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert documents == [documents[0]] * 4


def test_a_page_is_rendered(make: Make, folder: Path) -> None:
    shown = make().render(Blob("a.pdf", PDF), 2, 100, Call())
    assert shown.startswith(b"\x89PNG") and shown[16:20] == (100).to_bytes(4, "big")
    assert make().render(Blob("a.png", picture()), 1, 50, Call()).startswith(b"\x89PNG")
    assert kept(folder) == []


def test_a_page_that_is_not_there_and_a_format_without_pages_are_told(make: Make) -> None:
    with pytest.raises(NotFound, match=r"There is no page 3\. The file has pages 1 to 2\."):
        make().render(Blob("a.pdf", PDF), 3, 100, Call())
    with pytest.raises(Unsupported, match="Pages of the format markdown cannot be shown"):
        make().render(Blob("a.md", b"# A\n"), 1, 100, Call())


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="children are told by Linux")
def children() -> set[int]:
    return {int(pid) for path in Path("/proc/self/task").glob("*/children") for pid in path.read_text().split()}


def test_nothing_is_rendered_in_this_process(make: Make) -> None:
    reading, others = make(), children()
    reading.render(Blob("a.pdf", PDF), 1, 100, Call())
    own = children() - others
    assert own
    for child in own:
        os.kill(child, signal.SIGKILL)
        assert wait_for(lambda child=child: not is_running(child))  # its parent has noticed
    assert reading.render(Blob("a.pdf", PDF), 1, 100, Call())
