"""Probes of the parts of a server."""

from pincite.errors import ConnectionFailed
from pincite.services.library.probes import probe


def test_a_part_that_answers_is_up() -> None:
    found = probe(lambda: None)
    assert (found.is_up, found.message) == (True, "ok") and found.latency_ms >= 0


def test_a_part_that_fails_is_down_and_says_why() -> None:
    def fail() -> None:
        raise ConnectionFailed("The store cannot be reached.")

    found = probe(fail)
    assert (found.is_up, found.message) == (False, "The store cannot be reached.")


def test_a_bug_counts_as_down() -> None:
    found = probe(lambda: 1 // 0)
    assert (found.is_up, found.message) == (False, "It failed (ZeroDivisionError); the log says more.")
