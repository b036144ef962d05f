import sys
from pathlib import Path

import pytest

from pincite.errors import (
    ConnectionFailed,
    ReadingFailed,
)
from support.reader_pool import MakeReaders, is_running, process_of, read, wait_for


def test_it_leaves_when_idle_and_another_comes(make: MakeReaders) -> None:
    readers = make(idle_seconds=0.05)
    first = process_of(readers)
    wait_for(lambda: not is_running(first))
    assert process_of(readers) != first


@pytest.mark.parametrize("program", ["/nowhere/python", "false"])
def test_a_process_that_cannot_be_started_is_no_fault_of_the_file(
    make: MakeReaders, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    readers = make()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", program)
        for _ in range(3):
            with pytest.raises(ConnectionFailed, match="process that reads documents"):
                read(readers, "well")
    assert read(readers, "well").title == "Well"


def test_nothing_is_left_behind(make: MakeReaders) -> None:
    def held() -> tuple[int, str]:
        children = "".join(path.read_text() for path in Path("/proc/self/task").glob("*/children"))
        return len(list(Path("/proc/self/fd").iterdir())), children

    if not Path("/proc/self/fd").is_dir():
        pytest.skip("only Linux tells")
    before = held()
    readers = make(files=3)
    for number in range(5):
        read(readers, "well")
        with pytest.raises(ReadingFailed):
            read(readers, "crash", bytes([number]))
    readers.close()
    assert held() == before
