"""The error tree: one class per kind of failure.

Each class carries the code of the contracts; `transports/problems.py` is the one
place that maps a code to an HTTP status, an exit code or a face's own words.
"""

from typing import ClassVar


class PinciteError(Exception):
    """A failure that a person or an agent can act on.

    Args:
        message: What is wrong and what to do next; safe to show to a client (no
            absolute path, no secret). Cut at `max_chars`, whatever of others it repeats.
        details: More of it, for a log or a curious reader.
        suggestion: The next action, where the message does not name it already.
    """

    code: ClassVar[str] = "internal_error"
    recoverable: ClassVar[bool] = False
    max_chars: ClassVar[int] = 4_000
    """Longest message: with five names or headings of other's making, each shortened, none reaches half of it."""

    def __init__(self, message: str, *, details: str = "", suggestion: str = "") -> None:
        message = message if len(message) <= self.max_chars else message[: self.max_chars - 1] + "…"
        super().__init__(message)
        self.message = message
        self.details = details
        self.suggestion = suggestion


class InvalidInput(PinciteError):
    """An argument is missing, unknown, of the wrong type or out of its range."""

    code = "invalid_input"
    recoverable = True


class ReadingFailed(InvalidInput):
    """A file was given up: it is more than a limit allows, or its reader died of it."""


class NotFound(PinciteError):
    """A page, section, document, locator or term does not exist."""

    code = "not_found"
    recoverable = True


class Unsupported(PinciteError):
    """No reader for this format, or an optional part that is not installed."""

    code = "unsupported"


class AuthError(PinciteError):
    """A key is missing or was refused."""

    code = "auth_error"


class RateLimited(PinciteError):
    """Too many requests; `retry_after` says in how many seconds to come back."""

    code = "rate_limited"
    recoverable = True

    def __init__(self, message: str, *, retry_after: float = 1.0, details: str = "") -> None:
        super().__init__(message, details=details)
        self.retry_after = retry_after


class TimeoutExceeded(PinciteError):
    """The work did not end within its time budget."""

    code = "timeout_error"
    recoverable = True


class ConnectionFailed(PinciteError):
    """Something outside (a package index, a store, a URL) could not be reached."""

    code = "connection_error"
    recoverable = True


class ConfigError(PinciteError):
    """A setting is wrong, or something that it asks for is not there."""

    code = "config_error"
    max_chars = 40_000
    """All faults are named at once."""


class WritingFailed(ConfigError):
    """An index cannot be written: its disk is full, or it is read-only. What is in it can still be read."""


class IndexLost(PinciteError):
    """The index was damaged or replaced while it was open: the next call opens it, or begins it, anew."""

    code = "connection_error"
    recoverable = True


class InternalError(PinciteError):
    """A fault of pincite itself; the log holds the details under the request id."""

    code = "internal_error"


class Cancelled(PinciteError):
    """The caller went away; the work stopped at its next checkpoint."""

    code = "cancelled"
    recoverable = True
