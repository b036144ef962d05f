"""Runs the engine `claude` on the Messages API alone, with the maker's official client."""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from typing import Any, cast

import anthropic
import httpx2
from anthropic.types import (
    Message,
    MessageParam,
    TextBlock,
    TextBlockParam,
    ToolParam,
    ToolResultBlockParam,
    ToolUseBlock,
)

from pincite.agents.claude.conversation import MAX_REPLY_TOKENS, MAX_TURNS, Access, Conversation, Usage
from pincite.agents.claude.desk import Desk, ToolResult
from pincite.agents.claude.failures import endless, of_status, refused, too_long, unreachable
from pincite.errors import PinciteError, TimeoutExceeded
from pincite.model.call import Call
from pincite.text.retry_after import seconds_asked

MODELS = {"haiku": "claude-haiku-5-5", "sonnet": "claude-sonnet-5-5", "opus": "claude-opus-5-5"}
"""The ids behind the aliases: the newest that the client 2.12.0 lists. The SDK's command line has its own list."""

NO_KEY = "none"
"""Sent where no key is set: local endpoints ask for none, and the client wants one."""

_CACHED: Any = {"type": "ephemeral"}


@asynccontextmanager
async def open_conversation(
    access: Access, system: str, desk: Desk, call: Call, usage: Usage
) -> AsyncGenerator[Conversation]:
    """Open a conversation; see `OpenConversation`."""
    credential: dict[str, Any] = (
        {"auth_token": access.token} if access.token and not access.key else {"api_key": access.key or NO_KEY}
    )
    async with anthropic.AsyncAnthropic(
        **credential,
        base_url=access.base_url or None,
        timeout=access.request_seconds,
        max_retries=access.request_retries,
        open_telemetry=False,
    ) as client:
        yield _ApiConversation(client, access, system, desk, call, usage)


class _ApiConversation:
    """A `Conversation` whose messages are kept here."""

    def __init__(
        self, client: anthropic.AsyncAnthropic, access: Access, system: str, desk: Desk, call: Call, usage: Usage
    ) -> None:
        self._client = client
        self._access = access
        self._model = access.models.get(access.model) or MODELS.get(access.model, access.model)
        self._system: list[TextBlockParam] = [{"type": "text", "text": system, "cache_control": _CACHED}]
        self._tools: list[ToolParam] = [
            {"name": tool.name, "description": tool.description, "input_schema": cast("Any", dict(tool.input_schema))}
            for tool in desk.tools
        ]
        self._desk = desk
        self._call = call
        self._usage = usage
        self._messages: list[MessageParam] = []
        self._turns = 0

    async def say(self, text: str) -> str:
        """See `Conversation`."""
        self._messages.append({"role": "user", "content": [{"type": "text", "text": text}]})
        while self._turns < MAX_TURNS:
            self._turns += 1
            reply = await self._reply()
            self._messages.append({"role": "assistant", "content": _repeated(reply)})
            if reply.stop_reason == "tool_use":
                self._messages.append({"role": "user", "content": await self._results(reply)})
            elif reply.stop_reason != "pause_turn":
                return _last_word(reply)
        raise endless(MAX_TURNS)

    async def _reply(self) -> Message:
        try:
            async with self._client.messages.stream(
                model=self._model,
                max_tokens=MAX_REPLY_TOKENS,
                system=self._system,
                tools=self._tools,
                messages=_with_cache_mark(self._messages),
            ) as stream:
                reply = await stream.get_final_message()
        except (anthropic.AnthropicError, httpx2.HTTPError, ValueError) as error:
            raise failure(error, self._access) from error
        self._usage.turns += 1
        self._usage.model = reply.model
        self._usage.add(reply.usage.model_dump())
        return reply

    async def _results(self, reply: Message) -> list[ToolResultBlockParam]:
        """Run the calls one after the other: they take milliseconds, and a read may follow its search in one reply."""
        results: list[ToolResultBlockParam] = []
        for block in reply.content:
            if isinstance(block, ToolUseBlock):
                result = await asyncio.to_thread(_called, self._desk, block, self._call)
                results.append(
                    {
                        "type": "tool_result",
                        "tool_use_id": block.id,
                        "content": result.text,
                        "is_error": result.is_error,
                    }
                )
        return results


def _repeated(reply: Message) -> Any:
    """Return a reply's content for the next request, in which no text may be empty."""
    blocks = [block for block in reply.content if not (isinstance(block, TextBlock) and not block.text)]
    return blocks or [{"type": "text", "text": "(nothing)"}]


def _called(desk: Desk, block: ToolUseBlock, call: Call) -> ToolResult:
    return desk.call(block.name, block.input, call)


def _with_cache_mark(messages: Iterable[MessageParam]) -> list[MessageParam]:
    """Return the messages with the last one marked as the end of what the next request repeats."""
    *before, last = messages
    blocks = [dict(block) for block in cast("list[Any]", last["content"])]
    blocks[-1]["cache_control"] = _CACHED
    return [*before, cast("MessageParam", {**last, "content": blocks})]


def _last_word(reply: Message) -> str:
    """Return a reply's text.

    Raises:
        AgentFailed: The model refused, or the reply was cut.
    """
    if reply.stop_reason == "refusal":
        raise refused()
    if reply.stop_reason in {"max_tokens", "model_context_window_exceeded"}:
        raise too_long()
    return "".join(block.text for block in reply.content if block.type == "text")


def failure(error: Exception, access: Access) -> PinciteError:
    """Return what an error of the client means."""
    if isinstance(error, anthropic.APIStatusError):
        return _of_status(error, access)
    if isinstance(error, anthropic.APITimeoutError | httpx2.TimeoutException):
        return TimeoutExceeded(
            f"The model did not answer within {access.request_seconds:g} s. Raise API_TIMEOUT_MS, or try again."
        )
    return unreachable(access.without_secrets(str(error) or type(error).__name__))


def _of_status(error: anthropic.APIStatusError, access: Access) -> PinciteError:
    message = access.without_secrets(error.api_message or error.message)
    return of_status(error.status_code, message, seconds_asked(error.response.headers.get("retry-after", "")))
