"""Two toolsets that the toolkit is tested with."""

import logging
import time
from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

from pincite.errors import ErrorForm, NotFound, PinciteError
from pincite.model.call import Call
from pincite.model.status import Freshness
from pincite.toolkit import TOOL_EVENTS, Answer, Events, Scope, Tool, Toolbox, optional, tool


class Thing(BaseModel):
    title: str
    named_null: str | None
    left_out: str | None = optional("Only where it says something.")


class Said(Answer):
    said: str
    things: list[Thing] = Field(default_factory=list[Thing])


@dataclass(frozen=True)
class StillView:
    freshness: Freshness


STILL = StillView(Freshness(generation=7, checked_at=0.0))


@contextmanager
def still() -> Generator[StillView]:
    yield STILL


class Parlour:
    name = "parlour"
    error_form = ErrorForm.MESSAGE
    events = TOOL_EVENTS

    def __init__(self, scope: Scope | None = None) -> None:
        self.scope = scope

    def view(self, tool: Tool, arguments: Mapping[str, Any], call: Call) -> AbstractContextManager[StillView] | None:
        del arguments, call
        return None if tool.name == "name_scope" else still()

    @tool()
    def say(
        self,
        view: StillView,
        title: Annotated[str, Field(description="What to say.")],
        times: Annotated[int, Field(description="How often.", ge=1, le=9)] = 1,
        loud: bool = False,
        manner: Literal["plain", "sung"] = "plain",
        to: str | None = None,
        either: int | str | None = None,
    ) -> Said:
        """Say something,
        as often as you like.
        """
        words = [title] * times + [to or "", str(loud), manner, "" if either is None else str(either)]
        return Said(said=" ".join(words).strip(), things=[Thing(title=str(view.freshness.generation), named_null=None)])

    @tool(semantic=True, seconds=0.05, result_chars=1000)
    def wait(self, call: Call) -> Said:
        """Wait until the time is over."""
        while True:
            call.check()
            time.sleep(0.001)

    @tool()
    def fail(self, known: bool = True) -> Said:
        """Fail."""
        if known:
            raise NotFound("There is no such thing. Ask for another.")
        raise KeyError("/secret/place")

    @tool(read_only=False, open_world=True)
    def name_scope(self, view: StillView | None = None) -> Said:
        """Name what may be read."""
        assert view is None
        return Said(said="everything" if self.scope is None else " ".join(sorted(self.scope.collections)))

    def aside(self) -> str:
        return "not a tool"


Nick = Annotated[str | None, Field(min_length=1, max_length=8)]


class Desk(Parlour):
    """A toolset that names its own events."""

    name = "desk"
    events = Events(
        start="query_received",
        success="query_complete",
        known_error="query_failed",
        received=lambda arguments: {"filters": sorted(arguments)},
        completed=lambda answer, seconds: {"said": answer.model_dump()["said"], "timed": seconds >= 0},
        problem="error_message",
        level=logging.ERROR,
    )

    @tool(refuse_empty=True)
    def ask(self, nick: Nick = None, share: Annotated[float, Field(ge=0)] = 0) -> Said:
        """Ask for someone."""
        return Said(said=f"{nick or 'nobody'} {share:g}")

    @tool()
    def guess(self, nick: Nick = None) -> Said:
        """Guess who it is."""
        if nick:
            raise NotFound("There is no such thing. Ask for another.")
        return Said(said="nobody")


def problem(toolbox: Toolbox, name: str, arguments: dict[str, object] | None) -> PinciteError:
    """Return the error of a call."""
    with pytest.raises(PinciteError) as caught:
        toolbox.call(name, arguments, Call())
    return caught.value
