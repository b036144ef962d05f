"""Callers that go away in the middle of a call."""

import threading


class StopAfter(threading.Event):
    """Is set once it has been checked `left` times.

    Attributes:
        left: Checks that still find it unset.
    """

    def __init__(self, left: int = 0) -> None:
        super().__init__()
        self.left = left

    def is_set(self) -> bool:
        self.left -= 1
        return self.left < 0
