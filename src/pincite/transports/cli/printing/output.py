"""The output of a command: text for people, one JSON object for scripts, colours on a terminal only."""

import json
import os
import re
import shutil
import sys
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import typer

from pincite.errors import InvalidInput, PinciteError
from pincite.model.call import Progress
from pincite.text.excerpt import REPLACEMENT
from pincite.transports.cli.printing import streams

_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, direction marks and lone surrogates: text of a document must not control the terminal."""

MAX_LINE_CHARS = 1000
"""Maximum characters of a line of a message, which may repeat an argument of any length."""

PROGRESS_DELAY_SECONDS = 0.5
"""Shorter work shows no progress bar, which would only flash."""

NOTE_SECONDS = 30.0
"""Interval of notes about progress where there is no terminal: an agent's shell gives up on what says nothing."""

BAR_COLUMNS = 16
"""Width of a progress bar: its counts and the text beside it say more."""

MIN_WRAP_COLUMNS = 20
"""Minimum width to which text is wrapped, on narrower terminals too."""

_LINE_END = re.compile("\r\n?")

_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "mark": "1;33"}


class Output:
    """The output of one command.

    Results go to standard output; notes, progress and problems to standard error.
    """

    def __init__(self, *, as_json: bool, file: Path | None = None) -> None:
        """Detect terminals and `NO_COLOR`.

        Args:
            as_json: Print nothing but one JSON object.
            file: Gets the result instead of standard output; it is not touched before there is one.
        """
        self.as_json = as_json
        self._file = file
        self._mode = "w"
        plain = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
        self._on_terminal = sys.stdout.isatty() and file is None
        self._coloured = self._on_terminal and not plain
        self._shows_progress = sys.stderr.isatty() and not plain and not as_json

    def line(self, text: str = "") -> None:
        """Print a line of the result."""
        if not self.as_json:
            self._write(text + "\n")

    def document(self, text: str) -> None:
        """Print a whole document: unchanged to a file or a pipe, without control characters to a terminal."""
        if not self.as_json:
            self._write(safe(text) if self._on_terminal else text)

    def data(self, value: Mapping[str, Any]) -> None:
        """Print the JSON object."""
        if self.as_json:
            self._write(json.dumps(value, indent=2) + "\n")

    def row(self, value: Mapping[str, Any]) -> None:
        """Print one of several JSON objects, on a line of its own."""
        if self.as_json:
            self._write(json.dumps(value) + "\n")

    def note(self, text: str) -> None:
        """Print a note to standard error."""
        if not self.as_json:
            streams.say(f"note: {brief(safe(text))}\n")

    def problem(self, error: PinciteError) -> None:
        """Print an error and the next action."""
        message = brief(error.message)
        self.failure(error.code, message, error.suggestion)
        streams.say(f"error: {safe(message)}\n")
        if error.suggestion:
            streams.say(f"       {safe(error.suggestion)}\n")

    def failure(self, code: str, message: str, suggestion: str = "") -> None:
        """Print the JSON object of an error; ignore errors of standard output, which may be the cause."""
        with suppress(InvalidInput, typer.Exit):
            self.data({"error": {"code": code, "message": message, "suggestion": suggestion or None}})

    def _write(self, text: str) -> None:
        if self._file is None:
            _write(text)
            return
        with (
            streams.writing(self._file),
            self._file.open(self._mode, encoding="utf-8", errors="replace", newline="") as stream,
        ):
            stream.write(text)
        self._mode = "a"

    def entry(self, label: str, value: str, style: str = "dim") -> None:
        """Print a label in a style and a value beside it, wrapped between words to the width of a terminal."""
        value, indent = safe(value), " " * len(label)
        for number, (start, end) in enumerate(_lines(value, self._width(len(label)))):
            self.line(f"{indent if number else self.style(label, style)}{value[start:end]}")

    def _width(self, indent: int) -> int | None:
        """Return the number of columns beside an indent; None for any number, where there is no terminal."""
        if not self._on_terminal:
            return None
        return max(MIN_WRAP_COLUMNS, shutil.get_terminal_size().columns - indent)

    def style(self, text: str, name: str) -> str:
        """Return the text in a style, if the output is coloured."""
        return f"\x1b[{_STYLES[name]}m{text}\x1b[0m" if self._coloured and text else text

    def passage(self, text: str, spans: Sequence[tuple[int, int]], prefix: str) -> None:
        """Print text with these spans highlighted, each line after a prefix; wrap it to the width of a terminal."""
        width = self._width(len(prefix))
        for start, end in _lines(text, width):
            inside = [(max(a, start) - start, min(b, end) - start) for a, b in spans if a < end and b > start]
            self.line(prefix + self.marked(text[start:end], inside) if end > start else prefix.rstrip())

    def marked(self, text: str, spans: Sequence[tuple[int, int]]) -> str:
        """Return the text made safe to print, with these spans highlighted if the output is coloured."""
        pieces: list[str] = []
        end = 0
        for start, stop in spans:
            pieces += [safe(text[end:start]), self.style(safe(text[start:stop]), "mark")]
            end = stop
        return "".join([*pieces, safe(text[end:])])

    @contextmanager
    def progress(self) -> Generator[Progress]:
        """Show a progress bar on a terminal once the work takes longer than `PROGRESS_DELAY_SECONDS`, else notes."""
        begun = time.monotonic()
        update: Progress | None = None

        def note(done: float, total: float | None, message: str) -> None:
            nonlocal begun
            if time.monotonic() - begun >= NOTE_SECONDS:
                begun = time.monotonic()
                self.note(f"{done:,.0f} of {total:,.0f}: {message}" if total else message)

        def show(done: float, total: float | None, message: str) -> None:
            nonlocal update
            if update is None and time.monotonic() - begun >= PROGRESS_DELAY_SECONDS:
                update = stack.enter_context(_bar())
            if update is not None:
                update(done, total, message)

        with ExitStack() as stack:
            yield show if self._shows_progress else note


