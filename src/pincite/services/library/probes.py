"""Probes of the parts of a server: whether each answers, and how fast."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from pincite.errors import PinciteError

log = logging.getLogger("pincite.health")


@dataclass(frozen=True, slots=True)
class Probe:
    """The result of a probe.

    Attributes:
        is_up: Whether the part answered.
        latency_ms: Milliseconds that it took.
        message: `ok`, or why it is down.
    """

    is_up: bool
    latency_ms: int
    message: str = "ok"


def probe(work: Callable[[], object]) -> Probe:
    """Run a part once and return whether it answered; a bug counts as down, and is logged."""
    start = time.perf_counter()
    try:
        work()
    except PinciteError as error:
        return Probe(is_up=False, latency_ms=_since(start), message=error.message)
    except Exception as error:  # a health check reports what fails, whatever it is
        log.exception("health.failed")
        message = f"It failed ({type(error).__name__}); the log says more."
        return Probe(is_up=False, latency_ms=_since(start), message=message)
    return Probe(is_up=True, latency_ms=_since(start))


def _since(start: float) -> int:
    return round((time.perf_counter() - start) * 1000)
