"""REST routes that are described by OpenAPI, and applications that are built at their first request."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send


@dataclass(frozen=True, slots=True)
class ApiRoute:
    """A REST route with its description; the endpoint's docstring says what it does.

    Attributes:
        method: Its method.
        path: Its path, with parameters in braces.
        endpoint: Answers a request.
        model: The model of the answer; None for no JSON, or for JSON of any shape.
        status: The status of the answer.
        failures: The statuses that it may answer instead, besides the ones that every route has.
        tag: The group in the description; empty for none.
        extra: What else the description has: parameters, or a body.
    """

    method: str
    path: str
    endpoint: Callable[[Request], Awaitable[Response]]
    model: type[BaseModel] | None = None
    status: int = 200
    failures: tuple[int, ...] = ()
    tag: str = ""
    extra: Mapping[str, Any] | None = None

    def route(self) -> Route:
        """Return the route that answers."""
        return Route(self.path, self.endpoint, methods=[self.method])


def form(required: Mapping[str, str], optional: Mapping[str, str] | None = None) -> Mapping[str, Any]:
    """Return the description of a multipart form by its fields, of which the first is a file."""
    texts = {**required, **(optional or {})}
    file = next(iter(texts))
    fields = {
        name: {"type": "string", **({"format": "binary"} if name == file else {}), "description": text}
        for name, text in texts.items()
    }
    schema = {"type": "object", "required": list(required), "properties": fields}
    return {"requestBody": {"required": True, "content": {"multipart/form-data": {"schema": schema}}}}


def in_path(name: str, **further: str) -> Mapping[str, Any]:
    """Return the description of a parameter in a path."""
    return {"parameters": [{"name": name, "in": "path", "required": True, **further, "schema": {"type": "string"}}]}


class Later:
    """An ASGI application that is built at its first request: what it imports is no part of a start.

    Args:
        build: Returns the application.
    """

    def __init__(self, build: Callable[[], ASGIApp]) -> None:
        self._build = build
        self._built: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if self._built is None:
            self._built = self._build()
        await self._built(scope, receive, send)
