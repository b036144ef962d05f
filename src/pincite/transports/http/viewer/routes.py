"""The routes that the web page uses: documents, search, citations, pages. All are behind the guard and its key."""

import time
from collections.abc import Callable, Mapping
from typing import Annotated

from pydantic import BaseModel, Field, ValidationError
from pydantic_core import to_json
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from pincite.errors import InvalidInput, NotFound
from pincite.index.updating.ingestion import Added
from pincite.model.call import Call, retry_if_index_lost
from pincite.services.extraction.corrections import Correction, Verdict
from pincite.services.library.uploads import LibraryUploads
from pincite.services.tasks.base import Upload
from pincite.services.viewer.address import Address
from pincite.services.viewer.schema_check import check_schema
from pincite.services.viewer.task_results import File, counts, exported, question, table
from pincite.services.viewer.texts import part, part_at
from pincite.services.viewer.viewer import SearchFilters, Viewer
from pincite.text.json_values import from_utf8
from pincite.transports.http.exchange import Exchange, Refused, exchange_of
from pincite.transports.http.receiving.uploads import Reception
from pincite.transports.served import ServedApp
from pincite.transports.workers import Workers

API_PATH = "/api"
"""Below the path of the page, as all routes here."""

MAX_QUERY_CHARS = 2_000
"""The limit of the search tools."""

DEFAULT_RESULTS, MAX_RESULTS = 12, 50
"""Passages of one answer: those that a screen shows, and the most that a page asks for."""

MAX_COUNTED = 100
"""Tasks whose values are counted at a time: the page lists 50."""

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
"""Nothing is loaded from elsewhere, and no script or style runs that is not a file of the page: text of documents
cannot become either."""

STATIC_HEADERS = {
    "content-security-policy": CONTENT_POLICY,
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}
COMPRESSED_BYTES = 1_000
"""Size from which a file of the page is compressed: a smaller one fits into one packet."""

DATA_HEADERS = {"cache-control": "no-store", "cross-origin-resource-policy": "same-origin"}
"""Documents stay in no cache of a browser; the page keeps pictures itself, as long as it is open."""


