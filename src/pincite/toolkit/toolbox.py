"""The served tools, all called through `Toolbox.call`.

`Toolbox.call` validates the arguments, opens the view that the toolset names, runs the tool under its time
limit, sets the answer's `index` field from that view, and logs one line. Every transport uses it.
"""

import logging
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any

from pincite.errors import ErrorForm, InternalError, NotFound, PinciteError, TimeoutExceeded, code_of
from pincite.model.call import Call, retry_if_index_lost
from pincite.text.excerpt import excerpt
from pincite.toolkit.answers import Answer
from pincite.toolkit.toolset import TOOL_EVENTS, MakeToolset, Scope, Tool, View, tools_of
from pincite.toolkit.validation import MAX_SHOWN_CHARS, nearest, shown, validated

log = logging.getLogger("pincite.tools")


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
        raise NotFound(f"Unknown tool: {shown(name)}.{nearest(name, self._tools)}")

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
        events, form = TOOL_EVENTS, ErrorForm.MESSAGE
        try:
            tool = self.find(name)
            events, form = tool.events, tool.error_form
            log.info(events.start, extra={"tool": name, "rid": call.request_id, **events.received(arguments or {})})
            values = validated(tool, arguments or {})
            limited = self._limited(call, tool)
            answer = retry_if_index_lost(lambda: self._run(tool, values, limited))
        except PinciteError as error:
            log.log(
                _level(error) if events.level is None else events.level,
                events.timeout if isinstance(error, TimeoutExceeded) else events.known_error,
                extra={**_line(name, call, start, code=code_of(error, form)), events.problem: error.log_message},
            )
            raise
        except Exception as error:  # the outermost handler of a tool: a bug costs this call alone
            log.exception(events.unhandled_error, extra=_line(name, call, start, code=code_of(error, form)))
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


def _level(error: PinciteError) -> int:
    return logging.WARNING if error.recoverable else logging.ERROR


def _line(name: str, call: Call, start: float, **fields: object) -> dict[str, object]:
    return {
        "tool": excerpt(name, MAX_SHOWN_CHARS),
        "rid": call.request_id,
        "elapsed": round(time.monotonic() - start, 4),
        **fields,
    }
