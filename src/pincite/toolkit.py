"""Tools: methods of a toolset with JSON schemas, all called through `Toolbox.call`.

`Toolbox.call` validates the arguments, opens the view that the toolset names, runs the tool under its time
limit, sets the answer's `index` field from that view, and logs one line. Every transport uses it.
"""

import difflib
import inspect
import logging
import reprlib
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ParamSpec, Protocol, Self, TypeVar, cast, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic.fields import FieldInfo

from pincite.errors import ErrorForm, InternalError, InvalidInput, NotFound, PinciteError, TimeoutExceeded
from pincite.model.call import Call, retry_if_index_lost
from pincite.model.status import Freshness, iso
from pincite.text.excerpt import excerpt

log = logging.getLogger("pincite.tools")

P = ParamSpec("P")
A = TypeVar("A", bound="Answer")

_INJECTED = ("view", "call")
"""Parameters that the toolbox supplies; all others are arguments of the tool."""

_MAX_SHOWN_CHARS = 60
"""Maximum length of a wrong value or unknown name in an error message."""

MAX_ARGUMENT_CHARS = 100_000
"""Maximum length of a text argument: ten times what any tool needs, and fast to process."""

_REPR = reprlib.Repr()
"""Truncates while formatting, so that a list of a million items is never formatted in full."""
_REPR.maxstring = _REPR.maxother = _REPR.maxlong = 4 * _MAX_SHOWN_CHARS
_REPR.maxlist = _REPR.maxdict = _MAX_SHOWN_CHARS


def optional(description: str) -> Any:
    """Return a field of an answer that is omitted if it is None."""
    return Field(default=None, exclude_if=lambda value: value is None, description=description)


class ResponseModel(BaseModel, defer_build=True):
    """Base class of answers and their parts. Pydantic builds its validators at first use, to keep start-up fast."""


class IndexState(ResponseModel):
    """The state of the index that an answer was taken from."""

    generation: int = Field(description="Version of the index.")
    checked_at: str = Field(description="When the source was last compared with the index.")
    pending: int = Field(description="Documents that still wait to be indexed.")
    stale: bool = Field(description="True if this answer may miss a change.")
    reason: str | None = optional("Why it is stale.")


class Answer(ResponseModel):
    """What every tool that reads an index returns."""

    index: IndexState | None = optional("The state of the index that this answer was taken from.")

    def with_index_state(self, freshness: Freshness) -> Self:
        """Return this answer with the state of its index."""
        return self.model_copy(update={"index": IndexState(**state_fields(freshness))})

    def text_form(self, dumped: Mapping[str, Any]) -> object:
        """Return what clients that do not read structured content get as JSON text: the whole answer.

        Args:
            dumped: This answer as plain values.
        """
        return dumped


def state_fields(freshness: Freshness) -> dict[str, Any]:
    """Return the fields of `IndexState`."""
    return {
        "generation": freshness.generation,
        "checked_at": iso(freshness.checked_at),
        "pending": freshness.pending,
        "stale": freshness.stale,
        "reason": freshness.reason or None,
    }


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

    collections: frozenset[str]
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
        seconds: Its own time limit, below that of the settings; None for none.
        is_quick: Whether it takes milliseconds, as it reads no document: it does not wait for calls that do.
        result_chars: Maximum number of characters that a client should show unshortened; None for the client's
            default.
        route: The method and path of the REST route that a contract gives it, as `POST /api/extract/pdf`, besides the
            one of every tool; empty for none.
        refuse_empty: Whether an empty text for an optional argument is refused; else it counts as missing.
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
    injected: tuple[str, ...]
    view: ViewHook
    run: Callable[..., Answer]

    @cached_property
    def arguments(self) -> type[BaseModel]:
        """The pydantic model that validates its arguments."""
        return _arguments_model(self.name, self.run, self._hints)

    @cached_property
    def input_schema(self) -> Mapping[str, Any]:
        """JSON Schema of the arguments, without titles and null alternatives."""
        return _without_null(_untitled(self.arguments.model_json_schema()))

    @cached_property
    def output_schema(self) -> Mapping[str, Any]:
        """JSON Schema of the answer."""
        return _untitled(self._hints["return"].model_json_schema(mode="serialization"))

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
        seconds: Its own time limit, below that of the settings.
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


