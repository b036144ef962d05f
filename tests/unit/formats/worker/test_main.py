import signal

import pytest

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker import frames
from pincite.formats.worker.frames import Job
from pincite.formats.worker.process import ReaderProcess
from support.reader_pool import SECONDS, MakePool, read
from support.readers_that_fail import ROWS
from support.waiting import wait_for


def test_what_a_reader_prints_goes_nowhere(make: MakePool, capfd: pytest.CaptureFixture[str]) -> None:
    assert read(make(), "chatter").text == "said nothing\n"
    assert capfd.readouterr() == ("", "")


def test_a_process_whose_owner_fell_silent_ends_itself() -> None:
    process = ReaderProcess(SECONDS, 10**9, 10**6)
    process.send(frames.pack(Job(ROWS["hang"], Blob("a", b""), ReadOptions(), 0.2)))
    assert wait_for(lambda: process.exit_code is not None)
    assert process.exit_code == -signal.SIGALRM
    process.close()
