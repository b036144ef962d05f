"""The one error table: what a failure is called on each way that callers arrive."""

from collections.abc import Mapping
from dataclasses import dataclass

from pincite.errors import InternalError, PinciteError
from pincite.text.excerpt import well_formed


@dataclass(frozen=True, slots=True)
class Row:
    """How one error code is told.

    Attributes:
        status: The HTTP status.
        exit: The exit code of a command: 1 partly or later again, 2 nothing done, 3 configuration,
            130 interrupted.
    """

    status: int
    exit: int


TABLE: Mapping[str, Row] = {
    "invalid_input": Row(422, 2),
    "not_found": Row(404, 1),
    "unsupported": Row(415, 2),
    "auth_error": Row(401, 3),
    "rate_limited": Row(429, 1),
    "timeout_error": Row(504, 1),
    "connection_error": Row(503, 1),
    "config_error": Row(500, 3),
    "internal_error": Row(500, 1),
    "cancelled": Row(499, 130),
}
"""Error code → how it is told. 499 is nginx's `client closed request`."""


def row(error: BaseException) -> Row:
    """The row of a failure; whatever is no `PinciteError` is a fault of pincite itself."""
    return TABLE[error.code if isinstance(error, PinciteError) else InternalError.code]


def exit_code(error: BaseException) -> int:
    """The exit code of a command that ended with this failure; 130 for one that was interrupted."""
    return TABLE["cancelled"].exit if isinstance(error, KeyboardInterrupt) else row(error).exit


def http_status(error: BaseException) -> int:
    """The HTTP status of a request that ended with this failure."""
    return row(error).status


def text(error: PinciteError) -> str:
    """What an agent or a person reads: the message and the next action, as valid UTF-8.

    File names may hold bytes that are no UTF-8; they are shown with a replacement character.
    """
    return well_formed(f"{error.message} {error.suggestion}".rstrip())
