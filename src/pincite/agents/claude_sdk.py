"""Runs the engine `claude` on the Claude Agent SDK and its command line, with the four tools and nothing else."""

import asyncio
import contextlib
import os
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from claude_agent_sdk import (
    ClaudeAgentOptions,
    ClaudeSDKClient,
    ClaudeSDKError,
    HookMatcher,
    ResultMessage,
    SdkMcpTool,
    SystemMessage,
    ToolAnnotations,
    create_sdk_mcp_server,
)

from pincite.agents.claude.conversation import MAX_REPLY_TOKENS, MAX_TURNS, SIZES, Access, Conversation, Usage
from pincite.agents.claude.desk import TOOLS, Desk
from pincite.agents.claude.failures import endless, of_status, refused, too_long, unreachable
from pincite.errors import AgentFailed, PinciteError
from pincite.model.call import Call
from pincite.runtime.children import NETWORK, give_up_privileges, is_listed
from pincite.toolkit import Tool

SERVER = "doc-tools"
"""By contract 3."""

PREFIX = f"mcp__{SERVER}__"
"""What the command line puts before the names of the server's tools."""

TOOL_MILLISECONDS = 150_000
"""Longer than the toolbox's own limit of 120 s: it is the tool that says what took too long."""

PRICED = "claude-"
"""How ids begin whose prices the command line knows; of others it makes up a cost."""

_TOO_LONG = "output token maximum"
"""In the command line's own words for a reply that was cut, after it requested the rest three times."""

_CONNECTED = "connected"
_PRIVATE = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_AUTOUPDATER": "1",
}
"""Nothing calls home (docs/decisions/0006)."""

_INHERITED = (*NETWORK, "ANTHROPIC_*", "CLAUDE_*")
"""What the command line inherits besides the system's variables; the SDK hands on all that are not overridden."""

_PLAIN = {
    "ENABLE_TOOL_SEARCH": "false",
    "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(MAX_REPLY_TOKENS),
}
"""All four tools are shown at once, with no fifth one that finds them; replies are as long as on the other runner."""


@asynccontextmanager
async def open_conversation(
    access: Access, system: str, desk: Desk, call: Call, usage: Usage
) -> AsyncGenerator[Conversation]:
    """Open a conversation; see `OpenConversation`."""
    # The command line reads and writes under its home: an empty one, gone afterwards.
    with tempfile.TemporaryDirectory(prefix="pincite-agent-", ignore_cleanup_errors=True) as home:
        give_up_privileges()
        client = ClaudeSDKClient(options(access, system, desk, call, Path(home)))
        try:
            await client.connect()
        except ClaudeSDKError as error:
            raise unreachable(access.without_secrets(str(error))) from error
        try:
            yield _SdkConversation(client, access, usage)
        finally:
            with contextlib.suppress(ClaudeSDKError):
                await client.disconnect()


def options(access: Access, system: str, desk: Desk, call: Call, home: Path) -> ClaudeAgentOptions:
    """Return the options of the SDK: the four tools, no other one, and nothing of the user's own configuration."""
    work = home / "work"
    work.mkdir()
    tools = [_tool(tool, desk, call) for tool in desk.tools]
    return ClaudeAgentOptions(
        system_prompt=system,
        model=access.model,
        tools=[],
        allowed_tools=[PREFIX + name for name in TOOLS],
        mcp_servers={SERVER: create_sdk_mcp_server(SERVER, tools=tools)},
        strict_mcp_config=True,
        permission_mode="dontAsk",
        setting_sources=[],
        skills=[],
        verbatim_prompts=True,
        max_turns=MAX_TURNS,
        cwd=work,
        env=environment(access, home),
        hooks={"PreToolUse": [HookMatcher(hooks=[_gate(desk)])]},
    )


