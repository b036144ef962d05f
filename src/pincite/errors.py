"""The exceptions: one class per kind of failure.

Each class has a stable code; `code_of` says it in the words of a contract, and `transports/problems.py` maps it to an
HTTP status, an exit code and the body of an answer.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar


class ErrorForm(StrEnum):
    """The form of a toolset's errors: a column of `transports/problems.py`."""

    MESSAGE = "message"
    """One text: the message and the next action."""

    OBJECT = "object"
    """A JSON object: `{"error": {"code", "message", "details", "recoverable", "suggestion"}}` (contract 2)."""

    CODE = "code"
    """A JSON object: `{"error": message, "code": "VALIDATION_ERROR"}`, with the codes of contract 4 alone."""

    ERROR = "error"
    """A JSON object of the message alone: `{"error": "…"}` (contract 3)."""


class PinciteError(Exception):
    """A failure that a user or an agent can act on.

    Args:
        message: The problem and the next action; safe to show to a client (no absolute
            path, no secret). Truncated to `max_chars`.
        details: Technical details, for logs.
        suggestion: The next action, if the message does not name it.
        log_message: The message for logs, if the other one repeats what a client sent, such as a question.
        recoverable: Whether the caller may succeed by calling again, corrected or later; as usual for its class if
            None.
    """

    code: ClassVar[str] = "internal_error"
    recoverable: bool = False
    max_chars: ClassVar[int] = 4_000
    """Maximum length of a message; one with five shortened names or headings stays below half of it."""

    def __init__(
        self,
        message: str,
        *,
        details: str = "",
        suggestion: str = "",
        log_message: str = "",
        recoverable: bool | None = None,
    ) -> None:
        message = message if len(message) <= self.max_chars else message[: self.max_chars - 1] + "…"
        super().__init__(message)
        self.message = message
        self.details = details
        self.suggestion = suggestion
        self.log_message = log_message or message
        if recoverable is not None:
            self.recoverable = recoverable


class InvalidInput(PinciteError):
    """An argument is missing, unknown, of the wrong type or out of its range."""

    code = "invalid_input"
    recoverable = True


class ReadingFailed(InvalidInput):
    """A file exceeds a limit, or crashed its reader."""


class Ambiguous(InvalidInput):
    """A name or a reference has several meanings; the message names them."""


class NotFound(PinciteError):
    """A page, section, document, locator or term does not exist."""

    code = "not_found"
    recoverable = True


class Unsupported(PinciteError):
    """There is no reader for this format, or an optional dependency is not installed."""

    code = "unsupported"


class AuthError(PinciteError):
    """A key is missing or was refused."""

    code = "auth_error"


class RateLimited(PinciteError):
    """There were too many requests; retry after `retry_after` seconds."""

    code = "rate_limited"
    recoverable = True

    def __init__(self, message: str, *, retry_after: float = 1.0, details: str = "", recoverable: bool = True) -> None:
        super().__init__(message, details=details or f"retry after {retry_after:g} s", recoverable=recoverable)
        self.retry_after = retry_after


class TimeoutExceeded(PinciteError):
    """The work exceeded its time limit."""

    code = "timeout_error"
    recoverable = True


class ConnectionFailed(PinciteError):
    """An external resource (a package index, a store, a URL) could not be reached."""

    code = "connection_error"
    recoverable = True


class ProcessingFailed(PinciteError):
    """A document exceeds a limit, crashed its reader, or is not of the type that a tool is for."""

    code = "processing_error"
    recoverable = True


class AgentFailed(ProcessingFailed):
    """A model that extracts had no answer that can be used: it refused, ran in circles, or wrote something else."""

    recoverable = False
    max_chars = 500
    """By contract 3."""


class DownloadFailed(PinciteError):
    """A document could not be downloaded: its server refuses, fails or is not reached, or a limit forbids it."""

    code = "download_error"
    recoverable = True


class ConfigError(PinciteError):
    """A setting is invalid, or refers to something that does not exist."""

    code = "config_error"
    max_chars = 40_000
    """Longer than for other errors: the message lists all invalid settings."""


class WritingFailed(ConfigError):
    """The index cannot be written (its disk is full, or it is read-only) but can still be read."""


class ModelUnavailable(ConfigError):
    """A model is not installed and may not be fetched, is damaged, or cannot run on this machine."""

    code = "model_load_error"


class ModelUnreachable(ConnectionFailed):
    """A model could not be fetched."""

    code = "model_fetch_error"


class IndexLost(PinciteError):
    """The index was damaged or replaced while open; the next call reopens or rebuilds it."""

    code = "connection_error"
    recoverable = True


class InternalError(PinciteError):
    """A bug in pincite; the log has the details under the request id."""

    code = "internal_error"


class Cancelled(PinciteError):
    """The call was cancelled; the work stopped at its next check."""

    code = "cancelled"
    recoverable = True


HTTP_CODES: Mapping[str, str] = {
    "invalid_input": "VALIDATION_ERROR",
    "timeout_error": "TIMEOUT",
    "connection_error": "UNAVAILABLE",
    "model_fetch_error": "MODEL_LOAD_ERROR",
}
"""The `code` of an HTTP answer, where it is not the code in capitals."""

CODES_OF_DOCUMENTS: Mapping[str, str] = {
    "not_found": "invalid_input",
    "unsupported": "processing_error",
    "connection_error": "processing_error",
    "config_error": "internal_error",
    "cancelled": "timeout_error",
}
"""Codes that contract 4 does not have, by the one of its eight that leads to the same next step. The connection is that
to the process that reads documents."""

OBJECT_CODES: Mapping[str, str] = {
    "unsupported": "invalid_input",
    "processing_error": "invalid_input",
    "download_error": "connection_error",
    "model_load_error": "config_error",
    "model_fetch_error": "connection_error",
    "cancelled": "timeout_error",
}
"""Codes that contract 2 does not have, by the one of its eight that leads to the same next step."""


def code_of(error: BaseException, form: ErrorForm = ErrorForm.MESSAGE) -> str:
    """Return the code by which answers and logs name an error; `InternalError.code` for any other exception."""
    code = error.code if isinstance(error, PinciteError) else InternalError.code
    if form is ErrorForm.OBJECT:
        return OBJECT_CODES.get(code, code)
    code = CODES_OF_DOCUMENTS.get(code, code) if form is ErrorForm.CODE else code
    return HTTP_CODES.get(code, code.upper())
