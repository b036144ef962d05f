"""The engine `openai`: the same agent on any endpoint that speaks OpenAI's chat completions."""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Protocol, cast

from pydantic import SecretStr

from pincite.agents.claude.attempts import Attempts
from pincite.agents.claude.conversation import MAX_REPLY_TOKENS, MAX_TURNS, SIZES, Access, Conversation, Usage
from pincite.agents.claude.desk import Desk, ToolResult
from pincite.agents.claude.engine import MILLISECONDS, ClaudeEngine, OpenDesk
from pincite.agents.claude.failures import endless, of_status, refused, too_long, unreachable
from pincite.errors import AgentFailed, ConfigError, PinciteError, TimeoutExceeded
from pincite.model.call import Call
from pincite.text.retry_after import seconds_asked

NAME = "openai"
KEYS = "PINCITE_AGENT_API_KEY"
_BAD_REQUEST = 400
_COUNTS = (("prompt_tokens", "input_tokens"), ("completion_tokens", "output_tokens"))
"""Counts of a reply, with the names that the other engines have for them."""
_MAX_PAUSE_SECONDS = 20.0
"""Maximum time to wait for an endpoint that asks to be asked again later."""


class OpenAIOptions(Protocol):
    """The settings that the engine takes; see `settings/agent.py` for their meaning."""

    model: str
    endpoint: str
    endpoint_key: SecretStr | None
    request_timeout: int


def build(options: OpenAIOptions, *, seconds: float, retries: int, open_desk: OpenDesk) -> ClaudeEngine:
    """Return the engine.

    Args:
        options: The settings.
        seconds: Time limit of an attempt.
        retries: Attempts after the first one.
        open_desk: Opens the desk of the document that is extracted.

    Raises:
        ConfigError: No address or no model is named.
    """
    if not options.endpoint:
        raise ConfigError("The engine openai needs PINCITE_AGENT_BASE_URL. The engine rules needs none.")
    if options.model in SIZES:
        raise ConfigError(f"The engine openai needs a model of its endpoint in AGENT_MODEL; {options.model!r} is none.")
    key = options.endpoint_key.get_secret_value() if options.endpoint_key else ""
    timeout = options.request_timeout / MILLISECONDS
    access = Access(options.model, token=key, base_url=options.endpoint, request_seconds=timeout)
    return ClaudeEngine("chat", partial(open_conversation, access), open_desk, Attempts(seconds, retries), NAME)


@asynccontextmanager
async def open_conversation(
    access: Access, system: str, desk: Desk, call: Call, usage: Usage
) -> AsyncGenerator[Conversation]:
    """Open a conversation; see `OpenConversation`."""
    import httpx2  # noqa: PLC0415 - not at start-up

    headers = {"Authorization": f"Bearer {access.token}"} if access.token else {}
    async with httpx2.AsyncClient(headers=headers, timeout=access.request_seconds, trust_env=False) as client:
        yield _ChatConversation(client, access, system, desk, call, usage)


class _ChatConversation:
    """A `Conversation` whose messages are kept here."""

    def __init__(self, client: Any, access: Access, system: str, desk: Desk, call: Call, usage: Usage) -> None:
        self._client = client
        self._access = access
        self._desk, self._call, self._usage = desk, call, usage
        self._messages: list[dict[str, Any]] = [{"role": "system", "content": system}]
        functions = (
            {"name": tool.name, "description": tool.description, "parameters": dict(tool.input_schema)}
            for tool in desk.tools
        )
        self._body: dict[str, Any] = {
            "model": access.model,
            "max_tokens": MAX_REPLY_TOKENS,
            "tools": [{"type": "function", "function": function} for function in functions],
            "response_format": {"type": "json_object"},
        }
        self._turns = 0

    async def say(self, text: str) -> str:
        """See `Conversation`."""
        self._messages.append({"role": "user", "content": text})
        while self._turns < MAX_TURNS:
            self._turns += 1
            choice = await self._reply()
            message = choice["message"]
            calls = cast("list[dict[str, Any]]", message.get("tool_calls") or [])
            content = message.get("content") or ""
            kept: dict[str, Any] = {"role": "assistant", "content": content}
            self._messages.append({**kept, "tool_calls": calls} if calls else kept)
            if not calls:
                return _last_word(choice, content)
            for call in calls:
                result = await asyncio.to_thread(self._called, call)
                self._messages.append({"role": "tool", "tool_call_id": str(call.get("id", "")), "content": result.text})
        raise endless(MAX_TURNS)

    def _called(self, call: Mapping[str, Any]) -> ToolResult:
        function = cast("dict[str, Any]", call.get("function") or {})
        try:
            arguments: Any = json.loads(function.get("arguments") or "{}")
        except ValueError:
            arguments = None
        if not isinstance(arguments, dict):
            return ToolResult(json.dumps({"error": "The arguments are no JSON object."}), is_error=True)
        return self._desk.call(str(function.get("name", "")), cast("dict[str, Any]", arguments), self._call)

    async def _reply(self) -> dict[str, Any]:
        """Return the model's choice; a request that failed by the connection is repeated."""
        for left in reversed(range(self._access.request_retries + 1)):
            try:
                reply = await self._asked()
                break
            except PinciteError as error:
                if not error.recoverable or not left:
                    raise
                pause = float(getattr(error, "retry_after", 0.0) or 0.5)
                await asyncio.sleep(min(pause, _MAX_PAUSE_SECONDS, self._call.remaining()))
        else:
            raise AssertionError
        self._usage.turns += 1
        self._usage.model = str(reply.get("model") or self._access.model)
        counts = reply.get("usage")
        counts = cast("dict[str, Any]", counts) if isinstance(counts, dict) else {}
        self._usage.add({name: counts[own] for own, name in _COUNTS if own in counts})
        choices = reply.get("choices")
        choice: Any = cast("list[Any]", choices)[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict) or not isinstance(cast("dict[str, Any]", choice).get("message"), dict):
            raise AgentFailed("The endpoint's reply is no chat completion: it has no message.")
        return cast("dict[str, Any]", choice)

    async def _asked(self) -> dict[str, Any]:
        import httpx2  # noqa: PLC0415 - not at start-up

        url = f"{self._access.base_url.rstrip('/')}/chat/completions"
        try:
            response = await self._client.post(url, json={**self._body, "messages": self._messages})
        except httpx2.TimeoutException as error:
            seconds = self._access.request_seconds
            message = f"The model did not answer within {seconds:g} s. Raise API_TIMEOUT_MS, or try again."
            raise TimeoutExceeded(message) from error
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise unreachable(self._access.without_secrets(str(error) or type(error).__name__)) from error
        if response.status_code == _BAD_REQUEST and self._body.pop("response_format", None):
            return await self._asked()  # an endpoint without structured output
        if not response.is_success:
            text = self._access.without_secrets(response.text)
            raise of_status(response.status_code, text, seconds_asked(response.headers.get("retry-after", "")), KEYS)
        try:
            reply = response.json()
        except ValueError as error:
            raise unreachable("its reply is no JSON") from error
        if not isinstance(reply, dict):
            raise AgentFailed("The endpoint's reply is no chat completion: it is no object.")
        return cast("dict[str, Any]", reply)


def _last_word(choice: Mapping[str, Any], content: str) -> str:
    """Return a reply's text.

    Raises:
        AgentFailed: The model refused, or the reply was cut.
    """
    reason = choice.get("finish_reason")
    if reason == "content_filter" or choice["message"].get("refusal"):
        raise refused()
    if reason == "length":
        raise too_long()
    return content
