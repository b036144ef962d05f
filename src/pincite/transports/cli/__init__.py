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


def main() -> None:
    """Run the command that the process was started with, and exit with its code.

    0 well, 1 partly, 2 nothing done, 3 configuration, 130 interrupted. A failure is one message on
    standard error that names the next action; under `--json` it is an object on standard output too.
    """
    interrupted = _listen()
    try:
        build()(prog_name="pincite")
    except SystemExit as ended:
        # SQLite loses the interrupt that comes while it calls back into Python: the command went on.
        if interrupted.is_set() and not ended.code:
            sys.exit(problems.exit_code(KeyboardInterrupt()))
        raise
    except PinciteError as error:
        sys.exit(_report(error))
    except Exception as error:  # noqa: BLE001 - the outermost place: a person gets a sentence, never a traceback
        if os.environ.get("LOG_LEVEL", "").upper() == "DEBUG":
            traceback.print_exc()
        fault = InternalError(f"pincite failed: {type(error).__name__}: {error}. This is a fault of pincite.")
        sys.exit(_report(fault))


def _listen() -> threading.Event:
    """Set once the process was interrupted, whatever became of the exception."""
    interrupted = threading.Event()

    def note(number: int, frame: FrameType | None) -> None:
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
