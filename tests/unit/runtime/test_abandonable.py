"""Work that blocks is left behind by a call that ends, and what it makes later is discarded."""

import threading

import pytest

from pincite.errors import Cancelled
from pincite.model.call import Call
from pincite.runtime.abandonable import abandonable


def test_a_result_and_an_error_come_back() -> None:
    assert abandonable(lambda: 42, Call(), name="work") == 42
    with pytest.raises(ZeroDivisionError):
        abandonable(lambda: 1 / 0, Call(), name="work")


@pytest.mark.parametrize("fails", [False, True])
def test_a_call_that_is_cancelled_leaves_the_work_and_its_result_is_discarded(*, fails: bool) -> None:
    call, release, discarded = Call(), threading.Event(), list[str]()

    def work() -> str:
        call.stop.set()
        release.wait()
        if fails:
            raise ValueError
        return "late"

    with pytest.raises(Cancelled):
        abandonable(work, call, name="left-behind", discard=discarded.append)
    release.set()
    for thread in threading.enumerate():
        if thread.name == "left-behind":
            thread.join()
    assert discarded == ([] if fails else ["late"])


def test_the_time_limit_ends_the_wait() -> None:
    release = threading.Event()
    with pytest.raises(TimeoutError):
        abandonable(release.wait, Call(), name="work", seconds=0.01)
    release.set()
