"""The event of a request that is repeated."""

import logging

import pytest

from pincite.model.call import Call
from pincite.runtime.retries import log_retry


def test_a_retry_is_logged_with_the_request_that_it_is_of(caplog: pytest.LogCaptureFixture) -> None:
    call = Call()
    log_retry("openai", 2, "It failed.", call)
    (record,) = caplog.records
    assert (record.levelno, record.getMessage()) == (logging.WARNING, "retry_attempt")
    fields = ("service", "attempt", "reason", "rid")
    assert [getattr(record, name) for name in fields] == ["openai", 2, "It failed.", call.request_id]