@contextmanager
def _bar() -> Generator[Progress]:
    from rich.console import Console  # noqa: PLC0415 - a slow import, needed only for a visible bar
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn  # noqa: PLC0415
    from rich.progress import Progress as Bar  # noqa: PLC0415
    from rich.table import Column  # noqa: PLC0415

    # The text alone is shortened on a narrow terminal.
    text = TextColumn("{task.description}", table_column=Column(ratio=1, no_wrap=True, overflow="ellipsis"))
    columns = (BarColumn(BAR_COLUMNS), MofNCompleteColumn(), TimeRemainingColumn(), text)
    with Bar(*columns, console=Console(stderr=True), transient=True, expand=True) as bar:
        task = bar.add_task("", total=None)
        last_done = 0.0

        def update(done: float, total: float | None, message: str) -> None:
            nonlocal last_done
            if done < last_done:  # another stage has begun: its remaining time must not be estimated from this one
                bar.reset(task)
            last_done = done
            bar.update(task, completed=done, total=total, description=safe(message))

        yield update


def _lines(text: str, width: int | None) -> Iterator[tuple[int, int]]:
    """Yield start and end of each line, broken at spaces to at most `width` characters."""
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
    """Return the text without characters that control a terminal, and with line feeds as line ends."""
    return _UNSAFE.sub(REPLACEMENT, lines(text))


def brief(text: str) -> str:
    """Return the text without the middle of long lines."""
    half = MAX_LINE_CHARS // 2
    return "\n".join(
        f"{line[:half]} … {line[-half:]}" if len(line) > MAX_LINE_CHARS else line for line in text.split("\n")
    )


def _write(text: str) -> None:
    """Write to standard output; exit with 0 if the reader has closed it.

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
    """Return the text with `?` for characters that the encoding lacks."""
    known = encoding or "utf-8"
    return text.encode(known, "replace").decode(known)
