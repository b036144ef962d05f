"""MCP resources: the list in pages, the text of each, and change notifications.

A client of a protocol version with a handshake (2025-11-25) is notified of list changes once it has listed or
subscribed, and of each resource that it subscribed to, as long as its session lasts. A client of a later version
receives them in the stream that it opened with `subscriptions/listen`.
"""

import asyncio
import base64
import binascii
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

import mcp_types as types
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourcesListChanged, ResourceUpdated
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from pincite.errors import PinciteError
from pincite.model.call import Call
from pincite.services.resources import MAX_URI_CHARS, Resources, Revisions
from pincite.text.excerpt import excerpt
from pincite.transports import problems

log = logging.getLogger("pincite.mcp")

T = TypeVar("T")

POLL_SECONDS = 1.0
"""Interval between two checks for changed documents while a client listens."""

MAX_SUBSCRIPTIONS = 50_000
"""Subscriptions of one client: the default maximum of files in a folder (`PINCITE_MAX_FILES`)."""

MEDIA_TYPE = "text/markdown"


class Run(Protocol):
    """Run synchronous work outside the event loop."""

    def __call__(self, work: Callable[[], T], /) -> Awaitable[T]:
        """Return the result of the work."""
        ...


class ResourceHandlers:
    """The request handlers for resources, for all clients of a server.

    Args:
        resources: Returns the documents; creates them at the first call.
        run: Runs synchronous work.
    """

    def __init__(self, resources: Callable[[], Resources], run: Run) -> None:
        self._resources = resources
        self._run = run
        self._bus = InMemorySubscriptionBus()
        self._listener = ListenHandler(self._bus)
        self._subscribers: dict[int, _Subscriber] = {}
        self._polling: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()

    async def list_resources(
        self, ctx: ServerRequestContext[Any, Any], params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """Handle `resources/list`: return a page of the list."""
        after = _decoded_cursor(params.cursor) if params is not None and params.cursor else ""
        shown, following = await self._run_call(lambda call: self._resources().document_page(call, after))
        await self._subscriber(ctx)
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=resource.uri,
                    name=resource.name,
                    title=resource.title,
                    mime_type=MEDIA_TYPE,
                    annotations=_annotations(resource.last_modified),
                )
                for resource in shown
            ],
            next_cursor=None if following is None else _cursor(following),
        )

    async def list_templates(
        self, _: ServerRequestContext[Any, Any], params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """Handle `resources/templates/list`: return the URI template of a document."""
        if params is not None and params.cursor:
            raise MCPError(code=types.INVALID_PARAMS, message="Unknown cursor: the templates are listed on one page.")
        templates = [
            types.ResourceTemplate(
                uri_template=template, name="document", title="A document, by its path", mime_type=MEDIA_TYPE
            )
            for template in self._resources().templates
        ]
        return types.ListResourceTemplatesResult(resource_templates=templates)

    async def read_resource(
        self, _: ServerRequestContext[Any, Any], params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """Handle `resources/read`: return the text of a document."""
        uri = str(params.uri)
        try:
            text = await self._run(lambda: self._resources().document_text(Call(), uri))
        except PinciteError as error:
            data = {"uri": excerpt(uri)}
            raise MCPError(code=types.INVALID_PARAMS, message=problems.text(error), data=data) from None
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=params.uri, mime_type=MEDIA_TYPE, text=text)]
        )

    async def subscribe(
        self, ctx: ServerRequestContext[Any, Any], params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        """Handle `resources/subscribe`: notify the client when this resource changes."""
        uri = str(params.uri)
        subscriber = await self._subscriber(ctx)
        if len(uri) > MAX_URI_CHARS or len(subscriber.uris) >= MAX_SUBSCRIPTIONS:
            message = f"At most {MAX_SUBSCRIPTIONS:,} subscriptions, to URIs of at most {MAX_URI_CHARS:,} characters."
            raise MCPError(code=types.INVALID_PARAMS, message=message, data={"uri": excerpt(uri)})
        subscriber.uris.add(uri)
        return types.EmptyResult()

    async def unsubscribe(
        self, ctx: ServerRequestContext[Any, Any], params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        """Handle `resources/unsubscribe`."""
        (await self._subscriber(ctx)).uris.discard(str(params.uri))
        return types.EmptyResult()

    async def listen(
        self, ctx: ServerRequestContext[Any, Any], params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """Handle `subscriptions/listen`: stream changes until the client ends the stream."""
        await self._start_polling()
        return await self._listener(ctx, params)

    def stop(self) -> None:
        """Stop checking for changes."""
        self._listener.close()
        if self._polling is not None:
            self._polling.cancel()

    async def _subscriber(self, ctx: ServerRequestContext[Any, Any]) -> "_Subscriber":
        """Return what the client of a session is notified of. Later protocol versions have no sessions: there, it is
        forgotten with the request.
        """
        connection = ctx.session._connection  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] - the SDK shows a session's end nowhere else
        key = id(connection)
        if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return _Subscriber(connection)
        if key not in self._subscribers:
            self._subscribers[key] = _Subscriber(connection)
            connection.exit_stack.callback(self._subscribers.pop, key, None)
            await self._start_polling()
        return self._subscribers[key]

    async def _start_polling(self) -> None:
        async with self._starting:
            if self._polling is None:
                known = await self._run_call(lambda call: self._resources().revisions(call, None))
                self._polling = asyncio.get_running_loop().create_task(self._poll(known))

    async def _poll(self, known: Revisions) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            before = known
            try:
                known = await self._run(lambda b=before: self._resources().revisions(Call(), b))
            # A folder that is unreachable for a moment must not end the notifications.
            except PinciteError as error:
                log.info("resources.not_compared", extra={"problem": error.message})
                continue
            if known is not before:
                await self._notify(before, known)

    async def _notify(self, before: Revisions, now: Revisions) -> None:
        changed = {uri for uri, _ in before.by_uri.items() ^ now.by_uri.items()}
        if before.by_uri.keys() != now.by_uri.keys():
            await self._bus.publish(ResourcesListChanged())
            for subscriber in self._subscribers.values():
                subscriber.notify(None)
        for uri in sorted(changed):
            await self._bus.publish(ResourceUpdated(uri=uri))
        for subscriber in self._subscribers.values():
            for uri in sorted(changed & subscriber.uris):
                subscriber.notify(uri)

    async def _run_call(self, work: Callable[[Call], T]) -> T:
        try:
            return await self._run(lambda: work(Call()))
        except PinciteError as error:
            raise MCPError(code=types.INVALID_PARAMS, message=problems.text(error)) from None


def _annotations(last_modified: str | None) -> types.Annotations | None:
    return types.Annotations(last_modified=last_modified) if last_modified else None


class _Subscriber:
    """A client of a session and what it is notified of."""

    def __init__(self, connection: Connection) -> None:
        self.uris: set[str] = set()
        self._connection = connection
        self._pending: dict[str | None, None] = {}
        self._sending: asyncio.Task[None] | None = None

    def notify(self, uri: str | None) -> None:
        """Send that a resource changed, or for None that the list did, without waiting for the client.

        A client that reads slowly receives one notification for several changes.
        """
        self._pending[uri] = None
        if self._sending is None or self._sending.done():
            self._sending = asyncio.get_running_loop().create_task(self._send())

    async def _send(self) -> None:
        while self._pending:
            uri = next(iter(self._pending))
            del self._pending[uri]
            if uri is None:
                await self._connection.send_resource_list_changed()
            else:
                await self._connection.send_resource_updated(uri)


def _cursor(name: str) -> str:
    # File names may contain bytes that are not UTF-8; `surrogatepass` keeps them.
    return base64.urlsafe_b64encode(name.encode("utf-8", "surrogatepass")).decode()


def _decoded_cursor(cursor: str) -> str:
    try:
        return base64.b64decode(cursor, altchars=b"-_", validate=True).decode("utf-8", "surrogatepass")
    except (binascii.Error, ValueError):
        raise MCPError(
            code=types.INVALID_PARAMS, message="Unknown cursor. List the resources from the start."
        ) from None
