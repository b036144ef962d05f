"""The mapping of error codes to HTTP statuses, exit codes and next steps: one table for all interfaces."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from pincite.errors import (
    CODES_OF_DOCUMENTS,
    ErrorForm,
    InternalError,
    InvalidInput,
    PinciteError,
    Unsupported,
    WritingFailed,
    code_of,
)
from pincite.text.excerpt import excerpt, well_formed

SUCCESS = 0
PARTIAL = 1
"""A command answered, but something is missing, stale, or below what was required."""
NOTHING = 2
"""Nothing could be processed."""
CONFIGURATION = 3
"""A setting is wrong."""
INTERRUPTED = 130
"""A person stopped it."""

TASKS_PATH = "/tasks"
BAD_REQUEST, INSUFFICIENT_STORAGE = 400, 507

STATUSES: Mapping[str, int] = {
    "invalid_input": 422,
    "not_found": 404,
    "unsupported": 415,
    "auth_error": 401,
    "rate_limited": 429,
    "timeout_error": 504,
    "connection_error": 503,
    "processing_error": 422,
    "download_error": 424,
    "model_load_error": 503,
    "model_fetch_error": 503,
    "config_error": 500,
    "internal_error": 500,
    "cancelled": 499,
}
"""HTTP statuses by error code. 499 is nginx's `client closed request`."""

EXITS: Mapping[str, int] = {
    "auth_error": CONFIGURATION,
    "model_load_error": CONFIGURATION,
    "config_error": CONFIGURATION,
    "cancelled": INTERRUPTED,
}
"""Exit codes of a command that an error ended, by error code; `NOTHING` for every other one."""


def status(error: BaseException, form: ErrorForm = ErrorForm.MESSAGE) -> int:
    """Return the HTTP status of an error; any other exception than `PinciteError` is an internal error."""
    code = error.code if isinstance(error, PinciteError) else InternalError.code
    return STATUSES[CODES_OF_DOCUMENTS.get(code, code) if form is ErrorForm.CODE else code]


def http_status(error: PinciteError, path: str) -> int:
    """Return the HTTP status of an error, which depends on the path: below `/tasks`, contract 3 answers 400.

    A full disk is 507: nothing is wrong with the request or the server, and space helps.
    """
    if is_below(path, TASKS_PATH) and isinstance(error, InvalidInput | Unsupported):
        return BAD_REQUEST
    return INSUFFICIENT_STORAGE if isinstance(error, WritingFailed) else status(error)


def exit_code(error: BaseException) -> int:
    """Return the exit code of a command that failed with this error; 130 for `KeyboardInterrupt`."""
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    return EXITS.get(error.code, NOTHING) if isinstance(error, PinciteError) else NOTHING


def http_body(code: str, message: str, path: str) -> dict[str, str]:
    """Return the body of a failed HTTP request, whose shape depends on the path."""
    return {"detail" if is_below(path, TASKS_PATH) else "error": message, "code": code}


def is_below(path: str, *roots: str) -> bool:
    """Return True if a path is one of the roots or below it."""
    return any(path == root or path.startswith(f"{root}/") for root in roots)


def text(error: PinciteError) -> str:
    """Return the message and the next action as valid UTF-8.

    Bytes of file names that are not UTF-8 become a replacement character.
    """
    return well_formed(f"{error.message} {error.suggestion}".rstrip())


SUGGESTIONS: Mapping[str, str] = {
    "connection_error": "Check that the service is reachable, and call again.",
    "timeout_error": "Call again, or ask for less.",
    "not_found": "Check the name, and call again; the message names the nearest ones.",
    "invalid_input": "Correct the argument and call again.",
    "rate_limited": "Wait, and call again.",
}
"""The next step by code, for a recoverable error whose message alone names it."""

LATER = "Call again later."
"""The next step for any other recoverable error."""

REPAIRS: Mapping[str, str] = {
    "config_error": "Correct the configuration and restart the server.",
    "auth_error": "Check the key in the configuration of the server.",
    "rate_limited": "Raise the quota of the service.",
    "invalid_input": "Use another file, or install what the message names.",
}
"""The next step by code, for an error that no further call gets past."""

READ_LOG = "Look into the server's log, which says what failed."
"""The next step for any other error."""

_PRIVATE = re.compile(r"(?:[A-Za-z]:)?[\\/](?:[^\s'\"\\/]+[\\/])*|\b\d+(?:\.\d+){3}(?::\d+)?\b")
"""The folders of a path, the host of a URL, or an address: clients see none."""


def error_object(error: PinciteError) -> dict[str, Any]:
    """Return an error as the JSON object of contract 2; `details` are the logged ones without folders and hosts."""
    code = code_of(error, ErrorForm.OBJECT)
    step = SUGGESTIONS.get(code, LATER) if error.recoverable else REPAIRS.get(code, READ_LOG)
    return {
        "error": {
            "code": code,
            "message": well_formed(error.message),
            "details": well_formed(excerpt(_PRIVATE.sub("", error.details))),
            "recoverable": error.recoverable,
            "suggestion": well_formed(error.suggestion) or step,
        }
    }


def error_and_code(error: PinciteError) -> dict[str, Any]:
    """Return an error as the JSON object of contract 4."""
    return {"error": text(error), "code": code_of(error, ErrorForm.CODE)}


OBJECTS: Mapping[ErrorForm, Callable[[PinciteError], dict[str, Any]]] = {
    ErrorForm.OBJECT: error_object,
    ErrorForm.CODE: error_and_code,
    ErrorForm.ERROR: lambda error: {"error": text(error)},
}
"""The JSON object of an error by form."""


def structured(error: PinciteError, form: ErrorForm) -> dict[str, Any] | None:
    """Return the structured content of a failed tool call; None if its form is a text alone."""
    return OBJECTS[form](error) if form in OBJECTS else None


def in_form(error: PinciteError, form: ErrorForm) -> str:
    """Return the text of a failed tool call in the form of its toolset."""
    answer = structured(error, form)
    return text(error) if answer is None else json.dumps(answer, ensure_ascii=False)
