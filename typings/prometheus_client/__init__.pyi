from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, Self

from prometheus_client.core import GaugeMetricFamily

CONTENT_TYPE_LATEST: str

class Collector(Protocol):
    def collect(self) -> Iterable[GaugeMetricFamily]: ...

class CollectorRegistry:
    def register(self, collector: Collector) -> None: ...

class _Metric:
    def __init__(
        self,
        name: str,
        documentation: str,
        labelnames: Sequence[str] = ...,
        *,
        buckets: Sequence[float] = ...,
        registry: CollectorRegistry,
    ) -> None: ...
    def labels(self, *values: str) -> Self: ...

class Counter(_Metric):
    def inc(self) -> None: ...

class Gauge(_Metric):
    def set(self, value: float) -> None: ...
    def track_inprogress(self) -> AbstractContextManager[None]: ...

class Histogram(_Metric):
    def observe(self, amount: float) -> None: ...

class ProcessCollector:
    def __init__(self, *, registry: CollectorRegistry) -> None: ...

def generate_latest(registry: CollectorRegistry) -> bytes: ...
