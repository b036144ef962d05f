"""Resources over MCP: the list in pages, the text of each, and notifications that are really sent.

A client of the handshake generation is told of every change of the list once it has listed or subscribed, and
of each resource that it subscribed to; a client of the later one through the stream that it opened.
"""

import asyncio
import base64
import binascii
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
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

LOOK_SECONDS = 1.0
"""How often the documents are looked at while someone wants to hear of changes."""

MAX_SUBSCRIPTIONS = 50_000
"""Of one client: as many as a folder has files at most."""

MEDIA_TYPE = "text/markdown"


class Run(Protocol):
    """Runs synchronous work beside the event loop."""

    def __call__(self, work: Callable[[], T], /) -> Awaitable[T]:
        """The work's result."""
        ...


class ResourceHandlers:
    """What the server answers about resources to one client.

    Args:
        resources: The documents; made at the first use.
        run: Runs the reading.
    """

    def __init__(self, resources: Callable[[], Resources], run: Run) -> None:
        self._resources = resources
        self._run = run
        self._bus = InMemorySubscriptionBus()
        self._listening = ListenHandler(self._bus)
        self._told: ServerSession | None = None
        self._wanted: set[str] = set()
        self._watching: asyncio.Task[None] | None = None

    async def list_resources(
        self, ctx: ServerRequestContext[Any, Any], params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """A page of the list."""
        after = _name(params.cursor) if params is not None and params.cursor else ""
        shown, following = await self._ask(lambda call: self._resources().page(call, after))
        await self._watch(ctx)
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=resource.uri,
                    name=resource.name,
                    title=resource.title,
                    mime_type=MEDIA_TYPE,
                    annotations=types.Annotations(last_modified=resource.last_modified),
                )
                for resource in shown
            ],
            next_cursor=None if following is None else _cursor(following),
        )

    async def list_templates(
        self, _: ServerRequestContext[Any, Any], params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """How the URI of any document is made, for clients that do not page through the list."""
        if params is not None and params.cursor:
            raise MCPError(code=types.INVALID_PARAMS, message="Unknown cursor: the templates are listed on one page.")
        template = types.ResourceTemplate(
            uri_template=self._resources().template,
            name="document",
            title="A document, by its path",
            mime_type=MEDIA_TYPE,
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(
        self, _: ServerRequestContext[Any, Any], params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """A document's text."""
        uri = str(params.uri)
        try:
            text = await self._run(lambda: self._resources().read(Call(), uri))
        except PinciteError as error:
            data = {"uri": excerpt(uri)}
            raise MCPError(code=types.INVALID_PARAMS, message=problems.text(error), data=data) from None
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=params.uri, mime_type=MEDIA_TYPE, text=text)]
        )

    async def subscribe(
        self, ctx: ServerRequestContext[Any, Any], params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        """From now on the client hears when this resource changes."""
        uri = str(params.uri)
        if len(uri) > MAX_URI_CHARS or len(self._wanted) >= MAX_SUBSCRIPTIONS:
            message = f"At most {MAX_SUBSCRIPTIONS:,} subscriptions, to URIs of at most {MAX_URI_CHARS:,} characters."
            raise MCPError(code=types.INVALID_PARAMS, message=message, data={"uri": excerpt(uri)})
        self._wanted.add(uri)
        await self._watch(ctx)
        return types.EmptyResult()

    async def unsubscribe(
        self, _: ServerRequestContext[Any, Any], params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        """From now on it does not."""
        self._wanted.discard(str(params.uri))
        return types.EmptyResult()

    async def listen(
        self, ctx: ServerRequestContext[Any, Any], params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """A stream of changes, until the client ends it."""
        await self._start()
        return await self._listening(ctx, params)

    def stop(self) -> None:
        """Look at the documents no more."""
        self._listening.close()
        if self._watching is not None:
            self._watching.cancel()

    async def _watch(self, ctx: ServerRequestContext[Any, Any]) -> None:
        if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            self._told = ctx.session
            await self._start()

    async def _start(self) -> None:
        if self._watching is None:
            known = await self._ask(lambda call: self._resources().revisions(call, None))
            self._watching = asyncio.get_running_loop().create_task(self._look(known))

    async def _look(self, known: Revisions) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            before = known
            try:
                known = await self._run(lambda b=before: self._resources().revisions(Call(), b))
            except PinciteError as error:
                log.info("resources.not_compared", extra={"problem": error.message})
                continue
            if known is not before:
                await self._tell(before, known)

    async def _tell(self, before: Revisions, now: Revisions) -> None:
        changed = {uri for uri, _ in before.by_uri.items() ^ now.by_uri.items()}
        if before.by_uri.keys() != now.by_uri.keys():
            await self._bus.publish(ResourcesListChanged())
            if self._told is not None:
                await self._told.send_resource_list_changed()
        for uri in sorted(changed):
            await self._bus.publish(ResourceUpdated(uri=uri))
            if self._told is not None and uri in self._wanted:
                await self._told.send_resource_updated(uri)

    async def _ask(self, work: Callable[[Call], T]) -> T:
        try:
            return await self._run(lambda: work(Call()))
        except PinciteError as error:
            raise MCPError(code=types.INVALID_PARAMS, message=problems.text(error)) from None


def _cursor(name: str) -> str:
    return base64.urlsafe_b64encode(name.encode("utf-8", "surrogatepass")).decode()


def _name(cursor: str) -> str:
    try:
        return base64.b64decode(cursor, altchars=b"-_", validate=True).decode("utf-8", "surrogatepass")
    except (binascii.Error, ValueError):
        raise MCPError(
            code=types.INVALID_PARAMS, message="Unknown cursor. List the resources from the start."
        ) from None