class ViewerRoutes:
    """The page and its routes.

    Args:
        app: The application.
        workers: The threads that run the requests.
    """

    def __init__(self, app: ServedApp, workers: Workers) -> None:
        self._app = app
        self._workers = workers

    def routes(self) -> list[BaseRoute]:
        """Return the routes, the more specific ones first."""
        answers_by_path: Mapping[str, Callable[[Viewer, Request, Call], object]] = {
            "server": self._server,
            "documents": _documents,
            "search": _search,
            "citation": lambda viewer, request, call: viewer.locate(request.query_params.get("ref", ""), call),
            "document": _document,
            "file": _file,
            "lines": _lines,
            "outline": _outline,
            "find": _find,
            "text": _text,
            "locators": lambda viewer, request, call: {
                "starts": viewer.documents.locators(_address(request).task, call)
            },
            "value": _value,
            "task": lambda viewer, request, _: question(viewer.documents.service(), _address(request).task),
            "counts": _counts,
            "table": lambda viewer, request, _: table(viewer.documents.service(), _address(request).task),
            "export": _export,
            "picture": _picture,
        }
        files = PageFiles(packages=[("pincite.transports.http.viewer", "static")], html=True)
        return [
            *(Route(f"{API_PATH}/{name}", self._endpoint(answer)) for name, answer in answers_by_path.items()),
            Route(f"{API_PATH}/library", self.add, methods=["POST"]),
            Route(f"{API_PATH}/library/{{action:str}}", self.change, methods=["POST"]),
            Route(f"{API_PATH}/review", self.review, methods=["POST"]),
            Route(f"{API_PATH}/schema", self.schema, methods=["POST"]),
            Mount("/", GZipMiddleware(files, minimum_size=COMPRESSED_BYTES)),
        ]

    def _endpoint(self, answer: Callable[[Viewer, Request, Call], object]) -> Callable[..., object]:
        async def endpoint(request: Request) -> Response:
            exchange = exchange_of(request.scope)
            if exchange.is_foreign:
                raise Refused(403, "AUTH_ERROR", "Pages of another machine may not read the served documents.")
            call = self._call(exchange)
            body = await self._workers.run(lambda: retry_if_index_lost(lambda: answer(self._app.viewer, request, call)))
            if isinstance(body, File):
                return Response(body.data, media_type=body.media_type, headers=DATA_HEADERS)
            return _json(body)

        return endpoint

    async def add(self, request: Request) -> Response:
        """Add a file to the library."""
        uploads, call = await self._changeable(request)

        def submit(upload: Upload, name: str, _: Mapping[str, str]) -> Added:
            return uploads.add_file(upload, name, call)

        seconds = self._app.settings.http.request_timeout
        reception: Reception[Added] = Reception(uploads.begin, request, max_bytes=uploads.max_bytes, seconds=seconds)
        return _json(_added(await reception.receive(submit)))

    async def change(self, request: Request) -> Response:
        """Remove a document from the library, or read its file again."""
        uploads, call = await self._changeable(request)
        name, action = request.query_params.get("name", ""), request.path_params["action"]
        if action == "remove":
            await self._workers.run(lambda: uploads.remove(name, call))
            return _json({"name": name, "outcome": "removed"})
        if action == "reread":
            return _json(_added(await self._workers.run(lambda: uploads.reread(name, call))))
        raise NotFound("A document of the library can be removed or reread.")

    async def _changeable(self, request: Request) -> tuple[LibraryUploads, Call]:
        exchange = _same_origin(request, "The library is changed")
        uploads = await self._workers.run(lambda: self._app.viewer.uploads)
        if uploads is None:
            raise Refused(
                403,
                "AUTH_ERROR",
                "Uploads are off. Serve the library with PINCITE_UPLOADS=true and --toolsets knowledge.",
            )
        return uploads, Call(request_id=exchange.request_id, stop=exchange.stop)

    async def review(self, request: Request) -> Response:
        """Keep what a person says of an extracted value or of an item of a list; null takes it back."""
        exchange = _same_origin(request, "Values are reviewed")
        try:
            said = Review.model_validate_json(await request.body())
        except ValidationError as error:
            raise InvalidInput(f"A review has a task, a path and a verdict: {error.errors()[0]['msg']}.") from None
        call = self._call(exchange)
        correction = Correction(said.path, said.value, said.span)
        documents = await self._workers.run(lambda: self._app.viewer.documents)
        return _json(await self._workers.run(lambda: documents.review(said.task, correction, said.verdict, call)))

    async def schema(self, request: Request) -> Response:
        """Say how a schema is understood, while it is written."""
        exchange = exchange_of(request.scope)
        if exchange.is_foreign:
            raise Refused(403, "AUTH_ERROR", "Pages of another machine may not use the page's routes.")
        text = from_utf8(await request.body(), "schema")
        call = self._call(exchange)
        return _json(await self._workers.run(lambda: check_schema(text, call)))

    def _call(self, exchange: Exchange) -> Call:
        deadline = time.monotonic() + self._app.settings.limits.tool_timeout
        return Call(request_id=exchange.request_id, stop=exchange.stop, deadline=deadline)

    def _server(self, viewer: Viewer, request: Request, call: Call) -> object:
        del request, call
        tasks = self._app.tasks
        return {
            "collections": viewer.names,
            "toolsets": list(self._app.toolset_names),
            "library": viewer.library,
            "uploads": viewer.uploads is not None,
            "tasks": tasks is not None,
            "extensions": tasks.extensions if tasks else [],
            "library_extensions": viewer.uploads.extensions if viewer.uploads else [],
            "engines": tasks.engines if tasks else [],
        }


class Review(BaseModel):
    """What a person says of a value of a task's result."""

    task: str
    path: Annotated[tuple[str | Annotated[int, Field(ge=0)], ...], Field(min_length=1, max_length=64)]
    verdict: Verdict | None
    value: Annotated[str, Field(max_length=10_000)] = ""
    span: tuple[int, int] | None = None


class PageFiles(StaticFiles):
    """The files of the page."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file, with headers that let nothing else run."""
        response = await super().get_response(path, scope)
        response.headers.update(STATIC_HEADERS)
        return response


def _same_origin(request: Request, what: str) -> Exchange:
    """Return the exchange of a request of this page alone: a browser names the origin of every POST."""
    exchange = exchange_of(request.scope)
    if exchange.is_foreign or "origin" not in request.headers:
        raise Refused(403, "AUTH_ERROR", f"{what} on the page of this server: open /ui/.")
    return exchange


def _added(added: Added) -> Mapping[str, object]:
    return {
        "name": added.addition.name,
        "outcome": added.outcome,
        "reason": added.reason,
        "chunks": added.chunks,
        "incomplete": added.incomplete,
    }


