"""Standard output and error of a command, which may be closed, full, or a broken pipe."""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from pincite.errors import InvalidInput
from pincite.text.excerpt import excerpt


def open_closed() -> None:
    """Open an empty standard input, and an output and error that discard everything, if the process was started without
    (`<&-`, `>&-`): a file that is opened later would get the descriptor.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - until the process ends


def say(text: str) -> None:
    """Write to standard error; ignore errors, since nothing else could report them."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        discard(sys.stderr)


@contextmanager
def writing(file: Path) -> Generator[None]:
    """Name the file that could not be written in a block.

    Raises:
        InvalidInput: It could not.
    """
    try:
        yield
    except OSError as error:
        raise InvalidInput(f"{excerpt(str(file))!r} cannot be written: {error.strerror}.") from error


def discard(stream: TextIO) -> None:
    """Discard what a stream has buffered, and what is written to it from now on.

    Otherwise the interpreter tries to write the buffer at exit, and fails.
    """
    with suppress(OSError, ValueError):  # a stream without a descriptor
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
