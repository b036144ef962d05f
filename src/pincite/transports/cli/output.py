"""What a command prints: text for people, one JSON object for machines, colours on a terminal only."""

import json
import os
import re
import shutil
import sys
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import typer

from pincite.errors import InvalidInput, PinciteError
from pincite.model.call import Progress, silent
from pincite.transports.cli import streams

_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control and direction characters, and halves of characters: what a document holds must not steer a terminal."""

MAX_LINE = 1000
"""Characters of a line of a message: it may echo an argument, and that may have any length."""

PROGRESS_DELAY_SECONDS = 0.5
"""What is over sooner shows no bar: it would only flash."""

MIN_WRAP_COLUMNS = 20
"""A terminal that is narrower shows broken lines in any case."""

_LINE_END = re.compile("\r\n?")

_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "mark": "1;33"}


class Output:
    """Where one command's results go.

    Results go to standard output; notes, progress and problems to standard error.
    """

    def __init__(self, *, as_json: bool) -> None:
        """Look at where the output goes.

        Args:
            as_json: Print nothing but one JSON object.
        """
        self.as_json = as_json
        plain = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
        self._on_terminal = sys.stdout.isatty()
        self._coloured = self._on_terminal and not plain
        self._lively = sys.stderr.isatty() and not plain and not as_json

    def line(self, text: str = "") -> None:
        """Print a line of the result."""
        if not self.as_json:
            _write(text + "\n")

    def document(self, text: str) -> None:
        """Print a whole document: as it is into a file or a pipe, made safe for a terminal."""
        if not self.as_json:
            _write(safe(text) if sys.stdout.isatty() else text)

    def data(self, value: Mapping[str, Any]) -> None:
        """Print the JSON object."""
        if self.as_json:
            _write(json.dumps(value, indent=2) + "\n")

    def note(self, text: str) -> None:
        """Say something beside the result."""
        if not self.as_json:
            streams.say(f"note: {brief(safe(text))}\n")

    def problem(self, error: PinciteError) -> None:
        """Say what went wrong and what to do next."""
        message = brief(error.message)
        self.failure(error.code, message, error.suggestion)
        streams.say(f"error: {safe(message)}\n")
        if error.suggestion:
            streams.say(f"       {safe(error.suggestion)}\n")

    def failure(self, code: str, message: str, suggestion: str = "") -> None:
        """Print the JSON object of a failure, where that can be written: it may be what failed."""
        with suppress(InvalidInput, typer.Exit):
            self.data({"error": {"code": code, "message": message, "suggestion": suggestion or None}})

    def style(self, text: str, name: str) -> str:
        """The text, in a style where that shows."""
        return f"\x1b[{_STYLES[name]}m{text}\x1b[0m" if self._coloured and text else text

    def passage(self, text: str, spans: Sequence[tuple[int, int]], prefix: str) -> None:
        """Print text with these places marked, each line behind a prefix; on a terminal wrapped to its width."""
        width = max(MIN_WRAP_COLUMNS, shutil.get_terminal_size().columns - len(prefix)) if self._on_terminal else None
        for start, end in _lines(text, width):
            inside = [(max(a, start) - start, min(b, end) - start) for a, b in spans if a < end and b > start]
            self.line(prefix + self.marked(text[start:end], inside) if end > start else prefix.rstrip())

    def marked(self, text: str, spans: Sequence[tuple[int, int]]) -> str:
        """The text made safe to print, with these places marked where that shows."""
        pieces: list[str] = []
        end = 0
        for start, stop in spans:
            pieces += [safe(text[end:start]), self.style(safe(text[start:stop]), "mark")]
            end = stop
        return "".join([*pieces, safe(text[end:])])

    @contextmanager
    def progress(self) -> Generator[Progress]:
        """A progress bar on a terminal, for what takes longer than a moment; else nothing."""
        if not self._lively:
            yield silent
            return
        with ExitStack() as shown:
            begun = time.monotonic()
            update: Progress | None = None

            def show(done: float, total: float | None, message: str) -> None:
                nonlocal update
                if update is None and time.monotonic() - begun >= PROGRESS_DELAY_SECONDS:
                    update = shown.enter_context(_bar())
                if update is not None:
                    update(done, total, message)

            yield show


@contextmanager
def _bar() -> Generator[Progress]:
    from rich.console import Console  # noqa: PLC0415 - only who waits at a terminal pays for it
    from rich.progress import Progress as Bar  # noqa: PLC0415

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        reached = 0.0

        def update(done: float, total: float | None, message: str) -> None:
            nonlocal reached
            if done < reached:  # other work has begun, whose remaining time has nothing to do with this
                bar.reset(task)
            reached = done
            bar.update(task, completed=done, total=total, description=safe(message))

        yield update


def _lines(text: str, width: int | None) -> Iterator[tuple[int, int]]:
    """Start and end of each line, broken at spaces where it is wider than that many characters."""
    start = 0
    for line in text.split("\n"):
        end = after = start + len(line)
        while width is not None and end - start > width:
            space = text.rfind(" ", start + 1, start + width + 1)
            stop = space if space > start else start + width
            yield start, stop
            start = stop + (stop == space)
        yield start, end
        start = after + 1


def lines(text: str) -> str:
    """The text with a line feed at each line end."""
    return _LINE_END.sub("\n", text)


def safe(text: str) -> str:
    """The text without characters that would steer a terminal; every line end is a line feed."""
    return _UNSAFE.sub("\N{REPLACEMENT CHARACTER}", lines(text))


def brief(text: str) -> str:
    """The text with the middle of long lines left out."""
    half = MAX_LINE // 2
    return "\n".join(f"{line[:half]} … {line[-half:]}" if len(line) > MAX_LINE else line for line in text.split("\n"))


def _write(text: str) -> None:
    """Write to standard output; whoever closed it has read enough.

    Raises:
        InvalidInput: It cannot be written, as on a full disk.
    """
    try:
        sys.stdout.write(_encodable(text, sys.stdout.encoding))
        sys.stdout.flush()
    except BrokenPipeError:
        streams.discard(sys.stdout)
        raise typer.Exit(0) from None
    except OSError as error:
        streams.discard(sys.stdout)
        raise InvalidInput(f"The output cannot be written: {error.strerror}.") from error


def _encodable(text: str, encoding: str | None) -> str:
    """The text as far as a terminal of this encoding can show it."""
    known = encoding or "utf-8"
    return text.encode(known, "replace").decode(known)