def _json(answer: object) -> Response:
    return Response(to_json(answer), media_type="application/json", headers=DATA_HEADERS)


def _documents(viewer: Viewer, request: Request, call: Call) -> object:
    query = request.query_params
    first, count = _number(query.get("first"), "first", 0), _number(query.get("count"), "count", 100)
    gaps_only = query.get("gaps") == "true"
    return viewer.listing(
        query.get("collection", ""), query.get("contains", ""), first, count, call, gaps_only=gaps_only
    )


def _search(viewer: Viewer, request: Request, call: Call) -> object:
    query = request.query_params
    words = _words(request)
    filters = SearchFilters(
        query.get("collection", ""),
        query.get("document", ""),
        query.get("type", ""),
        query.get("kind", ""),
        query.get("normative") == "true",
        query.get("clause", "").strip(),
    )
    count = min(_number(query.get("count"), "count", DEFAULT_RESULTS), MAX_RESULTS)
    return viewer.search(words, filters, max(count, 1), call)


def _document(viewer: Viewer, request: Request, call: Call) -> object:
    with viewer.documents.opened(_address(request), call) as shown:
        return {
            "name": shown.name,
            "label": shown.label,
            "format": shown.format.name if shown.format else "",
            "pages": shown.coverage.pages,
            "hidden": shown.coverage.hidden_spans,
            "unread_pictures": shown.coverage.unread_pictures,
            "shortfall": shown.shortfall,
            "sizes": viewer.pages.sizes(shown, call),
        }


def _file(viewer: Viewer, request: Request, call: Call) -> File:
    with viewer.documents.opened(_address(request), call) as shown:
        return File(shown.blob().data, "application/octet-stream")


def _lines(viewer: Viewer, request: Request, call: Call) -> object:
    page = _number(request.query_params.get("page"), "page", 1)
    with viewer.documents.opened(_address(request), call) as shown:
        return {"page": page, "lines": viewer.pages.lines(shown, page)}


def _outline(viewer: Viewer, request: Request, call: Call) -> object:
    with viewer.documents.opened(_address(request), call) as shown:
        return {"spots": viewer.pages.outline(shown)}


def _find(viewer: Viewer, request: Request, call: Call) -> object:
    with viewer.documents.opened(_address(request), call) as shown:
        return {"spots": viewer.pages.find(shown, _words(request))}


def _text(viewer: Viewer, request: Request, call: Call) -> object:
    query = request.query_params
    with viewer.documents.opened(_address(request), call) as shown:
        text = shown.text()
    at = query.get("at")
    return part(text, _number(query.get("part"), "part", 0)) if at is None else part_at(text, _number(at, "at", 0))


def _value(viewer: Viewer, request: Request, call: Call) -> object:
    query = request.query_params
    span = _number(query.get("start"), "start", 0), _number(query.get("end"), "end", 0)
    try:
        share = float(query.get("share", "0"))
    except ValueError:
        raise InvalidInput("share should be a number.") from None
    return {"value": viewer.documents.value_at(_address(request).task, span, share, call)}


def _counts(viewer: Viewer, request: Request, call: Call) -> object:
    del call
    ids = request.query_params.get("tasks", "").split(",", MAX_COUNTED)[:MAX_COUNTED]
    return counts(viewer.documents.service(), ids)


def _export(viewer: Viewer, request: Request, call: Call) -> File:
    del call
    query = request.query_params
    alike = query.get("alike") == "true"
    return exported(viewer.documents.service(), query.get("task", ""), query.get("as", ""), alike=alike)


def _picture(viewer: Viewer, request: Request, call: Call) -> File:
    query = request.query_params
    page = _number(query.get("page"), "page", 1)
    with viewer.documents.opened(_address(request), call) as shown:
        return File(viewer.pages.picture(shown, page, call), "image/png")


def _words(request: Request) -> str:
    words = request.query_params.get("q", "").strip()
    if not words or len(words) > MAX_QUERY_CHARS:
        raise InvalidInput(f"q should have 1 to {MAX_QUERY_CHARS:,} characters.")
    return words


def _address(request: Request) -> Address:
    query = request.query_params
    return Address(query.get("collection", ""), query.get("name", ""), query.get("task", ""))


def _number(value: str | None, name: str, default: int) -> int:
    if value is None:
        return default
    if not value.isdecimal() or len(value) > 9:  # noqa: PLR2004 - a billion is more than any document has of anything
        raise InvalidInput(f"{name} should be a number.")
    return int(value)