class Toolbox:
    """The served tools."""

    def __init__(
        self,
        toolsets: Sequence[MakeToolset],
        seconds: float,
        *,
        names: AbstractSet[str] | None = None,
        scope: Scope | None = None,
    ) -> None:
        """Collect the tools.

        Args:
            toolsets: In the order in which their tools are listed; each is made once a tool of it is needed.
            seconds: The time limit of a call whose tool has no lower one.
            names: The tools to serve; None for all of them.
            scope: What they may read; None for everything.
        """
        self._toolsets = toolsets
        self._seconds = seconds
        self._names = names
        self._scope = scope
        self._unmade = iter(toolsets)
        self._toolsets_lock = threading.Lock()
        self._tools: dict[str, Tool] = {}

    def only(self, names: Iterable[str], scope: Scope) -> "Toolbox":
        """Return a toolbox with these tools alone, whose calls see only what is in the scope.

        Args:
            names: Names of tools of this toolbox.
            scope: What the tools may read.

        Raises:
            NotFound: This toolbox has no tool of a name; the message names the nearest.
        """
        chosen = frozenset(self.find(name).name for name in names)
        narrower = scope if self._scope is None else self._scope.intersection(scope)
        return Toolbox(self._toolsets, self._seconds, names=chosen, scope=narrower)

    @property
    def tools(self) -> Sequence[Tool]:
        """Every tool, in a stable order."""
        self._load_toolsets("")
        return tuple(self._tools.values())

    def find(self, name: str) -> Tool:
        """Return the tool with this name.

        Raises:
            NotFound: There is none; the message names the nearest.
        """
        if name not in self._tools:
            self._load_toolsets(name)
        if name in self._tools:
            return self._tools[name]
        raise NotFound(f"Unknown tool: {_shown(name)}.{_nearest(name, self._tools)}")

    def _load_toolsets(self, name: str) -> None:
        """Load toolsets up to the one with this tool, or all if none has it: a first answer imports only its own."""
        with self._toolsets_lock:
            while name not in self._tools and (make := next(self._unmade, None)):
                tools = tools_of(make(self._scope))
                self._tools |= {tool.name: tool for tool in tools if self._names is None or tool.name in self._names}

    def limit(self, tool: Tool) -> float:
        """Return the time limit of a call of this tool in seconds."""
        return self._seconds if tool.seconds is None else min(self._seconds, tool.seconds)

    def call(self, name: str, arguments: Mapping[str, Any] | None, call: Call) -> Answer:
        """Run a tool.

        Args:
            name: The tool's name.
            arguments: As the client sent them.
            call: The call; its deadline is set here, unless it has an earlier one.

        Raises:
            PinciteError: With a message that names the next action.
        """
        start = time.monotonic()
        events = TOOL_EVENTS
        try:
            tool = self.find(name)
            events = tool.events
            log.info(events.start, extra={"tool": name, "rid": call.request_id, **events.received(arguments or {})})
            values = validated(tool, arguments or {})
            limited = self._limited(call, tool)
            answer = retry_if_index_lost(lambda: self._run(tool, values, limited))
        except PinciteError as error:
            log.log(
                _level(error) if events.level is None else events.level,
                events.timeout if isinstance(error, TimeoutExceeded) else events.known_error,
                extra={**_line(name, call, start, code=error.code), events.problem: error.message},
            )
            raise
        except Exception as error:
            log.exception(events.unhandled_error, extra=_line(name, call, start, code=InternalError.code))
            raise InternalError(
                f"{name} failed. The server's log says why, under request id {call.request_id}."
            ) from error
        log.info(
            events.success, extra={**_line(name, call, start), **events.completed(answer, time.monotonic() - start)}
        )
        return answer

    def _run(self, tool: Tool, values: Mapping[str, Any], call: Call) -> Answer:
        opened = tool.view(tool, values, call)
        if opened is None:
            return tool.run(**_injected(tool, None, call), **values)
        with opened as view:
            answer = tool.run(**_injected(tool, view, call), **values)
            return answer.with_index_state(view.freshness)

    def _limited(self, call: Call, tool: Tool) -> Call:
        deadline = time.monotonic() + self.limit(tool)
        return replace(call, deadline=deadline if call.deadline is None else min(call.deadline, deadline))


def _injected(tool: Tool, view: View | None, call: Call) -> dict[str, Any]:
    available = {"view": view, "call": call}
    return {name: available[name] for name in tool.injected}


