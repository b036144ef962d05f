import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.errors import (
    Cancelled,
    InternalError,
    InvalidInput,
    PinciteError,
    ReadingFailed,
    TimeoutExceeded,
    Unsupported,
)
from pincite.model.call import Call
from support.reader_pool import SECONDS, MakePool, is_running, process_of, read, render
from support.waiting import wait_for


def test_a_process_reads_one_file_after_the_other(make: MakePool) -> None:
    pool = make()
    assert process_of(pool) == process_of(pool)


def test_it_is_replaced_after_so_many_files(make: MakePool) -> None:
    pool = make(files=2)
    processes = [process_of(pool) for _ in range(4)]
    assert processes[0] == processes[1] != processes[2] == processes[3]


@pytest.mark.parametrize("seen", [True, False])
def test_a_process_that_was_killed_while_idle_costs_no_file(make: MakePool, seen: bool) -> None:
    pool = make()
    first = process_of(pool)
    os.kill(first, signal.SIGKILL)
    if seen:
        assert wait_for(lambda: not is_running(first))
    assert process_of(pool) != first


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("hang", ReadingFailed, r"took longer than 1 s \(PINCITE_READER_TIMEOUT\)"),
        ("crash", ReadingFailed, r"crashed its reader \(SIGSEGV\)"),
        ("killed", ReadingFailed, r"crashed its reader \(SIGKILL\)"),
        ("leave", ReadingFailed, r"crashed its reader \(exit code 0\)"),
        ("eat", ReadingFailed, r"more than 600 MB of memory \(PINCITE_READER_MEMORY\)"),
        ("large", ReadingFailed, "has more than 5 MB of text"),
        ("smuggle", ReadingFailed, "it answered nonsense"),
        ("fail", InvalidInput, r"its reader failed \(KeyError\). It may be damaged"),
        ("panic", InvalidInput, r"its reader failed \(KeyboardInterrupt\)"),
        ("refuse", Unsupported, "It is of another planet."),
        ("headless", InternalError, "A reader must begin with a Head."),
    ],
)
def test_a_reader_that_fails_is_an_error_and_the_next_file_is_read(
    make: MakePool, name: str, kind: type[PinciteError], said: str
) -> None:
    seconds = 1.0 if name == "hang" else SECONDS
    pool = make(seconds=seconds, seconds_per_mb=0.0, memory_bytes=600_000_000, result_bytes=5_000_000)
    with pytest.raises(kind, match=said) as caught:
        read(pool, name, b"" if name == "hang" else b"x")
    assert type(caught.value) is kind
    assert "Traceback" not in caught.value.message
    assert read(pool, "well").title == "Well"


def test_an_error_keeps_its_details_and_its_suggestion(make: MakePool) -> None:
    pool = make()
    with pytest.raises(Unsupported) as refused:
        read(pool, "refuse")
    assert (refused.value.details, refused.value.suggestion) == ("Mars", "Fly there.")
    with pytest.raises(InvalidInput) as failed:
        read(pool, "fail")
    assert "KeyError: 'a.fail'" in failed.value.details


def test_bytes_that_killed_two_readers_meet_no_third(make: MakePool) -> None:
    pool = make()
    for _ in range(2):
        with pytest.raises(ReadingFailed, match="SIGSEGV"):
            read(pool, "crash", b"a")
    with pytest.raises(ReadingFailed, match="crashed its reader 2 times; it is not tried again until it changes"):
        read(pool, "crash", b"a")
    with pytest.raises(ReadingFailed, match="SIGSEGV"):
        read(pool, "crash", b"b")


def test_a_file_whose_reader_is_killed_is_read_again_once_and_no_page_comes_twice(
    make: MakePool, tmp_path: Path
) -> None:
    mark = tmp_path / "mark"
    mark.touch()
    assert read(make(), "killed", str(mark).encode()).text.split() == ["one", "two"]
    assert mark.read_text(encoding="utf-8") == "killed"


