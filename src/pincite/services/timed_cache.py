"""A cache in memory whose entries are valid for a time, bounded by their number and their bytes, with statistics."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class CacheLimits:
    """Limits of a cache.

    Attributes:
        entries: Maximum number of entries.
        total_bytes: Maximum size of all entries; one that exceeds it alone is not kept.
        seconds: For how long an entry is valid.
    """

    entries: int
    total_bytes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class CacheStatistics:
    """What a cache was used for, since it was made, and what it holds."""

    hits: int
    misses: int
    entries: int
    bytes: int

    @property
    def hit_rate(self) -> float:
        """Hits of all look-ups, 0 to 1; 0 without look-ups."""
        lookups = self.hits + self.misses
        return self.hits / lookups if lookups else 0.0


@dataclass(frozen=True, slots=True)
class _Entry(Generic[V]):
    value: V
    size: int
    expires: float


class TimedCache(Generic[K, V]):
    """Keeps values under keys. Thread-safe.

    All entries are valid for the same time, so that the oldest are those that expired: eviction takes the expired
    entries first, then the oldest. An expired entry stays until its room is needed, because its validators can still
    save a download.

    Args:
        limits: The limits.
        size: Returns the bytes of a value.
        clock: Returns seconds that never go back.
    """

    def __init__(
        self,
        limits: CacheLimits,
        size: Callable[[V], int],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limits = limits
        self._size = size
        self._clock = clock
        self._lock = threading.Lock()
        self._entries: OrderedDict[K, _Entry[V]] = OrderedDict()
        self._bytes = self._hits = self._misses = 0

    def get(self, key: K) -> V | None:
        """Return the valid value under a key, counted as a hit; None if there is none, counted as a miss."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None or entry.expires <= self._clock():
                self._misses += 1
                return None
            self._hits += 1
            return entry.value

    def peek(self, key: K) -> V | None:
        """Return the value under a key, expired or not, without counting it."""
        with self._lock:
            entry = self._entries.get(key)
            return None if entry is None else entry.value

    def put(self, key: K, value: V) -> bool:
        """Keep a value under a key, valid from now on; return False if it exceeds the limits alone."""
        size = self._size(value)
        with self._lock:
            self._remove([key])
            if fits := size <= self._limits.total_bytes and self._limits.entries > 0:
                self._entries[key] = _Entry(value, size, self._clock() + self._limits.seconds)
                self._bytes += size
            while len(self._entries) > self._limits.entries or self._bytes > self._limits.total_bytes:
                self._remove([next(iter(self._entries))])
        return fits

    def values(self) -> list[V]:
        """Return all values, expired or not, the oldest first."""
        with self._lock:
            return [entry.value for entry in self._entries.values()]

    def clear(self) -> int:
        """Remove all entries and return their number; the statistics go on."""
        with self._lock:
            return self._remove(list(self._entries))

    def statistics(self) -> CacheStatistics:
        """Return hits and misses since the start, and entries and bytes now."""
        with self._lock:
            return CacheStatistics(self._hits, self._misses, len(self._entries), self._bytes)

    def _remove(self, keys: Iterable[K]) -> int:
        removed = [self._entries.pop(key) for key in keys if key in self._entries]
        self._bytes -= sum(entry.size for entry in removed)
        return len(removed)
