"""Connections to a Qdrant server, and its failures as ours. Imported with the first use of a Qdrant mirror."""

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any, TypeVar

import httpx
from qdrant_client import QdrantClient
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse

from pincite.errors import AuthError, ConfigError, ConnectionFailed, PinciteError, RateLimited, TimeoutExceeded
from pincite.store.mirrors.answers import Limits
from pincite.store.mirrors.base import EngineBusy

T = TypeVar("T")

QUERY_LIMITS = Limits(5, 2_000_000)
"""Of an answer to a query: the library's own search answers after that. 200 hits with names of 2,000 characters are a
quarter of it."""

WRITE_LIMITS = Limits(60, 256_000_000)
"""Of an answer to a batch, an index or a page of a scroll: a third of it for 500 vectors of 8,192 numbers."""

RATE_LIMITED_SECONDS = 5.0
"""Pause after a refusal for too many requests that names none."""

_UNREACHABLE = "Qdrant cannot be reached at QDRANT_URL. Start it, or correct the address."


def connect(url: str, key: str, limits: Limits) -> QdrantClient:
    """Return a client, which connects with its first request.

    Args:
        url: Of the REST interface.
        key: The API key; empty for none. Sent as a header by us: the client warns of it on a loopback address, too.
        limits: Of its answers.
    """
    headers = {"api-key": key} if key else None
    return QdrantClient(
        url=url,
        timeout=limits.seconds,
        headers=headers,
        check_compatibility=False,
        prefer_grpc=False,
        event_hooks=limits.hooks(),
    )


@contextmanager
def translated() -> Generator[None]:
    """Raise the failures of a request as ours; no message has the address, the key or a body.

    Raises:
        AuthError: The key is missing or refused.
        RateLimited: There are too many requests.
        TimeoutExceeded: There is no answer in time.
        ConnectionFailed: There is no answer, a server error, or one that is none of Qdrant's.
        ConfigError: The request is refused otherwise.
    """
    try:
        yield
    except PinciteError:
        raise
    except UnexpectedResponse as error:
        raise _refusal(error) from error
    except ResponseHandlingException as error:
        raise _failure(error.source) from error
    except (ApiException, httpx.HTTPError, ValueError, TypeError, KeyError) as error:
        raise _failure(error) from error


def found(request: Callable[..., T], *arguments: Any, **options: Any) -> T | None:
    """Return the answer to a request; None if there is no such collection. The failures are those of `translated`."""
    with translated():
        try:
            return request(*arguments, **options)
        except UnexpectedResponse as error:
            if error.status_code == HTTPStatus.NOT_FOUND:
                return None
            raise


def _refusal(error: UnexpectedResponse) -> PinciteError:
    status, reason = error.status_code or 0, _reason(error)
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        return AuthError("Qdrant refuses the key. Set QDRANT_API_KEY to one that may write to the collection.")
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return RateLimited("Qdrant has too many requests. Try again later.", retry_after=RATE_LIMITED_SECONDS)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        failure = EngineBusy if status == HTTPStatus.SERVICE_UNAVAILABLE else ConnectionFailed
        return failure(f"Qdrant fails (HTTP {status}). Its log says why.", details=reason)
    if status == HTTPStatus.NOT_FOUND:
        return ConnectionFailed(
            "Qdrant has no such collection, or QDRANT_URL is not that of a Qdrant server.", details=reason
        )
    return ConfigError(f"Qdrant refuses the request (HTTP {status}). Is QDRANT_URL its address?", details=reason)


def _failure(cause: object) -> PinciteError:
    details = type(cause).__name__
    if isinstance(cause, httpx.TimeoutException):
        return TimeoutExceeded("Qdrant does not answer in time. Check its load, or QDRANT_URL.", details=details)
    if isinstance(cause, httpx.TransportError):
        return ConnectionFailed(_UNREACHABLE, details=details)
    return ConnectionFailed("What answers at QDRANT_URL is no Qdrant server. Correct the address.", details=details)


def _reason(error: UnexpectedResponse) -> str:
    """Return what Qdrant says of a refused request, for the log."""
    try:
        status: Any = json.loads(error.content)["status"]
        return str(status["error"])[:500]
    except (ValueError, TypeError, KeyError):
        return ""


Connect = Callable[[Limits], QdrantClient]
"""Returns a client whose answers have these limits."""
