"""The mapping of error codes to HTTP statuses and codes, exit codes and messages: one table for all interfaces."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pincite.errors import ErrorForm, InternalError, InvalidInput, PinciteError, Unsupported, WritingFailed
from pincite.text.excerpt import well_formed


@dataclass(frozen=True, slots=True)
class Row:
    """The statuses of one error code.

    Attributes:
        status: The HTTP status.
        http_code: The `code` in the body of an HTTP answer.
        exit: The exit code of a command: 1 partial success or try again, 2 nothing processed, 3 configuration error,
            130 interrupted.
    """

    status: int
    http_code: str
    exit: int


TASKS_PATH = "/tasks"
BAD_REQUEST, INSUFFICIENT_STORAGE = 400, 507

TABLE: Mapping[str, Row] = {
    "invalid_input": Row(422, "VALIDATION_ERROR", 2),
    "not_found": Row(404, "NOT_FOUND", 1),
    "unsupported": Row(415, "UNSUPPORTED", 2),
    "auth_error": Row(401, "AUTH_ERROR", 3),
    "rate_limited": Row(429, "RATE_LIMITED", 1),
    "timeout_error": Row(504, "TIMEOUT", 1),
    "connection_error": Row(503, "UNAVAILABLE", 1),
    "processing_error": Row(422, "PROCESSING_ERROR", 2),
    "download_error": Row(424, "DOWNLOAD_ERROR", 1),
    "config_error": Row(500, "CONFIG_ERROR", 3),
    "internal_error": Row(500, "INTERNAL_ERROR", 1),
    "cancelled": Row(499, "CANCELLED", 130),
}
"""Statuses by error code. 499 is nginx's `client closed request`."""


CODES_OF_DOCUMENTS: Mapping[str, str] = {
    "not_found": "invalid_input",
    "unsupported": "processing_error",
    "connection_error": "processing_error",
    "config_error": "internal_error",
    "cancelled": "timeout_error",
}
"""Codes that contract 4 does not have, by the one of its eight that leads to the same next step. The connection is that
to the process that reads documents."""


def row(error: BaseException, form: ErrorForm = ErrorForm.MESSAGE) -> Row:
    """Return the row of an error; any other exception than `PinciteError` is an internal error."""
    code = error.code if isinstance(error, PinciteError) else InternalError.code
    return TABLE[CODES_OF_DOCUMENTS.get(code, code) if form is ErrorForm.CODE else code]


def http_status(error: PinciteError, path: str) -> int:
    """Return the HTTP status of an error, which depends on the path: below `/tasks`, contract 3 answers 400.

    A full disk is 507: nothing is wrong with the request or the server, and space helps.
    """
    if is_below(path, TASKS_PATH) and isinstance(error, InvalidInput | Unsupported):
        return BAD_REQUEST
    return INSUFFICIENT_STORAGE if isinstance(error, WritingFailed) else row(error).status


def exit_code(error: BaseException) -> int:
    """Return the exit code of a command that failed with this error; 130 for `KeyboardInterrupt`."""
    return TABLE["cancelled"].exit if isinstance(error, KeyboardInterrupt) else row(error).exit


def http_body(code: str, message: str, path: str) -> dict[str, str]:
    """Return the body of a failed HTTP request, whose shape depends on the path."""
    return {"detail" if is_below(path, TASKS_PATH) else "error": message, "code": code}


def is_below(path: str, *roots: str) -> bool:
    """Return True if a path is one of the roots or below it."""
    return any(path == root or path.startswith(f"{root}/") for root in roots)


def in_form(error: PinciteError, form: ErrorForm) -> str:
    """Return the text of a failed tool call in the form of its toolset."""
    return FORMS[form](error)


def text(error: PinciteError) -> str:
    """Return the message and the next action as valid UTF-8.

    Bytes of file names that are not UTF-8 become a replacement character.
    """
    return well_formed(f"{error.message} {error.suggestion}".rstrip())


OBJECT_CODES: Mapping[str, str] = {
    "unsupported": "invalid_input",
    "processing_error": "invalid_input",
    "download_error": "connection_error",
    "cancelled": "timeout_error",
}
"""Codes that contract 2 does not have, by the one of its eight that leads to the same next step."""

SUGGESTIONS: Mapping[str, str] = {
    "config_error": "Correct the configuration and start again.",
    "connection_error": "Check that the service is reachable, and try again.",
    "timeout_error": "Try again, or ask for less.",
    "auth_error": "Check the key.",
    "not_found": "Check the name; the message names the nearest ones.",
    "invalid_input": "Correct the argument and call again.",
    "rate_limited": "Wait, and try again.",
    "internal_error": "Try again; the server's log says what failed.",
}
"""The next step by code, for an error whose message alone names it."""


def error_object(error: PinciteError) -> dict[str, Any]:
    """Return an error as the JSON object of contract 2; `details` is empty: ours are for the log and may name paths."""
    code = OBJECT_CODES.get(error.code, error.code)
    return {
        "error": {
            "code": code,
            "message": well_formed(error.message),
            "details": "",
            "recoverable": error.recoverable,
            "suggestion": well_formed(error.suggestion) or SUGGESTIONS[code],
        }
    }


def error_and_code(error: PinciteError) -> dict[str, Any]:
    """Return an error as the JSON object of contract 4."""
    return {"error": text(error), "code": row(error, ErrorForm.CODE).http_code}


OBJECTS: Mapping[ErrorForm, Callable[[PinciteError], dict[str, Any]]] = {
    ErrorForm.OBJECT: error_object,
    ErrorForm.CODE: error_and_code,
    ErrorForm.ERROR: lambda error: {"error": text(error)},
}
"""The JSON object of an error by form."""


def structured(error: PinciteError, form: ErrorForm) -> dict[str, Any] | None:
    """Return the structured content of a failed tool call; None if its form is a text alone."""
    return OBJECTS[form](error) if form in OBJECTS else None


def _as_json(form: ErrorForm) -> Callable[[PinciteError], str]:
    return lambda error: json.dumps(OBJECTS[form](error), ensure_ascii=False)


FORMS: Mapping[ErrorForm, Callable[[PinciteError], str]] = {
    ErrorForm.MESSAGE: text,
    **{form: _as_json(form) for form in OBJECTS},
}
"""The text of an error by form."""
