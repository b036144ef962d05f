from collections.abc import Callable, Iterator, Sequence

import pytest

from pincite.errors import ReadingFailed, TimeoutExceeded, Unsupported
from pincite.formats.base import Blob, ReadOptions, Target
from pincite.formats.worker.frames import Recognition
from pincite.formats.worker.pool import ReaderPool
from pincite.formats.worker.recogniser import MAX_FAILED_PAGES, MAX_KEPT_PAGES, RecogniserPool, RecognitionLimits
from pincite.model.call import Call
from pincite.model.recognition import RecognisedLine, RecognisedPage, RecognisedPicture
from pincite.registry import FORMATS, Format

PDF = next(row for row in FORMATS if row.name == "pdf")
LINE = RecognisedLine((), 10)

Script = Callable[[int], RecognisedPage]
Scripted = Callable[[Script], tuple[RecogniserPool, list[tuple[int, ...]]]]


@pytest.fixture
def scripted(
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Scripted]:
    """Return a function that makes a pool whose process does for each page what a script says."""
    pools: list[RecogniserPool] = []

    def make(script: Script) -> tuple[RecogniserPool, list[tuple[int, ...]]]:
        pool = RecogniserPool(ReadOptions(), RecognitionLimits("rapidocr"))
        jobs: list[tuple[int, ...]] = []

        def pages(row: Format, blob: Blob, recognition: Recognition, call: Call) -> Iterator[RecognisedPage]:
            del row, blob, call
            numbers = tuple(int(target) for target in recognition.targets)
            jobs.append(numbers)
            yield from map(script, numbers)

        monkeypatch.setattr(ReaderPool, "recognise_pages", staticmethod(pages))
        pools.append(pool)
        return pool, jobs

    yield make
    for pool in pools:
        pool.close()


def recognise(pool: RecogniserPool, blob: Blob, targets: Sequence[Target]) -> list[RecognisedPage]:
    """What a pool recognises of pages."""
    return [page for page in pool.recognise(PDF, blob, targets, Call()) if isinstance(page, RecognisedPage)]


def well(number: int) -> RecognisedPage:
    return RecognisedPage(number, lines=(LINE,))


def test_pages_come_in_order_and_progress_is_reported_from_the_start(
    scripted: Scripted,
) -> None:
    pool, _ = scripted(well)
    told: list[tuple[float, float | None, str]] = []

    def progress(done: float, total: float | None, message: str) -> None:
        told.append((done, total, message))

    found = pool.recognise(PDF, Blob("a", b"x"), [2, 5], Call(progress=progress))
    assert found == [well(2), well(5)]
    assert told == [(count, 2, "pages recognised") for count in (0, 1, 2)]


def test_a_page_that_ends_the_process_costs_no_other_page(
    scripted: Scripted,
) -> None:
    def script(number: int) -> RecognisedPage:
        if number == 2:
            raise ReadingFailed("Recognising its text took longer than 60 s (PINCITE_READER_TIMEOUT).")
        return well(number)

    pool, jobs = scripted(script)
    found = recognise(pool, Blob("a", b"x"), [1, 2, 3])
    assert [bool(page.lines) for page in found] == [True, False, True]
    assert found[1].problem == "Recognising its text took longer than 60 s (PINCITE_OCR_TIMEOUT)"
    assert jobs == [(1, 2, 3), (3,)]


def test_a_file_whose_pages_all_end_it_is_given_up(
    scripted: Scripted,
) -> None:
    def script(number: int) -> RecognisedPage:
        raise ReadingFailed(f"page {number}")

    pool, jobs = scripted(script)
    found = recognise(pool, Blob("a", b"x"), range(1, 10))
    assert len(jobs) == MAX_FAILED_PAGES
    assert [page.number for page in found] == list(range(1, 10)) and all(page.problem for page in found)


def test_an_engine_that_is_missing_is_the_problem_of_every_page(
    scripted: Scripted,
) -> None:
    def script(number: int) -> RecognisedPage:
        del number
        raise Unsupported("rapidocr needs an optional package.")

    pool, jobs = scripted(script)
    found = recognise(pool, Blob("a", b"x"), [1, 2])
    assert [page.problem for page in found] == ["rapidocr needs an optional package"] * 2 and len(jobs) == 1


def test_what_was_recognised_is_kept_up_to_a_number_of_pages(
    scripted: Scripted,
) -> None:
    pool, jobs = scripted(well)
    one, many = Blob("a", b"x"), Blob("b", b"y")
    assert recognise(pool, one, [1]) == recognise(pool, one, [1])
    assert len(jobs) == 1
    recognise(pool, many, range(1, MAX_KEPT_PAGES + 1))
    recognise(pool, one, [1])
    assert len(jobs) == 3


def test_a_call_that_runs_out_of_time_leaves_its_pages_to_the_next(scripted: Scripted) -> None:
    stopped = False

    def script(number: int) -> RecognisedPage:
        if number == 3 and not stopped:
            raise TimeoutExceeded("The call timed out.")
        return well(number)

    pool, jobs = scripted(script)
    with pytest.raises(TimeoutExceeded):
        recognise(pool, Blob("a", b"x"), [1, 2, 3, 4])
    stopped = True
    assert [page.number for page in recognise(pool, Blob("a", b"x"), [1, 2, 3, 4])] == [1, 2, 3, 4]
    assert jobs == [(1, 2, 3, 4), (3, 4)]


def test_a_page_that_never_comes_is_reported(scripted: Scripted) -> None:
    pool, _ = scripted(lambda _: RecognisedPage(1, lines=(LINE,)))
    one, two = recognise(pool, Blob("a", b"x"), [1, 2])
    assert one.lines and two.problem == "its text was not recognised"


def test_a_picture_that_ends_the_process_costs_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def pages(row: Format, blob: Blob, job: Recognition, call: Call) -> Iterator[RecognisedPage | RecognisedPicture]:
        del row, blob, call
        for target in job.targets:
            if target == "word/a.png":
                raise ReadingFailed("The file crashed its reader (SIGSEGV).")
            yield RecognisedPicture(target) if isinstance(target, str) else well(target)

    monkeypatch.setattr(ReaderPool, "recognise_pages", staticmethod(pages))
    pool = RecogniserPool(ReadOptions(), RecognitionLimits("rapidocr"))
    found = pool.recognise(PDF, Blob("a", b"x"), [1, "word/a.png", "word/b.png"], Call())
    problem = "The file crashed its reader (SIGSEGV)"
    assert found == [well(1), RecognisedPicture("word/a.png", problem=problem), RecognisedPicture("word/b.png")]
    pool.close()
