import os
import signal
import subprocess
import sys
import threading

import pytest

from pincite.runtime.signals import STOPPING, exit_reason, on_stop


def test_a_stop_is_handled_in_the_block_alone() -> None:
    before, seen = [signal.getsignal(number) for number in STOPPING], list[int]()
    with on_stop(lambda number, _: seen.append(number)):
        for number in STOPPING:
            signal.raise_signal(number)
    assert seen == [*STOPPING]
    assert [signal.getsignal(number) for number in STOPPING] == before


def test_a_thread_that_receives_no_signal_handles_none() -> None:
    seen: list[int] = []

    def work() -> None:
        with on_stop(lambda number, _: seen.append(number)):
            seen.append(0)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [0]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no alarms")
@pytest.mark.parametrize(("again", "ended"), [("", -signal.SIGALRM), ("alarm(0)", 0)])
def test_an_alarm_ends_a_process_whose_library_never_returns_unless_it_is_set_again(again: str, ended: int) -> None:
    code = (
        "import signal, time\nfrom pincite.runtime.signals import alarm, leave_interrupts_to_the_parent\n"
        f"leave_interrupts_to_the_parent()\nsignal.raise_signal(signal.SIGINT)\nalarm(0.5)\n{again}\ntime.sleep(1)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], env={**os.environ}, check=False).returncode == ended


@pytest.mark.parametrize(("code", "reason"), [(-11, "SIGSEGV"), (-99, "signal 99"), (3, "exit code 3")])
def test_an_exit_names_its_signal(code: int, reason: str) -> None:
    assert exit_reason(code) == reason
