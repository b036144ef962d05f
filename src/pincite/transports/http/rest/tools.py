"""REST: every tool by `POST /api/tools/{name}`, citations by URL, and the description of both."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, cast

import anyio.to_thread
from pydantic import BaseModel, Field
from pydantic_core import PydanticSerializationError, from_json, to_json
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from pincite.errors import InvalidInput, NotFound, PinciteError
from pincite.text.excerpt import well_formed
from pincite.toolkit import Answer, Tool
from pincite.transports.calls import ToolCalls
from pincite.transports.http.answers import prefers_html, refusal
from pincite.transports.http.exchange import PAGE_PATH, Refused, exchange_of, page_address
from pincite.transports.http.rest import openapi
from pincite.transports.http.rest.routes import ApiRoute
from pincite.transports.mcp.messages import repaired
from pincite.version import __version__


class Health(BaseModel):
    """Whether the server serves."""

    status: str = Field("ok", description="Always `ok`: a server that does not serve does not answer.")
    converter: str | None = Field(
        None,
        exclude_if=lambda value: value is None,
        description="What reads the documents of extraction: `built-in`, or `external` (MARKITDOWN_URL).",
    )
    tools: str | None = Field(
        None,
        exclude_if=lambda value: value is None,
        description="Where the tools of the engine `claude` run: `in-process`, or `external` (MCP_TOOLS_URL).",
    )


class Endpoint(BaseModel):
    """One route."""

    method: str
    path: str
    description: str


class Index(BaseModel):
    """What is served here."""

    name: str
    version: str
    endpoints: list[Endpoint]


class Rest:
    """The REST routes over the tools.

    Args:
        calls: The tools.
        further: Endpoints of other protocols on the same port, to be listed.
        api: Further REST routes on the same port.
        with_tools: Whether the tools are served by REST.
        with_key: Whether a key is needed.
        health: The part of the answer about the server's health.
    """

    def __init__(
        self,
        calls: ToolCalls,
        further: Sequence[Endpoint],
        api: Sequence[ApiRoute],
        *,
        with_tools: bool,
        with_key: bool,
        health: Health,
    ) -> None:
        self._calls = calls
        self._further = further
        self._api = [
            ApiRoute("GET", "/health", self.health, Health),
            ApiRoute("GET", "/", self.index, Index),
            *api,
        ]
        self._with_tools = with_tools
        self._with_key = with_key
        self._health = health
        self._description: dict[str, Any] | None = None

    def routes(self) -> list[BaseRoute]:
        """Return the routes, those that are described with the tools among them."""
        routes: list[BaseRoute] = [route.route() for route in self._api]
        if self._with_tools:
            routes += [
                Route("/openapi.json", self.openapi),
                Route("/docs", self.docs),
                Route(f"{openapi.TOOLS_PATH}/{{name}}", self.call, methods=["POST"]),
                Route(openapi.CITATIONS_PATH, self.citation),
                Route(f"{openapi.API_PATH}/{{path:path}}", self.routed, methods=["GET", "POST"]),
            ]
        return routes

    async def health(self, _: Request) -> Response:
        """Say that the server serves; needs no key and is not limited."""
        return Response(self._health.model_dump_json(), media_type="application/json")

    async def index(self, request: Request) -> Response:
        """List the endpoints; a browser is sent on to the page."""
        if prefers_html(request.headers.get("accept", "")) and self._with_tools:
            return RedirectResponse(f"{PAGE_PATH}/")
        description = await self._described()
        endpoints = [
            Endpoint(method=method.upper(), path=path, description=operation.get("description", ""))
            for path, operations in description["paths"].items()
            for method, operation in operations.items()
        ]
        listed = Index(name="pincite", version=__version__, endpoints=[*endpoints, *self._further])
        return Response(listed.model_dump_json(), media_type="application/json")

    async def openapi(self, _: Request) -> Response:
        """Return the OpenAPI description."""
        return JSONResponse(await self._described())

    async def docs(self, _: Request) -> Response:
        """Send a browser on to the page on which every endpoint can be tried."""
        return RedirectResponse(f"{PAGE_PATH}/openapi.html")

    async def call(self, request: Request) -> Response:
        """Call a tool with the JSON arguments of the body."""
        try:
            tool = (await self._calls.toolbox()).find(request.path_params["name"])
        except NotFound as error:  # a path that is not served: contract 4 has no code for it
            raise Refused(404, "VALIDATION_ERROR", error.message) from error
        return await self._answered(tool, _arguments(request, await request.body()), request)

    async def routed(self, request: Request) -> Response:
        """Call the tool that a contract gives this route."""
        path = request.url.path
        tools = {tool.route: tool for tool in await self._calls.tools() if tool.route}
        tool = tools.get(f"{request.method} {path}")
        if tool is None:
            method = _method(path, tools)
            raise HTTPException(405, headers={"allow": method}) if method else HTTPException(404)
        by_query = request.method == "GET"
        given = dict(request.query_params) if by_query else _arguments(request, await request.body())
        return await self._answered(tool, given, request)

    async def citation(self, request: Request) -> Response:
        """Open the citation `ref`."""
        tool = (await self._calls.toolbox()).find(openapi.CITATIONS_TOOL)
        return await self._answered(tool, dict(request.query_params), request)

    async def _answered(self, tool: Tool, arguments: Mapping[str, Any], request: Request) -> Response:
        exchange = exchange_of(request.scope)
        if exchange.is_foreign and not (tool.open_world or tool.is_quick):
            raise Refused(
                403,
                "AUTH_ERROR",
                "A page of another machine may not read the served documents. Name its origin in CORS_ORIGINS, or set "
                "MCP_API_KEY and let the page send the key.",
            )
        page = page_address(request.scope)
        call = exchange.call(page)
        try:
            body = await self._calls.run(tool, arguments, call, _encoded)
        except PinciteError as error:
            raise refusal(error, request.url.path, tool.error_form) from error
        return Response(body, media_type="application/json")

    async def _described(self) -> dict[str, Any]:
        if self._description is None:
            toolbox = await self._calls.toolbox() if self._with_tools else None
            describe = partial(openapi.described, toolbox, self._api, with_key=self._with_key)
            self._description = await anyio.to_thread.run_sync(describe)
        return self._description


def _method(path: str, routes: Iterable[str]) -> str:
    """Return the method of a path below `/api`; empty if nothing is there."""
    if path == openapi.CITATIONS_PATH:
        return "GET"
    if path.startswith(f"{openapi.TOOLS_PATH}/"):
        return "POST"
    return next((method for method, known in map(str.split, routes) if known == path), "")


def _arguments(request: Request, body: bytes) -> Mapping[str, Any]:
    """Return the arguments of a body; none if it is empty.

    Raises:
        Refused: Its content type is not JSON.
        InvalidInput: It is no JSON object.
    """
    if not body.strip():
        return {}
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json" and not kind.endswith("+json"):
        raise Refused(415, "VALIDATION_ERROR", "Send the arguments as JSON, with Content-Type: application/json.")
    try:
        arguments = from_json(repaired(body))
    except ValueError as error:
        raise InvalidInput(f"The body is no valid JSON: {error}.") from None
    if not isinstance(arguments, dict):
        raise InvalidInput('The body should be a JSON object of arguments, as {"query": "…"}.')
    return cast("dict[str, Any]", arguments)


def _encoded(answer: Answer) -> bytes:
    try:
        return answer.model_dump_json().encode()
    except PydanticSerializationError:  # a file name that is not UTF-8
        return to_json(well_formed(answer.model_dump(mode="json")))
