import sys
from pathlib import Path

import pytest

from pincite.errors import (
    ConnectionFailed,
    ReadingFailed,
)
from pincite.formats.worker.process import START_ATTEMPTS
from support.reader_pool import MakePool, is_running, process_of, read
from support.waiting import wait_for


def test_it_leaves_when_idle_and_another_comes(make: MakePool) -> None:
    pool = make(idle_seconds=0.05)
    first = process_of(pool)
    assert wait_for(lambda: not is_running(first))
    assert process_of(pool) != first


@pytest.mark.parametrize("program", ["/nowhere/python", "false"])
def test_a_process_that_cannot_be_started_is_no_fault_of_the_file(
    make: MakePool, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    pool = make()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", program)
        for _ in range(3):
            with pytest.raises(ConnectionFailed, match="process that reads documents"):
                read(pool, "well")
    assert read(pool, "well").title == "Well"


@pytest.mark.parametrize("kills", [START_ATTEMPTS - 1, START_ATTEMPTS])
def test_one_that_is_killed_while_it_starts_is_started_again(
    make: MakePool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kills: int
) -> None:
    program, mark = tmp_path / "python", tmp_path / "killed"
    alive = f'[ "$(wc -l < {mark})" -ge {kills} ]'
    program.write_text(f'#!/bin/sh\n{alive} || {{ echo >> {mark}; kill -9 $$; }}\nexec {sys.executable} "$@"\n')
    program.chmod(0o700)
    mark.touch()
    monkeypatch.setattr(sys, "executable", str(program))
    pool = make()
    if kills == START_ATTEMPTS:
        with pytest.raises(ConnectionFailed, match=r"did not start \(SIGKILL\)\. Ask again in a moment"):
            read(pool, "well")
    assert read(pool, "well").title == "Well"
    assert len(mark.read_text()) == kills


def test_it_is_logged_since_documents_wait_meanwhile(
    make: MakePool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(ConnectionFailed):
        read(make(), "well")
    assert [record.getMessage() for record in caplog.records] == ["reader.not_started"]


def test_nothing_is_left_behind(make: MakePool) -> None:
    def held() -> tuple[int, str]:
        children = "".join(path.read_text() for path in Path("/proc/self/task").glob("*/children"))
        return len(list(Path("/proc/self/fd").iterdir())), children

    if not Path("/proc/self/fd").is_dir():
        pytest.skip("only Linux tells")
    before = held()
    pool = make(files=3)
    for number in range(5):
        read(pool, "well")
        with pytest.raises(ReadingFailed):
            read(pool, "crash", bytes([number]))
    pool.close()
    assert held() == before
