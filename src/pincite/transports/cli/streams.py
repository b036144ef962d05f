"""Standard output and error of a command, which may be closed, full, or read by nobody."""

import os
import sys
from contextlib import suppress
from typing import TextIO


def open_closed() -> None:
    """Give the process a standard output and error where it was started without (`>&-`): nobody reads them."""
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison]  # Python's own stubs leave that out
        sys.stdout = _nowhere()
    if sys.stderr is None:  # pyright: ignore[reportUnnecessaryComparison]
        sys.stderr = _nowhere()


def say(text: str) -> None:
    """Write to standard error; if that cannot be written there is nobody to tell."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        discard(sys.stderr)


def discard(stream: TextIO) -> None:
    """Let what a stream still holds, and what is written to it from now on, go nowhere.

    Else the interpreter would try to write the rest when it ends, and fail.
    """
    with suppress(OSError, ValueError):  # it has no descriptor
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - until the process ends
