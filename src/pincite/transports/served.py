"""What a transport needs of an application, and how a server of it begins and ends."""

import contextlib
import logging
import os
import sys
import threading
from collections.abc import Callable, Collection
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, NoReturn, Protocol, Self

from pincite.errors import PinciteError
from pincite.services.resources import Resources
from pincite.settings import Settings
from pincite.toolkit import Toolbox

if TYPE_CHECKING:
    from pincite.services.documents.uploads import DocumentUploads
    from pincite.services.tasks.service import TaskService
    from pincite.services.viewer.viewer import Viewer

log = logging.getLogger("pincite.server")

CLOSE_SECONDS = 1.0
"""Timeout for stopping the background work. The index survives a kill, so nothing is lost after it."""


class Background(Protocol):
    """An application as far as its begin and its end go."""

    @property
    def settings(self) -> Settings:
        """Every setting."""
        ...

    def begin(self) -> None:
        """Start the background work."""
        ...

    def close(self) -> None:
        """Stop all background work."""
        ...


class ServedApp(Background, Protocol):
    """The interface of the application that a server uses."""

    @property
    def toolset_names(self) -> Collection[str]:
        """The names of the served toolsets."""
        ...

    @property
    def toolbox(self) -> Toolbox:
        """The tools; created at the first use."""
        ...

    def within(self, names: AbstractSet[str] | None, rate_limit: int) -> Self:
        """Return this application as a key sees it, which has some of the collections alone and a rate limit."""
        ...

    def introduction(self) -> str:
        """Return what is served, in a sentence for models."""
        ...

    @property
    def resources(self) -> Resources:
        """The documents as resources."""
        ...

    @property
    def tasks(self) -> "TaskService | None":
        """The tasks; None if none are served."""
        ...

    @property
    def document_uploads(self) -> "DocumentUploads | None":
        """The uploads of documents; None if no tool reads them."""
        ...

    @property
    def viewer(self) -> "Viewer":
        """What the web page shows; created at the first use."""
        ...


Ready = Callable[[str], None]
"""Called with the URL of a server that has begun to serve; empty over standard input and output."""


def unannounced(url: str) -> None:
    """Say nothing of a server that has begun."""
    del url


def begin(app: Background) -> None:
    """Start indexing in the background. A failure is logged: the next call meets the same error and reports it."""
    try:
        app.begin()
    except PinciteError as error:
        log.warning("indexing.not_begun", extra={"problem": error.message})
    except Exception:  # last resort of a thread
        log.exception("indexing.not_begun")


def close(app: Background) -> None:
    """Stop the background work, for `CLOSE_SECONDS` at most."""
    closing = threading.Thread(target=app.close, name="pincite-close", daemon=True)
    closing.start()
    closing.join(CLOSE_SECONDS)


def end(code: int) -> None:
    """End the process: at once where a thread that is loading a model would keep it alive. Return for code 0."""
    if threading.active_count() > 1:
        exit_now(code)
    if code:
        sys.exit(code)


def exit_now(code: int = 0) -> NoReturn:
    """Exit at once: an interpreter that shuts down aborts if a thread is still in native code."""
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(code)
