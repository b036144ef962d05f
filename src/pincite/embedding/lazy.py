"""An embedder that loads in the background, so that nothing waits longer for it than it wants to."""

import logging
import math
import threading
import time

from pincite.embedding.base import Embedder
from pincite.errors import Cancelled, PinciteError
from pincite.model.call import Call, Progress, silent

_log = logging.getLogger(__name__)


class LazyEmbedder:
    """Loads an embedder once, in a daemon thread, when it is first wanted.

    Args:
        embedder: Use it only after `ready` said yes (or wait for it as long as it takes).
        retry_after: Seconds after a failed load before `start` tries again.
        progress: Where the load reports to.
    """

    def __init__(self, embedder: Embedder, *, retry_after: float = 60.0, progress: Progress = silent) -> None:
        self.embedder = embedder
        self._retry_after = retry_after
        self._progress = progress
        self._lock = threading.Lock()
        self._settled = threading.Event()
        self._settled.set()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._loaded = False
        self._failure = ""
        self._failed_at = -math.inf

    @property
    def loading(self) -> bool:
        """Whether a load is under way."""
        return not self._settled.is_set()

    @property
    def failure(self) -> str:
        """Why the last load failed; empty if none did."""
        return self._failure

    def start(self) -> None:
        """Begin to load, and return at once. Nothing happens while a load is under way, once one
        succeeded, soon after one failed, and after `close`.
        """
        with self._lock:
            idle = self._settled.is_set() and not self._loaded and not self._stop.is_set()
            if not idle or time.monotonic() - self._failed_at < self._retry_after:
                return
            self._settled.clear()
            self._thread = threading.Thread(target=self._load, name="pincite-model", daemon=True)
            self._thread.start()

    def ready(self, timeout: float) -> bool:
        """Whether the embedder can be used; waits at most `timeout` seconds (`inf`: as long as it
        takes) for a load under way, and not at all where there is none or it fails.
        """
        self._settled.wait(None if math.isinf(timeout) else timeout)
        return self._loaded

    def close(self) -> None:
        """Give up a load under way (a fetch is killed) and wait for it to end."""
        self._stop.set()
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join()

    def _load(self) -> None:
        try:
            self.embedder.load(Call(stop=self._stop, progress=self._progress))
            self._loaded, self._failure = True, ""
        except Cancelled:
            self._failure = "Loading the embedding model was cancelled."
        except PinciteError as error:
            _log.warning("the embedding model is not available: %s %s", error.message, error.details)
            self._failure = error.message
        except Exception as error:  # noqa: BLE001  # a thread has no caller: searches go on by words and say why
            _log.exception("the embedding model could not be loaded")
            self._failure = f"The embedding model could not be loaded ({type(error).__name__}); the log says more."
        finally:
            self._failed_at = time.monotonic()
            self._settled.set()
