"""The engine `claude`: asks a model that searches and reads the document, and brings its answer into form."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import replace
from functools import partial
from typing import Protocol

from pydantic import SecretStr

from pincite.agents.claude import prompt
from pincite.agents.claude.answers import MalformedAnswerError, read_answer
from pincite.agents.claude.attempts import Attempts
from pincite.agents.claude.conversation import Access, Conversation, OpenConversation, Usage
from pincite.agents.claude.desk import Desk
from pincite.errors import ConfigError, Unsupported
from pincite.model.call import Call
from pincite.model.extraction import Answer, Material
from pincite.model.schema import Schema
from pincite.registry import RUNNERS, load

NAME = "claude"
INSTALL = "The engine claude needs an optional package: pip install 'pincite[claude]'"
MILLISECONDS = 1000.0

OpenDesk = Callable[[Material, Call], Desk]
"""Opens the desk of one document: the tools that see it and nothing else."""


class AgentOptions(Protocol):
    """The settings that the engine takes; see `settings/agent.py` for their meaning."""

    model: str
    runner: str
    api_key: SecretStr | None
    auth_token: SecretStr | None
    base_url: str
    haiku_model: str
    sonnet_model: str
    opus_model: str
    request_timeout: int


def build(options: AgentOptions, *, seconds: float, retries: int, open_desk: OpenDesk) -> "ClaudeEngine":
    """Return the engine.

    Args:
        options: The settings.
        seconds: Time limit of an attempt.
        retries: Attempts after the first one.
        open_desk: Opens the desk of the document that is extracted.

    Raises:
        Unsupported: Neither of the packages that can run it is installed.
        ConfigError: There is neither a key nor an address of one's own, which may need none.
    """
    names = {"haiku": options.haiku_model, "sonnet": options.sonnet_model, "opus": options.opus_model}
    access = Access(
        model=options.model,
        key=_plain(options.api_key),
        token=_plain(options.auth_token),
        base_url=options.base_url,
        models={size: name for size, name in names.items() if name},
        request_seconds=options.request_timeout / MILLISECONDS,
    )
    if not (access.key or access.token or access.base_url):
        raise ConfigError(
            "The engine claude needs ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN. The engine rules needs none."
        )
    runner, open_conversation = runner_of(options.runner)
    return ClaudeEngine(runner, partial(open_conversation, access), open_desk, Attempts(seconds, retries))


def runner_of(name: str) -> tuple[str, Callable[..., AbstractAsyncContextManager[Conversation]]]:
    """Return the name of what runs the model, and its `open_conversation`.

    Args:
        name: A name of `RUNNERS`, or `auto` for the first one that is installed.

    Raises:
        Unsupported: Its package is not installed.
    """
    for row in RUNNERS:
        if name in ("auto", row.name):
            with suppress(Unsupported):
                return row.name, load(row)
    raise Unsupported(INSTALL)


class ClaudeEngine:
    """An `Engine`. Thread-safe: each extraction has its own desk and conversation.

    Args:
        runner: The name of what runs the model.
        converse: Opens a conversation with it.
        open_desk: Opens the desk of a document.
        attempts: How often, and how long.
        name: Its name in the registry.
    """

    limits_its_time = True

    def __init__(
        self, runner: str, converse: OpenConversation, open_desk: OpenDesk, attempts: Attempts, name: str = NAME
    ) -> None:
        self.runner = runner
        self.name = name
        self._converse = converse
        self._open_desk = open_desk
        self._attempts = attempts

    def extract(self, material: Material, schema: Schema, call: Call) -> Answer:
        """See `Engine`."""
        call.check()
        usage = Usage(self.runner)

        async def attempt(deadline: float) -> Answer:
            usage.attempts += 1
            limited = replace(call, deadline=deadline if call.deadline is None else min(deadline, call.deadline))
            desk = await opened(self._open_desk, material, limited)
            try:
                async with self._converse(prompt.SYSTEM, desk, limited, usage) as conversation:
                    text = await conversation.say(prompt.question(schema, desk.file_name))
                    if desk.lost is not None:
                        raise desk.lost
                    try:
                        data, citations = read_answer(text, schema)
                    except MalformedAnswerError as error:
                        text = await conversation.say(prompt.sent_back(str(error)))
                        data, citations = read_answer(text, schema)
            finally:
                usage.tool_calls += desk.calls
                desk.close()
            return Answer(data, citations)

        answer = self._attempts.run(attempt, call)
        return replace(answer, usage=usage.as_json())


async def opened(open_desk: OpenDesk, material: Material, call: Call) -> Desk:
    """Open a desk in a thread, which may take seconds; one that nobody waits for any more is closed."""
    executor = ThreadPoolExecutor(1, "pincite-desk")
    opening = executor.submit(open_desk, material, call)
    executor.shutdown(wait=False)
    try:
        return await asyncio.wrap_future(opening)
    except asyncio.CancelledError:
        opening.add_done_callback(_discard)
        raise


def _discard(opening: "Future[Desk]") -> None:
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()


def _plain(secret: SecretStr | None) -> str:
    return "" if secret is None else secret.get_secret_value()
