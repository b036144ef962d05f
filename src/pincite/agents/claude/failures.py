"""What a failure of the Messages API means, whichever runner met it."""

from http import HTTPStatus

from pincite.errors import AgentFailed, AuthError, ConnectionFailed, PinciteError, RateLimited

MAX_CHARS = AgentFailed.max_chars
"""Maximum length of a message, by contract 3."""

_TRANSIENT = {HTTPStatus.OK, HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT}
"""Statuses below 500 after which the same request may succeed; 200 is an error in the middle of a stream."""


def of_status(
    status: int, message: str, retry_after: float | None = None, keys: str = "ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN"
) -> PinciteError:
    """Return what an HTTP status of the Messages API means.

    Args:
        status: The status.
        message: What the API says.
        retry_after: Seconds after which to ask again; None: one.
        keys: The settings that have its key.
    """
    text = f"The model's API answered {status}: {message}"[:MAX_CHARS]
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        hint = f"The model's API refused the key. Check {keys}."
        return AuthError(f"{hint} It says: {message}"[:MAX_CHARS])
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return RateLimited(text, retry_after=1.0 if retry_after is None else retry_after)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in _TRANSIENT:
        return ConnectionFailed(text)
    return AgentFailed(text)


def unreachable(detail: str) -> ConnectionFailed:
    """Return the error of a connection that failed."""
    return ConnectionFailed(f"The connection to the model failed: {detail}"[:MAX_CHARS])


def refused() -> AgentFailed:
    """Return the error of a model that will not."""
    return AgentFailed("The model refused to work on this document.")


def too_long() -> AgentFailed:
    """Return the error of an answer that was cut."""
    return AgentFailed("The model's answer is too long for one reply. Ask for fewer fields at once.")


def endless(turns: int) -> AgentFailed:
    """Return the error of a model that only calls tools."""
    return AgentFailed(f"The agent did not answer within {turns} turns. Ask for fewer fields at once.")
