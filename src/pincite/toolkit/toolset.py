"""What a tool is: a marked method of a toolset, with its schemas, limits and log events."""

import inspect
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ParamSpec, Protocol, TypeVar, cast, get_type_hints

from pydantic import BaseModel

from pincite.errors import ErrorForm
from pincite.model.call import Call
from pincite.model.status import Freshness
from pincite.toolkit.answers import Answer
from pincite.toolkit.schemas import INJECTED, arguments_model, compact, untitled, without_null

ACRONYMS = frozenset({"csv", "docx", "json", "pdf", "pptx", "xlsx"})

P = ParamSpec("P")
A = TypeVar("A", bound=Answer)


class View(Protocol):
    """A consistent view of an index, the data source of a tool."""

    @property
    def freshness(self) -> Freshness:
        """Whether answers from it may miss a change."""
        ...


ViewHook = Callable[["Tool", Mapping[str, Any], Call], AbstractContextManager[View] | None]
"""See `Toolset.view`."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What a restricted toolbox may read.

    Attributes:
        collections: The names of the collections.
        files: The local files, by path.
    """

    collections: AbstractSet[str]
    files: frozenset[Path] = frozenset()

    def intersection(self, other: "Scope") -> "Scope":
        """Return what both allow."""
        return Scope(self.collections & other.collections, self.files & other.files)


def _no_arguments(arguments: Mapping[str, Any]) -> Mapping[str, object]:
    del arguments
    return {}


def _no_result(answer: "Answer", seconds: float) -> Mapping[str, object]:
    del answer, seconds
    return {}


@dataclass(frozen=True, slots=True)
class Events:
    """The names of the log events of a toolset's calls: one when a call starts, one when it ends.

    Attributes:
        received: Returns further fields of `start`, from the arguments as the client sent them.
        completed: Returns further fields of `success`, from the answer and the seconds that it took.
        problem: The field that has the message of a known error.
        level: The level of known errors; None for a warning if the client can correct them, else an error.
    """

    start: str = "tool.start"
    success: str = "tool.success"
    timeout: str = "tool.timeout"
    known_error: str = "tool.known_error"
    unhandled_error: str = "tool.unhandled_error"
    received: Callable[[Mapping[str, Any]], Mapping[str, object]] = _no_arguments
    completed: Callable[["Answer", float], Mapping[str, object]] = _no_result
    problem: str = "problem"
    level: int | None = None


TOOL_EVENTS = Events()


@dataclass(frozen=True)
class Tool:
    """A tool. Its schemas are built at first use.

    Attributes:
        name: Its name on every transport.
        toolset: The name of its toolset.
        error_form: The form of its errors.
        events: The names of the log events of its calls.
        description: One or two sentences for a model that does not know it.
        semantic: Whether the answer depends on vectors, so that missing ones make it stale.
        read_only: Whether it changes nothing.
        open_world: Whether it reaches beyond what the server holds, as a URL does.
        seconds: Its own time limit, below the settings' limit; None for none.
        is_quick: Whether it takes milliseconds, as it reads no document: it does not wait for calls that do.
        result_chars: Maximum number of characters that a client should show unshortened; None for the client's
            default.
        route: The method and path of the REST route that a contract gives it, as `POST /api/extract/pdf`, besides the
            one of every tool; empty for none.
        refuse_empty: Whether an empty text for an optional argument is refused; else it counts as missing.
        omitted: Parameters of the method that are no arguments, and fields that no answer has, as the server has
            nothing to choose by them.
        injected: Which of `view` and `call` the method takes.
        view: Opens the view for a call; `Toolset.view`.
        run: The bound method.
    """

    name: str
    toolset: str
    error_form: ErrorForm
    events: Events
    description: str
    semantic: bool
    read_only: bool
    open_world: bool
    seconds: float | None
    is_quick: bool
    result_chars: int | None
    route: str
    refuse_empty: bool
    omitted: frozenset[str]
    injected: tuple[str, ...]
    view: ViewHook
    run: Callable[..., Answer]

    @property
    def title(self) -> str:
        """Its name as people read it: `extract_pdf_text` is "Extract PDF text"."""
        words = (word.upper() if word in ACRONYMS else word for word in self.name.split("_"))
        title = " ".join(words)
        return title[:1].upper() + title[1:]

    @cached_property
    def arguments(self) -> type[BaseModel]:
        """The pydantic model that validates its arguments."""
        return arguments_model(self.name, self.run, self._hints, self.omitted)

    @cached_property
    def input_schema(self) -> Mapping[str, Any]:
        """JSON Schema of the arguments, without titles and null alternatives."""
        return without_null(untitled(self.arguments.model_json_schema()))

    @cached_property
    def output_schema(self) -> Mapping[str, Any]:
        """JSON Schema of the answer."""
        return untitled(self._hints["return"].model_json_schema(mode="serialization"))

    @cached_property
    def listed_output_schema(self) -> Mapping[str, Any]:
        """The same without words and without what never occurs, as clients list it: they validate by it."""
        return compact(self.output_schema, self.omitted)

    @cached_property
    def _hints(self) -> Mapping[str, Any]:
        return get_type_hints(self.run, include_extras=True)