def validated(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments with their types; null, and empty text for an optional one, count as missing.

    Raises:
        InvalidInput: An argument is unknown (the message names the nearest), missing, of the wrong type or too long.
    """
    fields = tool.arguments.model_fields
    for name in arguments:
        if name not in fields:
            raise InvalidInput(f"Unknown argument {_shown(name)} for {tool.name}.{_nearest(name, fields)}")
    given = {
        name: value
        for name, value in arguments.items()
        if value is not None
        # Some clients send "" for an omitted argument.
        and (value != "" or tool.refuse_empty or fields[name].is_required())
    }
    try:
        model = tool.arguments.model_validate(given)
    except ValidationError as error:
        raise InvalidInput(_validation_message(error, fields)) from None
    values = {name: getattr(model, name) for name in fields}
    for name, value in values.items():
        if isinstance(value, str) and len(value) > MAX_ARGUMENT_CHARS:
            raise InvalidInput(f"{name} has {len(value):,} characters; the maximum is {MAX_ARGUMENT_CHARS:,}.")
    return values


_EXPECTED = {"string": "text", "int": "a whole number", "float": "a number", "bool": "true or false", "list": "a list"}
"""The expected type of an argument, by the first word of pydantic's error type."""


_OUT_OF_RANGE = ("greater_than_equal", "less_than_equal", "string_too_short", "string_too_long")
"""Pydantic's error types whose message names the whole range, not the exceeded end alone."""


def _validation_message(error: ValidationError, fields: Mapping[str, FieldInfo]) -> str:
    # One error at a time: a client corrects and repeats the call.
    first = error.errors(include_url=False)[0]
    name = str(first["loc"][0])
    if first["type"] == "missing":
        return f"{name} parameter is required"
    expected = _EXPECTED.get(first["type"].partition("_")[0])
    if first["type"] in _OUT_OF_RANGE:
        expected = _range(fields[name]) or expected
    if first["type"] == "literal_error":
        expected = first.get("ctx", {})["expected"]
    if expected is None:
        expected = first["msg"].removeprefix("Input should be ").removeprefix("Value error, ")
    return f"{name} should be {expected}, not {_shown(first['input'])}"


def _range(field: FieldInfo) -> str | None:
    """Return the range of a field as `1 to 100`, or with its unit as `1 to 2000 characters`; None without both ends."""
    limits = {name: limit for each in field.metadata for name, limit in _limits(each)}
    if "ge" in limits and "le" in limits:
        return f"{limits['ge']} to {limits['le']}"
    if "min_length" in limits and "max_length" in limits:
        return f"{limits['min_length']} to {limits['max_length']} characters"
    return None


def _limits(constraint: object) -> Iterable[tuple[str, object]]:
    names = ("ge", "le", "min_length", "max_length")
    return ((name, limit) for name in names if (limit := getattr(constraint, name, None)) is not None)


def _shown(value: object) -> str:
    return excerpt(_REPR.repr(value), _MAX_SHOWN_CHARS)


def _nearest(name: str, names: Iterable[str]) -> str:
    known = list(names)
    near = difflib.get_close_matches(name[:_MAX_SHOWN_CHARS].lower(), known, n=1, cutoff=0.5)
    listed = ", ".join(known) if known else "none"
    return f" Did you mean {near[0]!r}?" if near else f" Known: {listed}."


def _tool(toolset: Toolset, method: Callable[..., Answer]) -> Tool:
    marks = cast("Any", method).__tool__
    return Tool(
        name=method.__name__,
        toolset=toolset.name,
        error_form=toolset.error_form,
        events=toolset.events,
        description=" ".join((inspect.getdoc(method) or "").split()),
        **marks,
        injected=tuple(name for name in _INJECTED if name in inspect.signature(method).parameters),
        view=toolset.view,
        run=method,
    )


def _arguments_model(name: str, method: Callable[..., Answer], hints: Mapping[str, Any]) -> type[BaseModel]:
    fields: dict[str, Any] = {}
    for parameter in inspect.signature(method).parameters.values():
        if parameter.name not in _INJECTED:
            default = ... if parameter.default is inspect.Parameter.empty else parameter.default
            fields[parameter.name] = (hints[parameter.name], default)
    with warnings.catch_warnings():
        # Contracts name an argument as a method of pydantic's models that is deprecated and not used.
        warnings.filterwarnings("ignore", 'Field name "schema"', UserWarning)
        return create_model(f"{name}_arguments", __config__=ConfigDict(extra="forbid"), **fields)


def _untitled(schema: Any) -> Any:
    # Pydantic repeats each field's name as its title, which costs a model tokens.
    if isinstance(schema, list):
        return [_untitled(item) for item in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    node = cast("dict[str, Any]", schema)
    return {
        key: {name: _untitled(child) for name, child in value.items()}
        if key in {"properties", "$defs"}
        else _untitled(value)
        for key, value in node.items()
        if key != "title"
    }


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return an input schema whose optional arguments do not mention null, which is still accepted."""
    return {**schema, "properties": {name: _not_null(node) for name, node in schema.get("properties", {}).items()}}


def _not_null(node: dict[str, Any]) -> dict[str, Any]:
    plain = {key: value for key, value in node.items() if key != "default" or value is not None}
    options = [option for option in plain.pop("anyOf", []) if option != {"type": "null"}]
    if len(options) == 1:
        return {**options[0], **plain}
    return {"anyOf": options, **plain} if options else plain


def _level(error: PinciteError) -> int:
    return logging.WARNING if error.recoverable else logging.ERROR


def _line(name: str, call: Call, start: float, **fields: object) -> dict[str, object]:
    return {
        "tool": excerpt(name, _MAX_SHOWN_CHARS),
        "rid": call.request_id,
        "elapsed": round(time.monotonic() - start, 4),
        **fields,
    }
