"""Metrics in the form of Prometheus. Imported only if PINCITE_METRICS is set: its client is an extra."""

import time
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily

from pincite.version import __version__

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
"""Upper bounds of the histogram: a search takes milliseconds, a first reading of a folder minutes."""


class PrometheusMetrics:
    """The metrics of one server, in a registry of their own.

    Args:
        tasks: Returns the number of extraction tasks by status; empty if none are served.
    """

    media_type = CONTENT_TYPE_LATEST

    def __init__(self, tasks: Callable[[], Mapping[str, int]]) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        Gauge("pincite_info", "The version that runs.", ["version"], registry=self._registry).labels(__version__).set(1)
        self._seconds = Histogram(
            "pincite_tool_seconds", "Time of tool calls.", ["tool"], buckets=SECONDS, registry=self._registry
        )
        self._calls = Counter(
            "pincite_tool_calls", "Tool calls by how they ended.", ["tool", "code"], registry=self._registry
        )
        self._open = Gauge("pincite_open_tool_calls", "Tool calls that run or wait.", registry=self._registry)
        self._registry.register(_Tasks(tasks))

    @contextmanager
    def watch(self, tool: str, request_id: str) -> Generator[Callable[[str], None]]:
        """See `Observer.watch`."""
        del request_id
        code, start = "OK", time.monotonic()

        def failed(problem: str) -> None:
            nonlocal code
            code = problem

        try:
            with self._open.track_inprogress():
                yield failed
        finally:
            self._seconds.labels(tool).observe(time.monotonic() - start)
            self._calls.labels(tool, code).inc()

    def text(self) -> bytes:
        """Return all metrics."""
        return generate_latest(self._registry)


class _Tasks:
    """The number of tasks, counted when it is asked for."""

    def __init__(self, count: Callable[[], Mapping[str, int]]) -> None:
        self._count = count

    def collect(self) -> Iterable[GaugeMetricFamily]:
        """Return the gauge."""
        gauge = GaugeMetricFamily("pincite_tasks", "Extraction tasks by status.", labels=["status"])
        for status, number in self._count().items():
            gauge.add_metric([status], number)
        return [gauge]
