"""A call knows its time and its caller."""

import time

import pytest

from pincite.errors import Cancelled, TimeoutExceeded
from pincite.model.call import Call


def test_a_call_without_deadline_goes_on() -> None:
    call = Call()
    call.check()
    assert call.remaining() == float("inf")
    assert len(call.request_id) == 12


def test_a_call_past_its_deadline_stops() -> None:
    with pytest.raises(TimeoutExceeded):
        Call(deadline=time.monotonic() - 1).check()


def test_a_cancelled_call_stops() -> None:
    call = Call()
    call.stop.set()
    assert call.cancelled()
    with pytest.raises(Cancelled):
        call.check()
