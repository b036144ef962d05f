"""The command line: `pincite COMMAND`, for people and for scripts."""

import os
import signal
import sys
import threading
import traceback
from types import FrameType

from pincite.errors import InternalError, PinciteError
from pincite.transports import problems
from pincite.transports.cli.program import build

AGAIN_SECONDS = 5.0
"""From an interrupt to the next, until the command has ended: more than closing an index takes."""


def main() -> None:
    """Run the command that the process was started with, and exit with its code.

    0 well, 1 partly, 2 nothing done, 3 configuration, 130 interrupted. A failure is one message on
    standard error that names the next action; under `--json` it is an object on standard output too.
    """
    interrupted = _listen()
    code = _run(interrupted)
    if interrupted.is_set() and sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, 0)
    # An interrupt may come out as another failure, or as none: it is lost where a library calls back into Python.
    sys.exit(problems.exit_code(KeyboardInterrupt()) if interrupted.is_set() else code)


def _run(interrupted: threading.Event) -> int | str | None:
    """The exit code of the command."""
    try:
        build()(prog_name="pincite")
    except SystemExit as ended:
        return ended.code
    except PinciteError as error:
        return None if interrupted.is_set() else _report(error)
    except Exception as error:  # noqa: BLE001 - the outermost place: a person gets a sentence, never a traceback
        if os.environ.get("LOG_LEVEL", "").upper() == "DEBUG":
            traceback.print_exc()
        fault = InternalError(f"pincite failed: {type(error).__name__}: {error}. This is a fault of pincite.")
        return None if interrupted.is_set() else _report(fault)
    return None


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
    Output(as_json="--json" in sys.argv[1:]).problem(error)
    return problems.exit_code(error)
