"""What a command prints: text for people, one JSON object for machines, colours on a terminal only."""

import json
import os
import re
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import typer

from pincite.errors import PinciteError
from pincite.model.call import Progress, silent

_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control and direction characters, and halves of characters: what a document holds must not steer a terminal."""

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
        self._coloured = sys.stdout.isatty() and not plain
        self._lively = sys.stderr.isatty() and not plain and not as_json

    def line(self, text: str = "") -> None:
        """Print a line of the result."""
        if not self.as_json:
            _write(text + "\n")

    def document(self, text: str) -> None:
        """Print a whole document: as it is into a file or a pipe, made safe for a terminal."""
        if not self.as_json:
            _write(safe(text.replace("\r\n", "\n")) if sys.stdout.isatty() else text)

    def data(self, value: Mapping[str, Any]) -> None:
        """Print the JSON object."""
        if self.as_json:
            _write(json.dumps(value, indent=2) + "\n")

    def note(self, text: str) -> None:
        """Say something beside the result."""
        if not self.as_json:
            sys.stderr.write(f"note: {safe(text)}\n")

    def problem(self, error: PinciteError) -> None:
        """Say what went wrong and what to do next."""
        found = {"code": error.code, "message": error.message, "suggestion": error.suggestion or None}
        self.data({"error": found})
        sys.stderr.write(f"error: {safe(error.message)}\n")
        if error.suggestion:
            sys.stderr.write(f"       {safe(error.suggestion)}\n")

    def style(self, text: str, name: str) -> str:
        """The text, in a style where that shows."""
        return f"\x1b[{_STYLES[name]}m{text}\x1b[0m" if self._coloured and text else text

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
        """A progress bar on a terminal, else nothing."""
        if not self._lively:
            yield silent
            return
        from rich.console import Console  # noqa: PLC0415 - only a terminal pays for it
        from rich.progress import Progress as Bar  # noqa: PLC0415

        with Bar(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("", total=None)

            def show(done: float, total: float | None, message: str) -> None:
                bar.update(task, completed=done, total=total, description=message)

            yield show


def safe(text: str) -> str:
    """The text without characters that would steer a terminal."""
    return _UNSAFE.sub("\N{REPLACEMENT CHARACTER}", text)


def _write(text: str) -> None:
    """Write to standard output; whoever closed it has read enough."""
    try:
        sys.stdout.write(_encodable(text, sys.stdout.encoding))
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None


def _encodable(text: str, encoding: str | None) -> str:
    """The text as far as a terminal of this encoding can show it."""
    known = encoding or "utf-8"
    return text.encode(known, "replace").decode(known)
