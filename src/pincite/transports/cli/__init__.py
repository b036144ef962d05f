"""The command line: `pincite COMMAND`, for people and for scripts."""

import errno
import io
import os
import signal
import sys
import threading
import traceback
from types import FrameType
from typing import Any, cast

import typer

from pincite.errors import InternalError, InvalidInput, PinciteError
from pincite.transports import problems
from pincite.transports.cli import streams
from pincite.transports.cli.program import build

_USAGE_ERROR = cast("type[Exception]", typer.BadParameter.__base__)
"""What the parser raises for wrong arguments; it has no name that typer makes public."""

_FAULTS_OUTSIDE = frozenset(
    {
        *(errno.EACCES, errno.EPERM, errno.EROFS, errno.ENAMETOOLONG, errno.ELOOP),
        *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EMFILE, errno.ENFILE),
    }
)
"""What the system refuses because of a path, a disk or a limit, and no fault of pincite's."""

AGAIN_SECONDS = 5.0
"""From an interrupt to the next, until the command has ended: more than closing an index takes."""


def main() -> None:
    """Run the command that the process was started with, and exit with its code.

    0 well, 1 partly, 2 nothing done, 3 configuration, 130 interrupted. A failure is one message on
    standard error that names the next action; under `--json` it is an object on standard output too.
    """
    streams.open_closed()
    interrupted = _listen()
    code = _run(interrupted)
    if interrupted.is_set() and sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, 0)
    # An interrupt may come out as another failure, or as none: it is lost where a library calls back into Python.
    sys.exit(problems.exit_code(KeyboardInterrupt()) if interrupted.is_set() else code)


def _run(interrupted: threading.Event) -> int | str | None:
    """The exit code of the command."""
    try:
        return build()(prog_name="pincite", standalone_mode=False)
    except SystemExit as ended:
        return ended.code
    except _USAGE_ERROR as error:
        return _explain(error)
    except Exception as error:  # noqa: BLE001 - the outermost place: a person gets a sentence, never a traceback
        return None if interrupted.is_set() else _report(_told(error))


def _told(error: Exception) -> PinciteError:
    """The failure as a person is told of it."""
    if isinstance(error, PinciteError):
        return error
    if isinstance(error, OSError) and error.errno in _FAULTS_OUTSIDE:
        # Help is printed by the parser; what it could not write must not be tried again at the end.
        streams.discard(sys.stdout)
        what = "The output or a file" if error.filename is None else repr(str(error.filename))
        return InvalidInput(f"{what} cannot be read or written: {error.strerror}.")
    if os.environ.get("LOG_LEVEL", "").upper() == "DEBUG":
        streams.say(traceback.format_exc())
    return InternalError(f"pincite failed: {type(error).__name__}: {error}. This is a fault of pincite.")


def _listen() -> threading.Event:
    """Set once the process was interrupted, whatever becomes of the exception.

    One that is lost is raised again after a while, or the work would go on to its end.
    """
    interrupted = threading.Event()

    def note(number: int, frame: FrameType | None) -> None:
        if not interrupted.is_set() and sys.platform != "win32":
            signal.signal(signal.SIGALRM, note)
            signal.setitimer(signal.ITIMER_REAL, AGAIN_SECONDS, AGAIN_SECONDS)
        interrupted.set()
        signal.default_int_handler(number, frame)

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, note)
    return interrupted


def _report(error: PinciteError) -> int:
    # Imported only when something failed: `serve` starts without it.
    from pincite.transports.cli.output import Output  # noqa: PLC0415

    if isinstance(error, InternalError) and not error.suggestion:
        error.suggestion = "LOG_LEVEL=DEBUG shows where it happened. Please report it."
    Output(as_json=_wants_json()).problem(error)
    return problems.exit_code(error)


def _explain(error: Any) -> int:
    """Say how the command is used, and what was wrong; the parser's own words."""
    from pincite.transports.cli.output import Output, brief  # noqa: PLC0415 - as above

    shown = io.StringIO()
    error.show(shown)
    Output(as_json=_wants_json()).failure(InvalidInput.code, brief(error.format_message()))
    streams.say(brief(shown.getvalue()))
    return cast("int", error.exit_code)


def _wants_json() -> bool:
    return "--json" in sys.argv[1:]
