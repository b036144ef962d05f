"""A server of tasks in this process, on a real socket; its engine does what each file's text says."""

import contextlib
import threading
from collections.abc import Callable, Generator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any, Self

from pincite.errors import InvalidInput
from pincite.model.call import Call
from pincite.model.task import Task
from pincite.registry import FORMATS
from pincite.services.resources import Resources
from pincite.services.tasks.runner import TaskRunner
from pincite.services.tasks.service import TaskService
from pincite.services.tasks.sqlite import SqliteTasks
from pincite.services.tasks.uploads import FolderUploads
from pincite.services.viewer.viewer import Viewer
from pincite.settings import Settings, load
from pincite.toolkit import Toolbox
from pincite.transports.http import server
from pincite.transports.http.app import Interfaces, Surface, build_http
from pincite.transports.served import Background, ServedApp, unannounced

RESULT = '{"data": {"a": 1}, "evidence": {}, "warnings": [], "timing": {}, "engine": "scripted", "usage": {}}'


class TaskApp:
    """An application that serves tasks alone.

    Args:
        folder: Its data.
        max_bytes: Maximum size of an upload.
        working: Whether it works on tasks, too.
    """

    def __init__(self, folder: Path, max_bytes: int, variables: Mapping[str, str], *, working: bool) -> None:
        self.settings: Settings = load({"PORT": "0", "MCP_RATE_LIMIT_RPM": "0", **variables})
        self.folder = folder
        self.uploads = FolderUploads(folder / "uploads")
        self.released = threading.Event()
        queue = SqliteTasks(folder / "tasks.db", lease=60.0, max_attempts=2)
        runner = TaskRunner(queue, self.work, concurrency=2, lease=60.0, poll=0.05) if working else None
        self.tasks = TaskService(
            queue, self.uploads, runner, max_bytes=max_bytes, formats=FORMATS, engines=["rules"], check_schema=_check
        )
        self.url = ""

    @property
    def document_uploads(self) -> None:
        """None: there are no tools."""

    @property
    def toolset_names(self) -> tuple[str, ...]:
        """None."""
        return ()

    @property
    def toolbox(self) -> Toolbox:
        """Without tools."""
        return Toolbox([], seconds=30)

    def within(self, names: AbstractSet[str] | None, rate_limit: int) -> Self:
        """Asked for by nobody."""
        raise NotImplementedError

    def introduction(self) -> str:
        """Asked for by nobody."""
        raise NotImplementedError

    @property
    def resources(self) -> Resources:
        """Asked for by nobody."""
        raise NotImplementedError

    @property
    def viewer(self) -> Viewer:
        """Asked for by nobody."""
        raise NotImplementedError

    def begin(self) -> None:
        """Work on tasks."""
        self.tasks.start()

    def close(self) -> None:
        """Stop."""
        self.tasks.close()

    def work(self, task: Task, call: Call) -> str:
        """Fail where the file says so, wait where it says so, else succeed."""
        text = self.uploads.path(task).read_bytes()
        if text.startswith(b"fail"):
            raise InvalidInput("The document has no text.")
        if text.startswith(b"wait"):
            call.progress(1, 2, "Waiting")
            while not self.released.wait(0.01):
                call.check()
        return RESULT

    def stored(self) -> list[str]:
        """The names of the upload folders."""
        return sorted(path.name for path in (self.folder / "uploads").glob("*"))


def _check(schema: Mapping[str, Any]) -> None:
    if "bad" in schema:
        raise InvalidInput("Field 'bad' cannot be read")


@contextlib.contextmanager
def serving_tasks(
    folder: Path, *, max_bytes: int = 1_000_000, working: bool = True, **variables: str
) -> Generator[TaskApp]:
    """Serve tasks on a free port while the block runs."""
    app = TaskApp(folder, max_bytes, variables, working=working)
    with serving_here(app) as app.url:
        yield app


@contextlib.contextmanager
def serving_here(app: ServedApp, interfaces: Interfaces | None = None) -> Generator[str]:
    """Serve an application from this process while the block runs; the value is its URL."""
    with serving_surface(app, lambda: build_http(app, interfaces or Interfaces())) as url:
        yield url


@contextlib.contextmanager
def serving_surface(app: Background, build: Callable[[], Surface]) -> Generator[str]:
    """The same of anything that is served on a port."""
    with server.listening(app.settings.http) as listener:
        serving = server._Server(app, build(), unannounced, 0)  # pyright: ignore[reportPrivateUsage]
        thread = threading.Thread(target=serving.run, args=([listener],), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            serving.should_exit = True
            thread.join(30)
            # What began beside the server would else start a process that reads files after all of them were ended.
            for other in threading.enumerate():
                if other.name == "pincite-begin":
                    other.join(30)
            app.close()
