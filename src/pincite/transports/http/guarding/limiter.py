"""What one caller may have: requests a minute, by a token bucket, and what it holds open."""

import math
import time
from collections import Counter, OrderedDict
from collections.abc import Generator
from contextlib import contextmanager

from pincite.errors import RateLimited

MAX_CALLERS = 10_000
"""Callers that are remembered. One that is forgotten starts again with a full bucket."""

SECONDS_PER_MINUTE = 60


class RateLimiter:
    """Limit requests by caller.

    Args:
        per_minute: Tokens of a full bucket, which refills within a minute; 0 for no limit.
        variable: The setting that it is.
    """

    def __init__(self, per_minute: int, variable: str = "MCP_RATE_LIMIT_RPM") -> None:
        self._capacity = per_minute
        self._variable = variable
        self._per_second = per_minute / SECONDS_PER_MINUTE
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def charge(self, caller: str) -> None:
        """Take a token from the caller's bucket.

        Raises:
            RateLimited: It is empty; the error says in how many seconds it is not.
        """
        if not self._capacity:
            return
        now = time.monotonic()
        tokens, since = self._buckets.pop(caller, (float(self._capacity), now))
        tokens = min(self._capacity, tokens + (now - since) * self._per_second)
        enough = tokens >= 1
        self._buckets[caller] = (tokens - 1 if enough else tokens, now)
        if len(self._buckets) > MAX_CALLERS:
            self._buckets.popitem(last=False)
        if not enough:
            seconds = math.ceil((1 - tokens) / self._per_second)
            message = f"Rate limit exceeded: {self._capacity} a minute ({self._variable}; 0 for no limit)."
            raise RateLimited(f"{message} Ask again in {seconds} seconds.", retry_after=seconds)


class Shares:
    """Count what each caller holds open.

    Args:
        limit: Maximum for one caller.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held: Counter[str] = Counter()

    def take(self, caller: str) -> bool:
        """Count one more, or return False if the caller has its share."""
        if self._held[caller] >= self._limit:
            return False
        self._held[caller] += 1
        return True

    @contextmanager
    def held(self, caller: str) -> Generator[None]:
        """Count one more while the block runs.

        Raises:
            RateLimited: The caller has its share.
        """
        if not self.take(caller):
            raise RateLimited("This address has too many requests open (PINCITE_CALLER_CONNECTIONS)", retry_after=1)
        try:
            yield
        finally:
            self.free(caller)

    def free(self, caller: str) -> None:
        """Count one less."""
        self._held[caller] -= 1
        if not self._held[caller]:
            del self._held[caller]
