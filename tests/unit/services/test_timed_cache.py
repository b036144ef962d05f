"""A cache keeps what is valid within its bounds, and counts what it was good for."""

import threading

from pincite.services.timed_cache import CacheLimits, CacheStatistics, TimedCache

LIMITS = CacheLimits(entries=3, total_bytes=10, seconds=60.0)


class Clock:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_an_entry_is_valid_for_its_time_and_counted() -> None:
    clock = Clock()
    cache = TimedCache[str, bytes](LIMITS, len, clock=clock)
    assert cache.get("a") is None
    assert cache.put("a", b"one")
    clock.now = 59.9
    assert cache.get("a") == b"one"
    clock.now = 60.0
    assert cache.get("a") is None
    assert cache.peek("a") == b"one"
    assert cache.statistics() == CacheStatistics(hits=1, misses=2, entries=1, bytes=3)
    assert cache.statistics().hit_rate == 1 / 3


def test_a_cache_without_look_ups_has_no_hits() -> None:
    assert TimedCache[str, bytes](LIMITS, len).statistics().hit_rate == 0.0


def test_what_is_kept_again_is_valid_anew_and_the_youngest() -> None:
    clock = Clock()
    cache = TimedCache[str, bytes](LIMITS, len, clock=clock)
    for key in "abc":
        cache.put(key, b"x")
    clock.now = 30.0
    cache.put("a", b"y")
    cache.put("d", b"x")
    clock.now = 70.0
    assert [cache.get(key) for key in "abcd"] == [b"y", None, None, b"x"]
    assert cache.peek("b") is None


def test_the_bounds_hold_for_entries_and_for_bytes() -> None:
    cache = TimedCache[str, bytes](LIMITS, len)
    for key in "abcd":
        cache.put(key, b"xx")
    assert [cache.peek(key) for key in "abcd"] == [None, b"xx", b"xx", b"xx"]
    cache.put("e", b"123456789")
    assert cache.statistics().entries == 1
    assert cache.statistics().bytes == 9
    assert not cache.put("f", b"12345678901")
    assert cache.peek("f") is None
    assert cache.peek("e") == b"123456789"


def test_a_value_that_grew_out_of_the_bounds_is_not_answered_from_its_old_one() -> None:
    cache = TimedCache[str, bytes](LIMITS, len)
    cache.put("a", b"old")
    assert not cache.put("a", b"12345678901")
    assert cache.get("a") is None
    assert cache.statistics().bytes == 0


def test_a_cache_lists_what_it_has_and_is_cleared() -> None:
    cache = TimedCache[str, bytes](LIMITS, len)
    cache.put("a", b"one")
    cache.put("b", b"two")
    cache.put("a", b"new")
    assert cache.values() == [b"two", b"new"]
    assert (cache.clear(), cache.values(), cache.statistics().bytes) == (2, [], 0)
    assert cache.clear() == 0


def test_threads_leave_the_bounds_and_the_counts_whole() -> None:
    cache = TimedCache[int, bytes](CacheLimits(5, 50, 60.0), len)

    def work(start: int) -> None:
        for number in range(start, start + 200):
            cache.put(number % 17, b"x" * (number % 20))
            cache.get(number % 13)

    threads = [threading.Thread(target=work, args=(start,)) for start in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    statistics = cache.statistics()
    assert statistics.hits + statistics.misses == 1600
    assert statistics.entries <= 5
    assert statistics.bytes == sum(len(cache.peek(key) or b"") for key in range(17)) <= 50
