import threading

import pytest

from pincite.errors import TimeoutExceeded
from pincite.services.tasks.loops import Loop


class Panic(BaseException):
    """As native code raises it: no `Exception`."""


@pytest.mark.parametrize(
    "failure",
    [TimeoutExceeded("busy"), UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogate"), Panic(), SystemExit()],
)
def test_a_step_that_raises_anything_is_repeated(failure: BaseException, caplog: pytest.LogCaptureFixture) -> None:
    closing, again, raised = threading.Event(), threading.Event(), [failure]

    def step() -> None:
        if raised:
            raise raised.pop()
        again.set()
        closing.wait(20)

    thread = Loop("test", "test.failed", step, closing, 0.0).start()
    assert again.wait(20)
    closing.set()
    thread.join(20)
    assert not thread.is_alive() and [record.message for record in caplog.records] == ["test.failed"]