class Toolset(Protocol):
    """A group of tools that are served together; its tools are its `@tool` methods.

    It is made of its `Parts` alone: `__init__(self, parts: Parts)`.

    Attributes:
        name: Its name in `--toolsets`.
        error_form: The form of its errors.
        events: The names of the log events of its calls.

    It may have `omitted`, a frozenset; see `Tool`.
    """

    name: str
    error_form: ErrorForm
    events: Events

    def view(self, tool: Tool, arguments: Mapping[str, Any], call: Call) -> AbstractContextManager[View] | None:
        """Return the view that a call is answered from, after indexing changes; None if the tool needs no index.

        Args:
            tool: The called tool.
            arguments: Its validated arguments.
            call: The call.
        """
        ...


MakeToolset = Callable[[Scope | None], Toolset]
"""Makes a toolset that sees what is in a scope, or everything if it is None."""


def tool(
    *,
    semantic: bool = False,
    read_only: bool = True,
    open_world: bool = False,
    seconds: float | None = None,
    is_quick: bool = False,
    result_chars: int | None = None,
    route: str = "",
    refuse_empty: bool = False,
) -> Callable[[Callable[P, A]], Callable[P, A]]:
    """Mark a method of a toolset as a tool: its docstring is the description, its annotations the schemas.

    Args:
        semantic: Whether the answer depends on vectors.
        read_only: See `Tool`.
        open_world: See `Tool`.
        seconds: Its own time limit, below the settings' limit.
        is_quick: See `Tool`.
        result_chars: See `Tool`.
        route: See `Tool`.
        refuse_empty: See `Tool`.
    """

    def mark(method: Callable[P, A]) -> Callable[P, A]:
        cast("Any", method).__tool__ = {
            "semantic": semantic,
            "read_only": read_only,
            "open_world": open_world,
            "seconds": seconds,
            "is_quick": is_quick,
            "result_chars": result_chars,
            "route": route,
            "refuse_empty": refuse_empty,
        }
        return method

    return mark


def tools_of(toolset: Toolset) -> list[Tool]:
    """Return the tools of a toolset in definition order."""
    marked = (name for name, member in vars(type(toolset)).items() if hasattr(member, "__tool__"))
    return [_tool(toolset, getattr(toolset, name)) for name in marked]


def _tool(toolset: Toolset, method: Callable[..., Answer]) -> Tool:
    marks = cast("Any", method).__tool__
    return Tool(
        name=method.__name__,
        toolset=toolset.name,
        error_form=toolset.error_form,
        events=toolset.events,
        description=" ".join((inspect.getdoc(method) or "").split()),
        **marks,
        omitted=getattr(toolset, "omitted", frozenset()),
        injected=tuple(name for name in INJECTED if name in inspect.signature(method).parameters),
        view=toolset.view,
        run=method,
    )
