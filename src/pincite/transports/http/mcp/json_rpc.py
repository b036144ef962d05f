"""JSON-RPC messages that are posted, taken as those over stdio: repaired, or refused with an answer."""

from pydantic_core import from_json
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from pincite.transports.http.guarding.bodies import replay
from pincite.transports.mcp.messages import refusal_of, repaired


class Checked:
    """An MCP endpoint whose messages are checked (ASGI).

    Args:
        app: The endpoint.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["method"] == "POST":
            body = repaired((await receive())["body"])  # complete, as the guard passes it on
            receive = replay(body, receive)
            if (refusal := refusal_of(_decoded(body))) is not None:
                await Response(refusal.encoded(), 400, media_type="application/json")(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _decoded(body: bytes) -> object:
    try:
        return from_json(body)
    except ValueError:  # what is no JSON, the SDK refuses
        return None