def environment(access: Access, home: Path) -> dict[str, str]:
    """Return the variables of the command line, those that it would inherit and does not need with an empty value."""
    given = {
        "ANTHROPIC_API_KEY": access.key,
        "ANTHROPIC_AUTH_TOKEN": access.token,
        "ANTHROPIC_BASE_URL": access.base_url,
        **{f"ANTHROPIC_DEFAULT_{size.upper()}_MODEL": access.models.get(size, "") for size in SIZES},
    }
    return {
        **{name: "" for name in os.environ if not is_listed(name, _INHERITED)},
        **{name: value for name, value in given.items() if value},
        **_PRIVATE,
        **_PLAIN,
        "HOME": str(home),
        "CLAUDE_CONFIG_DIR": str(home / "config"),
        "CLAUDE_CODE_MAX_RETRIES": str(access.request_retries),
        "API_TIMEOUT_MS": str(int(access.request_seconds * 1000)),
        "MCP_TOOL_TIMEOUT": str(TOOL_MILLISECONDS),
    }


def _tool(tool: Tool, desk: Desk, call: Call) -> SdkMcpTool[Any]:
    async def handler(arguments: Mapping[str, Any]) -> dict[str, Any]:
        result = await asyncio.to_thread(desk.call, tool.name, arguments, call)
        return {"content": [{"type": "text", "text": result.text}], "is_error": result.is_error}

    # Longer results are put into a file that this agent cannot open.
    notes = ToolAnnotations(readOnlyHint=True, maxResultSizeChars=tool.result_chars)
    return SdkMcpTool(tool.name, tool.description, dict(tool.input_schema), handler, notes)


def _gate(desk: Desk) -> Callable[[Any, str | None, Any], Awaitable[Any]]:
    """Return the hook that refuses a call before it is made: another tool, or a read before a search."""

    async def gate(given: Any, use_id: str | None, context: Any) -> Any:
        del use_id, context
        name = str(given.get("tool_name", ""))
        problem = desk.refusal(name.removeprefix(PREFIX)) if name.startswith(PREFIX) else f"There is no tool {name!r}."
        if not problem:
            return {}
        return {
            "hookSpecificOutput": {
                "hookEventName": "PreToolUse",
                "permissionDecision": "deny",
                "permissionDecisionReason": problem,
            }
        }

    return gate


class _SdkConversation:
    """A `Conversation` that the command line keeps."""

    def __init__(self, client: ClaudeSDKClient, access: Access, usage: Usage) -> None:
        self._client = client
        self._access = access
        self._usage = usage
        self._turns = 0
        self._cost = 0.0

    async def say(self, text: str) -> str:
        """See `Conversation`."""
        try:
            await self._client.query(text)
            result = await self._result()
        except ClaudeSDKError as error:
            raise unreachable(self._access.without_secrets(str(error))) from error
        self._count(result)
        if failure := self._failure(result):
            raise failure
        return result.result or ""

    async def _result(self) -> ResultMessage:
        result: ResultMessage | None = None
        async for message in self._client.receive_response():
            if isinstance(message, SystemMessage) and message.subtype == "init":
                _check_server(message.data)
                self._usage.model = str(message.data.get("model", ""))
            elif isinstance(message, ResultMessage):
                result = message
        if result is None:
            raise unreachable("the command line ended without a result")
        return result

    def _count(self, result: ResultMessage) -> None:
        self._usage.turns += result.num_turns
        self._usage.add(result.usage or {})
        if result.total_cost_usd is not None and self._usage.model.startswith(PRICED):
            # Of the whole conversation so far.
            self._usage.cost_usd = (self._usage.cost_usd or 0.0) + result.total_cost_usd - self._cost
            self._cost = result.total_cost_usd

    def _failure(self, result: ResultMessage) -> PinciteError | None:
        """Return what a result means that is none: the command line calls many of them a success."""
        text = self._access.without_secrets(result.result or "; ".join(result.errors or []))
        if result.subtype == "error_max_turns":
            return endless(MAX_TURNS)
        if result.stop_reason == "refusal":
            return refused()
        if result.stop_reason == "max_tokens" or _TOO_LONG in text:
            return too_long()
        if result.api_error_status is not None:
            return of_status(result.api_error_status, text)
        return unreachable(text or result.subtype) if result.is_error else None


def _check_server(init: Mapping[str, Any]) -> None:
    """Raise an error if the tools are not there: the command line continues without them."""
    states = {server.get("name"): server.get("status") for server in init.get("mcp_servers", [])}
    if states.get(SERVER) != _CONNECTED:
        raise AgentFailed(f"The agent has no tools: the server {SERVER} is {states.get(SERVER, 'missing')}.")
