"""Models that load in the background, so that callers choose how long to wait for them."""

import logging
import math
import threading
import time
from typing import Generic, Protocol, TypeVar

from pincite.embedding.base import Embedder
from pincite.errors import Cancelled, PinciteError
from pincite.model.call import Call, Progress, silent

_log = logging.getLogger(__name__)


class Loadable(Protocol):
    """A model."""

    def load(self, call: Call) -> None:
        """Load it; see `Embedder.load`."""
        ...


M = TypeVar("M", bound=Loadable)


class LazyModel(Generic[M]):
    """Loads a model in a daemon thread at the first `start`.

    Args:
        model: To be used only after `ready` returned True; before that it blocks until it is loaded.
        title: What it is, for messages.
        retry_after: Seconds after a failed load before `start` tries again.
        progress: Receives the progress of the load.
    """

    def __init__(self, model: M, *, title: str, retry_after: float = 60.0, progress: Progress = silent) -> None:
        self.model = model
        self._title = title
        self._retry_after = retry_after
        self._progress = progress
        self._lock = threading.Lock()
        self._finished = threading.Event()
        self._finished.set()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._loaded = False
        self._failure = ""
        self._failed_at = -math.inf

    @property
    def loading(self) -> bool:
        """True while a load is in progress."""
        return not self._finished.is_set()

    @property
    def failure(self) -> str:
        """The error of the last load; empty if it did not fail."""
        return self._failure

    def start(self) -> None:
        """Start to load and return at once. Does nothing during a load, after a successful one, soon
        after a failed one, and after `close`.
        """
        with self._lock:
            # A failed load is not retried at each call: every attempt may wait for an unreachable index.
            idle = self._finished.is_set() and not self._loaded and not self._stop.is_set()
            if not idle or time.monotonic() - self._failed_at < self._retry_after:
                return
            self._finished.clear()
            self._thread = threading.Thread(target=self._load, name="pincite-model", daemon=True)
            self._thread.start()

    def ready(self, timeout: float) -> bool:
        """Return True if the embedder is loaded, after waiting up to `timeout` seconds (`inf` for no
        limit) for a load in progress. Does not wait if there is none.
        """
        self._finished.wait(None if math.isinf(timeout) else timeout)
        return self._loaded

    def ready_now(self) -> bool:
        """Return True if the model is loaded. Waits for nothing."""
        return self._loaded

    def close(self) -> None:
        """Cancel a load in progress (a fetch is killed) and wait for it to end."""
        self._stop.set()
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join()

    def _load(self) -> None:
        try:
            self.model.load(Call(stop=self._stop, progress=self._progress))
            self._loaded, self._failure = True, ""
        except Cancelled:
            self._failure = f"Loading the {self._title} was cancelled."
        except PinciteError as error:
            _log.warning("the %s is not available: %s %s", self._title, error.message, error.details)
            self._failure = error.message
        except Exception as error:  # noqa: BLE001  # a thread has no caller: searches go on by words and say why
            _log.exception("the %s could not be loaded", self._title)
            self._failure = f"The {self._title} could not be loaded ({type(error).__name__}); the log says more."
        finally:
            self._failed_at = time.monotonic()
            self._finished.set()


class LazyEmbedder(LazyModel[Embedder]):
    """The embedder of a collection.

    Args:
        embedder: See `LazyModel`.
        retry_after: See `LazyModel`.
        progress: See `LazyModel`.
    """

    def __init__(self, embedder: Embedder, *, retry_after: float = 60.0, progress: Progress = silent) -> None:
        super().__init__(embedder, title="embedding model", retry_after=retry_after, progress=progress)
        self.embedder = embedder
