"""A request and its answer, as the guard passes it on to the routes."""

import threading
import uuid
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import Headers
from starlette.types import Scope

from pincite.model.call import Call
from pincite.services.extraction.capabilities import Capability

PAGE_PATH = "/ui"
"""Where the web page is."""

_KEY = "pincite.exchange"


class Refused(Exception):
    """A request that is answered with an HTTP error.

    Attributes:
        status: The HTTP status.
        code: The code in the body.
        message: What is wrong and what to do; repeats nothing of the request that could be markup.
        headers: Further headers of the answer.
    """

    def __init__(self, status: int, code: str, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.headers = headers or {}


class Gone(Exception):
    """The client has gone before its request was complete."""


@dataclass(eq=False)
class Exchange:
    """A request that the guard let through.

    Attributes:
        request_id: 12 hex digits, in the answer's headers and in every log line.
        caller: Whom the rate limit charges: the key, or an address.
        is_foreign: Whether a page of another machine asks that nobody named in CORS_ORIGINS, and no key vouches for it.
        stop: Set when the client has gone, or the server stops.
        is_answered: Whether the answer is complete.
        capability: What the request may use, if a task's token vouches for it; None for everything.
        protocol: The protocol version that it agreed on, if it is the handshake of an MCP session; else empty.
    """

    caller: str
    is_foreign: bool
    request_id: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    stop: threading.Event = field(default_factory=threading.Event)
    is_answered: bool = False
    capability: Capability | None = None
    protocol: str = ""

    def call(self, page: str) -> Call:
        """Return the context of a tool call; `page` is the address of the web page."""
        foreign = self.is_foreign and self.capability is None
        return Call(self.request_id, stop=self.stop, page=page, caller=self.caller, is_foreign=foreign)

    def attach(self, scope: Scope) -> None:
        """Pass this on with a request."""
        scope[_KEY] = self


def page_address(scope: Scope | dict[str, Any]) -> str:
    """Return the address of the web page as the caller of a request reaches it.

    The guard has checked the Host header.
    """
    return f"{scope.get('scheme', 'http')}://{Headers(scope=scope).get('host', '')}{PAGE_PATH}/"


def exchange_of(scope: Scope | dict[str, Any]) -> Exchange:
    """Return the exchange of a request."""
    return scope[_KEY]
