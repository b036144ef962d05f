"""A PDF is read page by page: progress is told, and whoever goes away ends it."""

from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path

import pytest

from pincite.app import build_reader_pool
from pincite.errors import Cancelled
from pincite.formats.base import Blob
from pincite.formats.detect.sniff import sniff
from pincite.formats.worker.pool import ReaderPool
from pincite.model.call import Call
from pincite.settings import load
from support.serving import MakeApp
from support.tagged_pdfs import lines, tagged_pdf

PAGES = 12
DATA = tagged_pdf(*([lines("H1", f"Chapter {n}", y=700), lines("P", f"number {n}", y=650)] for n in range(PAGES)))


@pytest.fixture
def pool() -> Generator[ReaderPool]:
    with closing(build_reader_pool(load())) as found:
        yield found


@pytest.fixture
def read(pool: ReaderPool) -> Callable[[Call], object]:
    return lambda call: pool.read(sniff("a.pdf", DATA), Blob("a.pdf", DATA), call)


def test_progress_is_told_page_by_page(read: Callable[[Call], object]) -> None:
    told: list[tuple[float, float | None]] = []
    read(Call(progress=lambda done, total, _: told.append((done, total))))
    assert told == [(n, PAGES) for n in range(1, PAGES + 1)]


def test_whoever_goes_away_ends_the_reading(read: Callable[[Call], object]) -> None:
    told: list[float] = []

    def progress(done: float, _total: float | None, _message: str) -> None:
        told.append(done)
        if done == 3:
            call.stop.set()

    call = Call(progress=progress)
    with pytest.raises(Cancelled):
        read(call)
    assert told == [1, 2, 3]
    assert read(Call()) is not None


@pytest.mark.usefixtures("no_background")
def test_pages_are_shares_of_the_documents_that_a_call_brings_in(folder: Path, make_app: MakeApp) -> None:
    (folder / "a.md").write_text("# Page\n")
    (folder / "b.pdf").write_bytes(DATA)
    told: list[tuple[float, float | None, str]] = []
    call = Call(progress=lambda done, total, message: told.append((done, total, message)))
    make_app(PINCITE_FRESH_BUDGET="inf").toolbox.call("search_docs", {"query": "number"}, call)
    pages = [entry for entry in told if "page" in entry[2]]
    assert pages[2] == (1 + 3 / PAGES, 2, f"b.pdf: page 3 of {PAGES}")
    assert [entry[0] for entry in told] == sorted(entry[0] for entry in told)
    assert told[-1][:2] == (2, 2)
