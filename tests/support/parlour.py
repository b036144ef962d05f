"""A served application of odd tools: what the transports are tested by. As a program it serves over stdio, or
over the transport that is named."""

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from pincite.errors import ErrorForm, ModelUnavailable, NotFound
from pincite.model.call import Call
from pincite.model.status import Freshness
from pincite.registry import TRANSPORTS, find
from pincite.registry import load as load_row
from pincite.services.resources import Resources
from pincite.services.viewer.viewer import Viewer
from pincite.settings import Settings, load
from pincite.toolkit import TOOL_EVENTS, Answer, IndexState, Tool, Toolbox, optional, tool
from pincite.transports.logging import configure
from pincite.transports.mcp.server import serve_stdio

log = logging.getLogger("pincite.parlour")


class Said(Answer):
    """What was said."""

    said: str
    nothing: str | None
    names: list[str] | None = optional("Only where there are any.")
    left_out: str | None = optional("Only where it says something.")


@dataclass(frozen=True)
class StillView:
    """A view that never moves."""

    freshness: Freshness


class Parlour:
    """Tools that do what tools should not do."""

    name = "parlour"
    error_form = ErrorForm.MESSAGE
    events = TOOL_EVENTS

    def __init__(self) -> None:
        self.stopped = threading.Event()
        self.running = threading.Semaphore(0)
        self.asleep: list[str] = []  # which `say` names, too

    @contextmanager
    def view(self, tool: Tool, arguments: Mapping[str, Any], call: Call) -> Generator[StillView]:
        """The same for every call."""
        del tool, arguments, call
        yield StillView(Freshness(generation=7, checked_at=0.0))

    @tool(result_chars=1000, route="POST /api/parlour/words")
    def say(self, words: str, loud: bool = False, times: int = 1) -> Said:
        """Say something, as `words`."""
        return Said(said=(words.upper() if loud else words) * times, nothing=None, names=self.asleep.copy() or None)

    @tool(read_only=False, open_world=True)
    def chatter(self) -> Said:
        """Write to standard output in four ways."""
        print("printed")  # noqa: T201 - what a library might do
        sys.__stdout__.write("written late\n") if sys.__stdout__ else None
        os.write(1, b"written to the descriptor\n")
        subprocess.run(["echo", "echoed"], check=True)
        return Said(said="done", nothing=None)

    @tool(is_quick=True, route="GET /api/parlour/time")
    def tell_the_time(self) -> Said:
        """Say what no document has."""
        return Said(said="now", nothing=None)

    @tool(seconds=0.2)
    def oblivious(self, seconds: float = 600.0) -> Said:
        """Take no notice of the time limit."""
        self.asleep.append("oblivious")
        time.sleep(seconds)
        self.asleep.remove("oblivious")
        return Said(said="late", nothing=None)

    @tool()
    def patient(self, call: Call, steps: int = 1000, pause: float = 0.01) -> Said:
        """Work in steps, with progress, until it is cancelled."""
        self.running.release()
        for step in range(steps):
            if call.stop.wait(pause):
                self.stopped.set()
                call.check()
            call.progress(step, steps, f"step {step}")
        return Said(said="patient", nothing=None)

    @tool()
    def staged(self, call: Call) -> Said:
        """Work in two stages, each counted from its beginning."""
        for stage in ("reading", "embedding"):
            for step in range(1, 6):
                call.progress(step, 5, stage)
                time.sleep(0.12)
        return Said(said="staged", nothing=None)

    @tool(route="GET /api/parlour/failure")
    def fail(self, how: str = "known") -> Said:
        """Fail, in a known way, in an unknown way, or by an answer that cannot be sent."""
        if how == "known":
            raise NotFound("There is no such thing.", suggestion="Ask for another.")
        if how == "model":
            raise ModelUnavailable("The model is not here and may not be fetched.")
        if how == "shape":
            return Said.model_construct(said=object(), nothing=None)
        if how == "surrogate":
            index = IndexState(generation=1, checked_at="", pending=0, stale=True, reason="x\udc80")
            return Said(said="b\udc80", nothing="a\ud800", names=["a", "\udcff"], index=index)
        raise RuntimeError("/secret/place")

    @tool()
    def was_stopped(self) -> Said:
        """Say whether `patient` was stopped."""
        return Said(said=str(self.stopped.wait(5)), nothing=None)


class House:
    """A served application.

    Attributes:
        settings: Every setting, from the environment.
        began: Set once `begin` was called.
    """

    def __init__(self) -> None:
        self.settings: Settings = load()
        self.began = threading.Event()
        self.closed = threading.Event()
        self.parlour = Parlour()

    @property
    def toolset_names(self) -> tuple[str, ...]:
        """The parlour's, and those whose guides a capability leaves out."""
        return ("parlour", "docs", "citations")

    @property
    def toolbox(self) -> Toolbox:
        """The tools."""
        if os.environ.get("PARLOUR") == "shut":
            raise RuntimeError("/secret/place")
        return Toolbox([lambda _: self.parlour], seconds=30)

    @property
    def tasks(self) -> None:
        """There are none."""

    @property
    def document_uploads(self) -> None:
        """There are none."""

    def within(self, names: AbstractSet[str] | None, rate_limit: int) -> Self:
        """Asked for by nobody."""
        raise NotImplementedError

    def introduction(self) -> str:
        """Say it in a sentence."""
        return "A house with a parlour."

    @property
    def resources(self) -> Resources:
        """There are no documents in it."""
        raise NotFound("There is no house.")

    @property
    def viewer(self) -> Viewer:
        """There is nothing to look at."""
        raise NotFound("There is no house.")

    def begin(self) -> None:
        """Say so, then be busy for ever or fail, as the environment says."""
        log.info("house.began")
        self.began.set()
        mood = os.environ.get("PARLOUR", "")
        if mood == "busy":
            while True:
                Path(os.devnull).read_bytes()
        if mood == "known":
            raise NotFound("There is no house.")
        if mood == "unknown":
            raise RuntimeError("no house at all")

    def close(self) -> None:
        """Say so."""
        log.info("house.closed")
        self.closed.set()
        if os.environ.get("PARLOUR") == "stuck":
            time.sleep(600)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        configure("INFO", "json")
        load_row(find(TRANSPORTS, sys.argv[1]))(House())
    else:
        configure("INFO", "text")
        serve_stdio(House())
