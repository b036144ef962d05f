"""The token bucket."""

import time

import pytest

from pincite.errors import RateLimited
from pincite.transports.http.guarding import limiter
from pincite.transports.http.guarding.limiter import RateLimiter


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, as a test sets it."""
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def allowed(limits: RateLimiter, caller: str, most: int = 1000) -> int:
    for count in range(most):
        try:
            limits.charge(caller)
        except RateLimited:
            return count
    return most


def test_a_bucket_holds_a_minute_and_refills_by_the_second(clock: list[float]) -> None:
    limits = RateLimiter(60)
    assert allowed(limits, "a") == 60
    clock[0] += 2.5
    assert allowed(limits, "a") == 2
    clock[0] += 3600
    assert allowed(limits, "a") == 60


def test_each_caller_has_a_bucket(clock: list[float]) -> None:
    limits = RateLimiter(3)
    assert [allowed(limits, "a"), allowed(limits, "b"), allowed(limits, "a")] == [3, 3, 0]
    assert clock == [1000.0]


@pytest.mark.parametrize(("per_minute", "seconds"), [(60, 1), (1, 60), (7, 9)])
def test_the_error_says_when_there_is_a_token_again(clock: list[float], per_minute: int, seconds: int) -> None:
    limits = RateLimiter(per_minute)
    allowed(limits, "a")
    with pytest.raises(RateLimited, match=r"^Rate limit exceeded: .+ Ask again in \d+ seconds\.$") as failed:
        limits.charge("a")
    assert failed.value.retry_after == seconds
    clock[0] += seconds
    limits.charge("a")


def test_zero_is_no_limit() -> None:
    assert allowed(RateLimiter(0), "a") == 1000


def test_callers_that_were_silent_longest_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limiter, "MAX_CALLERS", 2)
    limits = RateLimiter(1)
    for caller in ("a", "b", "a", "c"):
        allowed(limits, caller)
    assert [allowed(limits, "a"), allowed(limits, "c"), allowed(limits, "b")] == [0, 0, 1]
