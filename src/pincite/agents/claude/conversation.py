"""What runs a model: the interface of the runners of the engine `claude`."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from pincite.agents.claude.desk import Desk
from pincite.model.call import Call

MAX_TURNS = 50
"""Replies of the model in one attempt, by contract 3."""

MAX_REPLY_TOKENS = 32_000
"""Of one reply: a schema of 2,000 values with their snippets; every model since Claude 4 allows it."""

REQUEST_RETRIES = 2
"""Retries of a single request that failed by its connection, 429 or 5xx, as the official client has them by default."""

SIZES = ("haiku", "sonnet", "opus")
"""The aliases of models."""


@dataclass(frozen=True, slots=True)
class Access:
    """How a Messages API is reached.

    Attributes:
        model: A model's id, or one of `SIZES`.
        key: The API key; empty for none.
        token: The bearer token; empty for none.
        base_url: Empty for the maker's own.
        models: The ids that stand behind the aliases.
        request_seconds: Time limit of one request.
        request_retries: See `REQUEST_RETRIES`.
    """

    model: str
    key: str = field(default="", repr=False)
    token: str = field(default="", repr=False)
    base_url: str = ""
    models: dict[str, str] = field(default_factory=dict[str, str])
    request_seconds: float = 600.0
    request_retries: int = REQUEST_RETRIES

    def without_secrets(self, text: str) -> str:
        """Return a text of another program without what must not be shown."""
        for secret in filter(None, (self.key, self.token)):
            text = text.replace(secret, "…")
        return text


@dataclass(slots=True)
class Usage:
    """What a run cost.

    Attributes:
        runner: What ran the model.
        model: The model that answered, as it calls itself.
        turns: Replies of the model.
        tool_calls: Calls of tools.
        attempts: Attempts that were begun.
        tokens: Numbers of tokens, by the API's names.
        cost_usd: In US dollars, where the price of the model is known; else None.
    """

    runner: str
    model: str = ""
    turns: int = 0
    tool_calls: int = 0
    attempts: int = 0
    tokens: dict[str, int] = field(default_factory=dict[str, int])
    cost_usd: float | None = None

    def add(self, counts: dict[str, Any]) -> None:
        """Add the tokens of one reply."""
        for name, count in counts.items():
            if name.endswith("_tokens") and isinstance(count, int):
                self.tokens[name] = self.tokens.get(name, 0) + count

    def as_json(self) -> dict[str, Any]:
        """Return what a result states."""
        plain = {name: getattr(self, name) for name in ("runner", "model", "turns", "tool_calls", "attempts")}
        return {**plain, **self.tokens, **({} if self.cost_usd is None else {"cost_usd": round(self.cost_usd, 6)})}


class Conversation(Protocol):
    """An exchange with a model that may use the tools of a desk."""

    async def say(self, text: str) -> str:
        """Return the model's last word on a message, after all its tool calls.

        Raises:
            PinciteError: There is none. The message has at most 500 characters.
        """
        ...


OpenConversation = Callable[[str, Desk, Call, Usage], AbstractAsyncContextManager[Conversation]]
"""Opens a conversation: system prompt, desk, call, usage to be counted up."""
