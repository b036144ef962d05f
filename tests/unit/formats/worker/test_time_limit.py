import os
import subprocess
import sys
from pathlib import Path

import pytest

from pincite.formats.worker.time_limit import TimeLimit, is_runnable, processor_seconds
from support.waiting import wait_for


class Machine:
    """The clock of a machine, and the processor time of a process on it; both are set by hand."""

    def __init__(self, processor: float | None = 7.0) -> None:
        self.now = 1000.0
        self.processor = processor

    def limit(
        self, seconds: float = 10.0, wall_factor: float = 5.0, threads: int = 1, *, waits: bool = False
    ) -> TimeLimit:
        return TimeLimit(
            seconds, wall_factor, lambda: self.processor, lambda: waits, threads=threads, clock=lambda: self.now
        )

    def run(self, limit: TimeLimit, share: float) -> float:
        """Give the process that share of the processor; return the wall time until it exceeds its limit."""
        began = self.now
        while not limit.is_exceeded():
            self.now += 0.05
            if self.processor is not None:
                self.processor += share * 0.05
        return round(self.now - began, 1)


@pytest.mark.parametrize(
    ("share", "wall"),
    [
        pytest.param(1.0, 10.0, id="on a quiet machine both times are the same"),
        pytest.param(0.5, 20.0, id="half of the processor, twice the time"),
        pytest.param(0.1, 50.0, id="a loaded machine: the wall factor ends it"),
        pytest.param(0.0, 10.0, id="asleep: no progress for as long as it has"),
        pytest.param(3.0, 10.0, id="three threads: not before the wall time is over"),
    ],
)
def test_its_time_is_that_of_the_processor(share: float, wall: float) -> None:
    machine = Machine()
    assert machine.run(machine.limit(), share) == pytest.approx(wall, abs=0.1)


def test_what_sleeps_after_work_is_ended_once_it_has_slept_for_the_whole_time() -> None:
    machine = Machine()
    limit = machine.limit()
    for _ in range(100):
        assert not limit.is_exceeded()
        machine.now += 0.05
        machine.processor = (machine.processor or 0.0) + 0.04
    assert machine.run(limit, 0.0) == pytest.approx(10.0, abs=0.1)


def test_threads_share_the_processor_time() -> None:
    machine = Machine()
    assert machine.run(machine.limit(threads=4), 2.0) == pytest.approx(20.0, abs=0.1)


def test_more_to_read_is_more_time() -> None:
    machine = Machine()
    limit = machine.limit()
    limit.extend(5.0)
    assert (limit.seconds, machine.run(limit, 1.0)) == (15.0, pytest.approx(15.0, abs=0.1))


def test_where_the_processor_time_is_unknown_the_wall_time_counts() -> None:
    machine = Machine(processor=None)
    assert machine.run(machine.limit(), 1.0) == pytest.approx(10.0, abs=0.1)


def test_a_process_that_ends_is_no_more_known() -> None:
    machine = Machine()
    limit = machine.limit()
    machine.processor = None
    assert machine.run(limit, 1.0) == pytest.approx(10.0, abs=0.1)


@pytest.mark.skipif(not Path("/proc/self/stat").is_file(), reason="only Linux reports it")
def test_the_processor_time_of_a_process_and_its_ended_children() -> None:
    before = processor_seconds(os.getpid())
    assert before is not None and before == pytest.approx(sum(os.times()[:4]), abs=0.2)
    work = "import time\nwhile time.process_time() < 0.3: pass"
    subprocess.run([sys.executable, "-c", work], check=True)
    after = processor_seconds(os.getpid())
    assert after is not None and 0.25 <= after - before < 2.0


def test_of_what_has_ended_it_is_unknown() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    assert processor_seconds(process.pid) is None


def test_elsewhere_it_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert processor_seconds(os.getpid()) is None


def test_a_process_that_gets_no_processor_does_not_sleep() -> None:
    machine = Machine()
    assert machine.run(machine.limit(waits=True), 0.0) == 50.0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells")
def test_a_process_that_works_is_told_from_one_that_sleeps() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", "input(); print(flush=True)\nwhile True: pass"], stdin=-1, stdout=-1
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        assert wait_for(lambda: not is_runnable(process.pid))
        process.stdin.write(b"\n")
        process.stdin.flush()
        assert wait_for(lambda: is_runnable(process.pid))
        process.kill()
    assert not is_runnable(process.pid)
