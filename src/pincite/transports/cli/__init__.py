"""The command line: `pincite COMMAND`, for people and for scripts.

Enters: arguments, the environment, standard input.
Leaves: text for people, one JSON object for scripts, an exit code.
First: `program`.
Free: a command in its module; flags, JSON fields and exit codes are promised by the guide and contract 2.
Modules: checks/, clients/, commands/, evaluation/, folders, knowledge, mirrors, opening/, parameters, printing/,
    program, results.
"""

import errno
import os
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any, cast

import typer

from pincite.errors import InternalError, InvalidInput, PinciteError
from pincite.runtime.signals import alarm, note_interrupts
from pincite.transports import problems
from pincite.transports.cli.printing import streams
from pincite.transports.cli.program import build

_USAGE_ERROR = cast("type[Exception]", typer.BadParameter.__base__)
"""The base class of the parser's errors; typer exports no name for it."""

_FAULTS_OUTSIDE = frozenset(
    {
        *(errno.EACCES, errno.EPERM, errno.EROFS, errno.ENAMETOOLONG, errno.ELOOP),
        *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EMFILE, errno.ENFILE),
    }
)
"""Errors of the operating system about a path, a disk or a limit: no bug in pincite."""


def main(program: Callable[[], typer.Typer] = build, name: str = "pincite") -> None:
    """Run the command that the process was started with, and exit with its code.

    0 success, 1 partial success, 2 nothing processed, 3 configuration, 130 interrupted. A failure is one message on
    standard error that names the next action; under `--json` it is an object on standard output too.

    Args:
        program: Makes the program.
        name: The name that its usage line shows.
    """
    sys.exit(run(program, name))


def run(program: Callable[[], typer.Typer], name: str) -> int | str | None:
    """Run a program, and return its exit code; see `main`."""
    streams.open_closed()
    interrupted = note_interrupts()
    code = _run(program, name, interrupted)
    if interrupted.is_set():
        alarm(0)
    # A library that calls back into Python may swallow KeyboardInterrupt or turn it into another error.
    return problems.exit_code(KeyboardInterrupt()) if interrupted.is_set() else code


def _run(program: Callable[[], typer.Typer], name: str, interrupted: threading.Event) -> int | str | None:
    """Run the command and return its exit code."""
    if "" in sys.argv[1:]:  # as a path it would be the working directory
        return _report(InvalidInput("An argument is empty. Leave it out, or check that the shell's variable is set."))
    try:
        return program()(prog_name=name, standalone_mode=False)
    except SystemExit as ended:
        return ended.code
    except _USAGE_ERROR as error:
        return _report(_as_invalid_input(error))
    except Exception as error:  # noqa: BLE001 - the outermost handler: people get a sentence, never a traceback
        return None if interrupted.is_set() else _report(_as_pincite_error(error))


def _as_pincite_error(error: Exception) -> PinciteError:
    """Return the error as a `PinciteError` whose message a person can read."""
    if isinstance(error, PinciteError):
        return error
    if isinstance(error, OSError) and error.errno in _FAULTS_OUTSIDE:
        # The parser prints help itself; what it could not write must not be written again at exit.
        streams.discard(sys.stdout)
        subject = "The output or a file" if error.filename is None else repr(str(error.filename))
        return InvalidInput(f"{subject} cannot be read or written: {error.strerror}.")
    if isinstance(error, FileNotFoundError) and not _has_working_directory():
        return InvalidInput("The working directory does not exist any more. Change to another one, and start again.")
    if os.environ.get("LOG_LEVEL", "").upper() == "DEBUG":
        streams.say(traceback.format_exc())
    return InternalError(f"pincite failed: {type(error).__name__}: {error}. This is a bug in pincite.")


def _has_working_directory() -> bool:
    try:
        os.getcwd()  # noqa: PTH109 - asks the system; a path would do no more
    except FileNotFoundError:
        return False
    return True


def _report(error: PinciteError) -> int:
    # Imported only when something failed: `serve` starts without it.
    from pincite.transports.cli.printing.output import Output  # noqa: PLC0415

    if isinstance(error, InternalError) and not error.suggestion:
        error.suggestion = "LOG_LEVEL=DEBUG shows where it happened. Please report it."
    Output(as_json=_wants_json()).problem(error)
    return problems.exit_code(error)


def _as_invalid_input(error: Any) -> InvalidInput:
    """Return an error of the parser as one of ours."""
    command = error.ctx.command_path if error.ctx else "pincite"
    message = str(error.format_message())
    stop = "" if message.endswith((".", "?")) else "."
    return InvalidInput(message + stop, suggestion=f"How to call it: {command} --help")


def _wants_json() -> bool:
    return "--json" in sys.argv[1:]
