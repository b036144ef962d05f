"""Loading in the background."""

import math
import threading
from collections.abc import Callable

import pytest

from pincite.embedding.hashing import HashEmbedder
from pincite.embedding.lazy import LazyEmbedder
from pincite.errors import ConnectionFailed
from pincite.model.call import Call


class Gated(HashEmbedder):
    """Loads when the test says so, with what the test gives it; counts."""

    def __init__(self, load: Callable[[Call], None] = lambda _: None) -> None:
        super().__init__()
        self.loads = 0
        self.gate = threading.Event()
        self._then = load

    def load(self, call: Call) -> None:
        self.loads += 1
        assert self.gate.wait(10)
        self._then(call)


def _refuse(_: Call) -> None:
    raise ConnectionFailed("No network.", details="index")


def _crash(_: Call) -> None:
    raise RuntimeError("secret detail")


def test_nothing_is_loaded_before_start() -> None:
    lazy = LazyEmbedder(gated := Gated())
    assert not lazy.ready(math.inf) and not lazy.loading and lazy.failure == ""
    assert lazy.embedder is gated and gated.loads == 0


def test_it_loads_once_however_often_it_is_started() -> None:
    lazy = LazyEmbedder(gated := Gated())
    for _ in range(3):
        lazy.start()
    assert lazy.loading and not lazy.ready(0) and not lazy.ready(0.01)
    gated.gate.set()
    assert lazy.ready(math.inf) and not lazy.loading and lazy.failure == ""
    lazy.start()
    assert lazy.ready(0) and gated.loads == 1


def test_a_failure_is_told_and_tried_again_after_a_pause() -> None:
    lazy = LazyEmbedder(gated := Gated(_refuse), retry_after=3600)
    gated.gate.set()
    lazy.start()
    assert not lazy.ready(math.inf) and lazy.failure == "No network." and not lazy.loading
    lazy.start()
    assert gated.loads == 1
    eager = LazyEmbedder(gated, retry_after=0)
    for loads in (2, 3):
        eager.start()
        assert not eager.ready(math.inf) and gated.loads == loads


def test_a_success_after_a_failure_clears_it() -> None:
    down = [True]
    lazy = LazyEmbedder(gated := Gated(lambda call: _refuse(call) if down.pop() else None), retry_after=0)
    gated.gate.set()
    lazy.start()
    assert not lazy.ready(math.inf) and lazy.failure
    down.append(False)
    lazy.start()
    assert lazy.ready(math.inf) and lazy.failure == ""


def test_a_crash_is_logged_and_told_without_its_details(caplog: pytest.LogCaptureFixture) -> None:
    lazy = LazyEmbedder(gated := Gated(_crash))
    gated.gate.set()
    lazy.start()
    assert not lazy.ready(math.inf)
    assert "RuntimeError" in lazy.failure and "secret" not in lazy.failure and "secret detail" in caplog.text


def test_closing_gives_up_a_load_and_ends_its_thread() -> None:
    def wait_for_stop(call: Call) -> None:
        assert call.stop.wait(10)
        call.check()

    lazy = LazyEmbedder(gated := Gated(wait_for_stop))
    gated.gate.set()
    lazy.start()
    lazy.close()
    assert not lazy.loading and not lazy.ready(math.inf) and "cancelled" in lazy.failure
    lazy.start()
    assert gated.loads == 1
    LazyEmbedder(Gated()).close()


def test_progress_reaches_who_asked() -> None:
    seen: list[str] = []
    embedder = Gated(lambda call: call.progress(1, 2, "half"))
    lazy = LazyEmbedder(embedder, progress=lambda _done, _total, message: seen.append(message))
    embedder.gate.set()
    lazy.start()
    assert lazy.ready(math.inf) and seen == ["half"]
