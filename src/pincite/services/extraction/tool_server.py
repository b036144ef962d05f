"""Client of a tool server: the tools of a task, called over MCP (MCP_TOOLS_URL) instead of this process's own."""

import json
import threading
import time
from collections.abc import AsyncGenerator, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotDone
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from pincite.errors import ConnectionFailed, PinciteError, ProcessingFailed
from pincite.model.call import Call
from pincite.runtime.imports import import_once
from pincite.text.excerpt import excerpt
from pincite.toolkit import Answer, Tool, Toolbox

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal
    from mcp import Client
    from mcp_types import CallToolResult

VARIABLE = "MCP_TOOLS_URL"
MCP_PATH, SSE_PATH = "/mcp", "/sse"

CONNECT_SECONDS = 10.0
"""Maximum time until the tool server has introduced itself, once the client is imported."""

CALL_SECONDS = 150.0
"""Maximum time of a call: longer than the tool's own limit of 120 s, so that the tool says what took too long."""

POLL_SECONDS = 0.05
"""Interval at which a call checks for cancellation: below what a person notices."""


class ToolServerFailed(ConnectionFailed):
    """The tool server cannot be reached, or does not answer: nothing that its caller could correct."""


class RemoteAnswer(Answer):
    """What a tool server answered, as it is shown to a model."""

    text: str

    def text_form(self, dumped: Mapping[str, Any]) -> object:
        """See `Answer.text_form`."""
        return json.loads(dumped["text"])


class RemoteTools:
    """Calls tools on a tool server. Thread-safe; to be closed.

    Args:
        tools: The same tools here: their names, descriptions and arguments are the contract's.
        url: The address of the tool server: `/sse` at its end chooses SSE, everything else streamable HTTP.
        token: Opens what the task may read.
        call: Checked for cancellation while the session begins.

    Raises:
        ToolServerFailed: It cannot be reached, or refuses the token.
        Cancelled, TimeoutExceeded: See `Call.check`.
    """

    def __init__(self, tools: Toolbox, url: str, token: str, call: Call) -> None:
        from anyio.from_thread import start_blocking_portal  # noqa: PLC0415 - not at start-up

        _import_client()
        self._tools = tools
        self._token = token
        self._ready = threading.Event()
        self._stack = ExitStack()
        self._portal: BlockingPortal = self._stack.enter_context(start_blocking_portal())
        # One task begins and ends the session: its scopes of cancellation may not be left by another one.
        self._session: Future[None] = self._portal.start_task_soon(self._hold, endpoint(url))
        try:
            self._connect(call)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the session."""
        self._session.cancel()
        self._stack.close()

    def _connect(self, call: Call) -> None:
        deadline = time.monotonic() + CONNECT_SECONDS
        while not self._ready.wait(POLL_SECONDS):
            call.check()
            if self._session.done() or time.monotonic() > deadline:
                error = self._session.exception() if self._session.done() else TimeoutError()
                raise self._failed(error or TimeoutError())

    async def _hold(self, url: str) -> None:
        import anyio  # noqa: PLC0415 - not at start-up

        async with _session(url, self._token) as self._client:
            self._ready.set()
            await anyio.sleep_forever()

    def find(self, name: str) -> Tool:
        """See `Toolbox.find`."""
        return self._tools.find(name)

    def call(self, name: str, arguments: Mapping[str, Any], call: Call) -> RemoteAnswer:
        """Run a tool.

        Raises:
            ToolServerFailed: The tool server cannot be reached any more.
            PinciteError: The tool failed, or the call was cancelled or out of time.
        """
        running: Future[CallToolResult] = self._portal.start_task_soon(
            self._client.call_tool, name, dict(arguments), CALL_SECONDS
        )
        try:
            result = self._result(running, call)
        except PinciteError:
            running.cancel()
            raise
        except Exception as error:  # of the client, its streams or its thread: the server is lost in any case
            raise self._failed(error) from error
        text = next((block.text for block in result.content if block.type == "text"), "")
        if result.is_error:
            raise ProcessingFailed(_message(text))
        try:
            json.loads(text)
        except ValueError:
            raise ToolServerFailed(f"The tool server ({VARIABLE}) answered no JSON.") from None
        return RemoteAnswer(text=text)

    def _result(self, running: "Future[CallToolResult]", call: Call) -> "CallToolResult":
        while True:
            call.check()
            try:
                return running.result(POLL_SECONDS)
            except NotDone:
                if running.done():
                    raise

    def _failed(self, error: BaseException) -> ToolServerFailed:
        """Return the error of a connection, without the token and the address, which nobody needs to know."""
        reason = _reason(error).replace(self._token, "…")
        return ToolServerFailed(f"The tool server ({VARIABLE}) failed: {excerpt(reason)}. Check that it runs.")


def endpoint(url: str) -> str:
    """Return the address of MCP on a tool server whose own address may be given alone."""
    return url if urlsplit(url).path.strip("/") else url.rstrip("/") + MCP_PATH


def _import_client() -> None:
    """Import the client of MCP: that takes seconds on a busy machine, which are not the tool server's."""
    for name in ("httpx2", "mcp.client.sse", "mcp.client.streamable_http"):
        import_once(name)


@asynccontextmanager
async def _session(url: str, token: str) -> "AsyncGenerator[Client]":
    import httpx2  # noqa: PLC0415 - not at start-up
    from mcp import Client  # noqa: PLC0415 - as above
    from mcp.client.sse import sse_client  # noqa: PLC0415 - as above
    from mcp.client.streamable_http import streamable_http_client  # noqa: PLC0415 - as above

    headers = {"authorization": f"Bearer {token}"}
    async with AsyncExitStack() as stack:
        if url.endswith(SSE_PATH):
            client = Client(sse_client(url, headers, CONNECT_SECONDS, CALL_SECONDS, _http_client), mode="legacy")
        else:
            # No proxy of the environment: the address is a service of one's own.
            timeout = httpx2.Timeout(CALL_SECONDS, connect=CONNECT_SECONDS)
            http = await stack.enter_async_context(
                httpx2.AsyncClient(headers=headers, timeout=timeout, trust_env=False)
            )
            client = Client(streamable_http_client(url, http_client=http))
        yield await stack.enter_async_context(client)


def _http_client(headers: Any = None, timeout: Any = None, auth: Any = None) -> Any:
    import httpx2  # noqa: PLC0415 - not at start-up

    return httpx2.AsyncClient(headers=headers, timeout=timeout, auth=auth, trust_env=False)


def _reason(error: BaseException) -> str:
    """Return the innermost reason of an error, without an address."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    response = getattr(error, "response", None)
    status = getattr(response, "status_code", None)
    return f"status {status}" if status else type(error).__name__


def _message(text: str) -> str:
    """Return the message of a failed tool, in the form of contract 3 or as it is."""
    try:
        answer: Any = json.loads(text)
    except ValueError:
        return text or "The tool failed."
    message = cast("dict[str, Any]", answer).get("error") if isinstance(answer, dict) else None
    return message if isinstance(message, str) else text