def test_not_every_death_is_remembered_for_ever(make: MakePool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.formats.worker.processes.MAX_REMEMBERED_CRASHES", 1)
    pool = make()
    for data in (b"a", b"b", b"a", b"b", b"b"):
        with pytest.raises(ReadingFailed, match="SIGSEGV"):
            read(pool, "crash", data)


def test_a_page_gives_more_time(make: MakePool) -> None:
    with pytest.raises(ReadingFailed, match="took longer"):
        read(make(seconds=0.6, seconds_per_page=0.0, seconds_per_mb=0.0), "slow")
    assert read(make(seconds=5.0, seconds_per_page=5.0), "slow").coverage.read == 5


def test_a_reader_may_look_at_pages_before_it_gives_one(make: MakePool) -> None:
    with pytest.raises(ReadingFailed, match="took longer"):
        read(make(seconds=0.6, seconds_per_page=0.0, seconds_per_mb=0.0), "ahead")
    assert read(make(seconds=1.0, seconds_per_page=10.0, seconds_per_mb=0.0), "ahead").coverage.read == 3


@pytest.mark.parametrize("name", ["spin", "hang"])
def test_a_reader_that_never_ends_is_ended_soon_whether_it_works_or_sleeps(make: MakePool, name: str) -> None:
    pool = make(seconds=0.5, seconds_per_mb=0.0, wall_factor=1000.0)  # by its factor alone it would go on for 500 s
    with pytest.raises(ReadingFailed, match="took longer than 0 s"):
        read(pool, name, b"")


def test_a_file_may_wait_for_the_processor_but_not_for_ever(make: MakePool) -> None:
    limits = {"seconds": 1.0, "seconds_per_mb": 0.0, "seconds_per_page": 0.0}
    assert read(make(**limits), "starved").text == "at last\n"
    with pytest.raises(ReadingFailed, match=r"took longer than 1 s \(PINCITE_READER_TIMEOUT\)"):
        read(make(**limits, wall_factor=1.5), "starved")


def ends_its_process(mark: Path, work: Callable[[bytes, Call], object]) -> None:
    """Cancel work that writes its process's number to a file and hangs: the process ends."""
    mark.unlink(missing_ok=True)
    call = Call()

    def cancel() -> None:
        assert wait_for(lambda: mark.is_file() and bool(mark.read_text(encoding="utf-8")))
        call.stop.set()

    thread = threading.Thread(target=cancel)
    thread.start()
    with pytest.raises(Cancelled):
        work(str(mark).encode(), call)
    thread.join()
    assert not is_running(int(mark.read_text(encoding="utf-8")))


def test_a_call_that_is_cancelled_ends_the_process_and_blames_no_file(make: MakePool, tmp_path: Path) -> None:
    pool = make()
    for _ in range(3):
        ends_its_process(tmp_path / "mark", lambda mark, call: read(pool, "hang", mark, call))


def test_a_call_without_time_ends_the_process_and_blames_no_file(make: MakePool) -> None:
    pool = make()
    for _ in range(3):
        with pytest.raises(TimeoutExceeded):
            read(pool, "hang", b"", Call(deadline=time.monotonic() + 0.3))


def test_two_files_are_read_side_by_side_and_a_third_waits_until_its_caller_goes(
    make: MakePool, tmp_path: Path
) -> None:
    pool, calls = make(processes=2), [Call(), Call()]
    marks = [tmp_path / "first", tmp_path / "second"]

    def hang(number: int) -> None:
        with pytest.raises(Cancelled):
            read(pool, "hang", str(marks[number]).encode(), calls[number])

    threads = [threading.Thread(target=hang, args=(number,)) for number in (0, 1)]
    for thread in threads:
        thread.start()
    assert wait_for(lambda: all(mark.is_file() for mark in marks))
    with pytest.raises(TimeoutExceeded):
        read(pool, "well", call=Call(deadline=time.monotonic() + 0.2))
    for call, thread in zip(calls, threads, strict=True):
        call.stop.set()
        thread.join()
    assert read(pool, "well").title == "Well"


def test_closing_cancels_who_still_reads(make: MakePool, tmp_path: Path) -> None:
    pool, mark = make(), tmp_path / "mark"
    ended: list[PinciteError] = []

    def hang() -> None:
        try:
            read(pool, "hang", str(mark).encode())
        except PinciteError as error:
            ended.append(error)

    thread = threading.Thread(target=hang)
    thread.start()
    assert wait_for(mark.is_file)
    pool.close()
    thread.join()
    assert [type(error) for error in ended] == [Cancelled]
    with pytest.raises(Cancelled, match="closing"):
        read(pool, "well")


def test_a_process_ends_with_its_owner_however_that_ends(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    code = (
        "import sys; sys.path[:] = {path!r}\n"
        "from pincite.formats.base import ReadOptions\n"
        "from pincite.formats.worker.pool import ReaderPool\n"
        "from pincite.formats.worker.processes import ReaderLimits\n"
        "from support.reader_pool import read\n"
        "read(ReaderPool(ReadOptions(), ReaderLimits()), 'hang', {mark!r}.encode())\n"
    )
    owner = subprocess.Popen([sys.executable, "-c", code.format(path=sys.path, mark=str(mark))])
    assert wait_for(lambda: mark.is_file() and bool(mark.read_text(encoding="utf-8")))
    reader = int(mark.read_text(encoding="utf-8"))
    assert is_running(reader)
    owner.kill()
    owner.wait()
    assert wait_for(lambda: not is_running(reader))


def test_a_script_that_reads_is_not_run_again_by_its_readers(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "print('once')\n"
        "from pincite.formats.base import ReadOptions\n"
        "from pincite.formats.worker.pool import ReaderPool\n"
        "from pincite.formats.worker.processes import ReaderLimits\n"
        "from support.reader_pool import read\n"
        "pool = ReaderPool(ReadOptions(), ReaderLimits())\n"
        "print(read(pool, 'well').title)\n"
        "pool.close()\n",
        encoding="utf-8",
    )
    path = os.pathsep.join(sys.path)
    ran = subprocess.run(
        [sys.executable, script], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=True
    )
    assert (ran.stdout, ran.stderr) == ("once\nWell\n", "")


def test_a_process_renders_and_reads_one_file_after_the_other(make: MakePool) -> None:
    pool = make()
    first = process_of(pool)
    assert int(render(pool, "well")[8:].split()[0]) == first == process_of(pool)


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("hang", ReadingFailed, r"Rendering page 1 took longer than 1 s \(PINCITE_READER_TIMEOUT\)"),
        ("crash", ReadingFailed, r"crashed its reader \(SIGSEGV\)"),
        ("leave", ReadingFailed, r"crashed its reader \(exit code 0\)"),
        ("eat", ReadingFailed, r"Rendering page 1 takes more than 600 MB of memory \(PINCITE_READER_MEMORY\)"),
        ("large", ReadingFailed, r"The picture of page 1 has more than 5 MB\. Ask for a smaller width"),
        ("nonsense", ReadingFailed, "it answered nonsense"),
        ("fail", InvalidInput, r"its reader failed \(KeyError\). It may be damaged"),
        ("panic", InvalidInput, r"its reader failed \(KeyboardInterrupt\)"),
        ("refuse", Unsupported, "It is of another planet."),
    ],
)
def test_a_renderer_that_fails_is_an_error_and_the_next_page_is_rendered(
    make: MakePool, name: str, kind: type[PinciteError], message: str
) -> None:
    seconds = 1.0 if name == "hang" else SECONDS
    pool = make(
        seconds=seconds, seconds_per_mb=0.0, seconds_per_page=0.0, memory_bytes=600_000_000, result_bytes=5_000_000
    )
    with pytest.raises(kind, match=message) as caught:
        render(pool, name, b"" if name == "hang" else b"x")
    assert type(caught.value) is kind
    assert render(make(), "well")


def test_a_page_that_killed_two_renderers_meets_no_third_and_the_others_are_rendered(make: MakePool) -> None:
    pool = make()
    for _ in range(2):
        with pytest.raises(ReadingFailed, match="SIGSEGV"):
            render(pool, "crash")
    with pytest.raises(ReadingFailed, match="crashed its reader 2 times"):
        render(pool, "crash")
    assert render(pool, "crash", page=2)
    with pytest.raises(ReadingFailed, match="SIGSEGV"):
        read(pool, "crash")


def test_a_call_that_is_cancelled_while_it_renders_ends_the_process_and_blames_no_file(
    make: MakePool, tmp_path: Path
) -> None:
    pool = make()
    for _ in range(3):
        ends_its_process(tmp_path / "mark", lambda mark, call: render(pool, "hang", mark, call=call))
    with pytest.raises(TimeoutExceeded):
        render(pool, "hang", b"", call=Call(deadline=time.monotonic() + 0.3))
