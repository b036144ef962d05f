"""The desk of an agent: its four tools, its one document, and the order in which it may use them."""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any, Protocol

from pincite.errors import Cancelled, InternalError, PinciteError
from pincite.model.call import Call
from pincite.toolkit import Answer, Tool

BUILD, SEARCH, READ, VALIDATE = "doc_index_build", "doc_search", "doc_read", "json_validate_and_normalize"
TOOLS = (BUILD, SEARCH, READ, VALIDATE)
"""The only tools of an agent, by contract 3."""

UNSEARCHED = (
    "doc_read refused: nothing was searched yet. Call doc_search for the field that you look for, then read the "
    "locators that it returns."
)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The result of a tool call, for a model."""

    text: str
    is_error: bool = False


class Tools(Protocol):
    """The four tools, here (`Toolbox`) or elsewhere."""

    def find(self, name: str) -> Tool:
        """See `Toolbox.find`."""
        ...

    def call(self, name: str, arguments: Mapping[str, Any], call: Call) -> Answer:
        """See `Toolbox.call`."""
        ...


class Desk:
    """Runs an agent's tool calls. Thread-safe.

    Args:
        toolbox: The four tools, restricted to the document.
        file: The document's path. The model knows it under another name, so that nobody's choice of a file name
            is ever part of a prompt.
        loss: An error of this type means that the tools are lost: see `lost`.
        close: Called when the desk is not needed any more.
    """

    def __init__(
        self,
        toolbox: Tools,
        file: PurePath,
        *,
        loss: tuple[type[PinciteError], ...] = (),
        close: Callable[[], None] = lambda: None,
    ) -> None:
        self._toolbox = toolbox
        self._file = file
        self._loss = loss
        self.close = close
        self.lost: PinciteError | None = None
        """Why the tools do not work any more; None while they do. What a model makes of such answers counts for
        nothing: it would find every field absent."""
        self.file_name = f"document{file.suffix.lower()}"
        self._has_searched = False
        self._lock = threading.Lock()
        self.calls = 0
        """The number of calls so far."""

    @property
    def tools(self) -> Sequence[Tool]:
        """The tools, described for a model."""
        return [self._toolbox.find(name) for name in TOOLS]

    def refusal(self, name: str) -> str:
        """Return why a call of this tool is refused now; empty if it is not."""
        if name not in TOOLS:
            return f"There is no tool {name[:60]!r}. Known: {', '.join(TOOLS)}."
        return UNSEARCHED if name == READ and not self._has_searched else ""

    def call(self, name: str, arguments: Mapping[str, Any], call: Call) -> ToolResult:
        """Run a tool; a failure is a result, too, so that the model can act on it.

        Raises:
            Cancelled: The call is cancelled.
            TimeoutExceeded: The call's own deadline has passed.
        """
        call.check()
        with self._lock:
            self.calls += 1
            done = self.calls
        call.progress(done, None, name if name in TOOLS else "an unknown tool")
        if refusal := self.refusal(name):
            return _error(refusal)
        given = dict(arguments)
        if name == BUILD and given.get("file_path") == self.file_name:
            given["file_path"] = str(self._file)
        try:
            answer = self._toolbox.call(name, given, replace(call, progress=_silent))
        except Cancelled:
            raise
        except InternalError as error:
            return _error(error.message)
        except self._loss as error:
            self.lost = error
            return _error(error.message)
        except PinciteError as error:
            call.check()  # the time of the whole run, not of this one tool
            # What names the file names it as the model knows it.
            return _error(error.message.replace(self._file.name, self.file_name))
        self._has_searched |= name == SEARCH
        form = answer.text_form(answer.model_dump(mode="json"))
        return ToolResult(json.dumps(form, ensure_ascii=False))


def _silent(done: float, total: float | None, message: str) -> None:
    """A tool's own progress would overwrite that of the run."""


def _error(message: str) -> ToolResult:
    """Return a failure in the form of contract 3."""
    return ToolResult(json.dumps({"error": message}, ensure_ascii=False), is_error=True)
