"""REST routes that are described by OpenAPI, and applications that are built at their first request."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from pincite.version import __version__


@dataclass(frozen=True, slots=True)
class ApiRoute:
    """A REST route with its description; the endpoint's docstring says what it does.

    Attributes:
        method: Its method.
        path: Its path, with parameters in braces.
        endpoint: Answers a request.
        model: The model of the answer; None for no JSON, or for JSON of any shape.
        status: The status of the answer.
        tag: The group in the description; empty for none.
        extra: What else the description has: parameters, or a body.
    """

    method: str
    path: str
    endpoint: Callable[[Request], Awaitable[Response]]
    model: type[BaseModel] | None = None
    status: int = 200
    tag: str = ""
    extra: Mapping[str, Any] | None = None

    def route(self) -> Route:
        """Return the route that answers."""
        return Route(self.path, self.endpoint, methods=[self.method])


def described(routes: Iterable[ApiRoute]) -> dict[str, Any]:
    """Return the OpenAPI description of routes."""
    # FastAPI describes the routes, and answers none: its import would be a sixth of the time until a server is ready.
    from fastapi import FastAPI  # noqa: PLC0415

    app = FastAPI(title="pincite", version=__version__)
    for route in routes:
        app.add_api_route(
            route.path,
            route.endpoint,
            methods=[route.method],
            response_model=route.model,
            status_code=route.status,
            tags=[route.tag] if route.tag else None,
            openapi_extra=dict(route.extra) if route.extra else None,
        )
    return app.openapi()


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
