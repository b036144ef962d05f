"""Ask questions about documents: an agent of LangChain with the tools of a pincite server.

python agent.py                                       a prompt; an empty line or Ctrl-D ends it
python agent.py "What does https://… say about …?"    one answer, then exit code 0, or 1 with the reason
"""

import asyncio
import logging
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dotenv import load_dotenv
from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, BaseMessage, HumanMessage
from langchain_mcp_adapters.client import MultiServerMCPClient

SERVER_URL = "http://127.0.0.1:8000/mcp"
GEMINI, OPENAI = "gemini-2.5-flash", "gpt-4.1-mini"
"""Models, unless MODEL names another."""
MAX_STEPS = 25
"""Steps of one answer, a model's turn and a tool's one each: a model that calls tools in a circle is stopped."""

INSTRUCTIONS = (
    "Answer from documents. Call retrieve_chunks with a document's address and a question; call process_document for "
    "the whole of a short one. Cite each statement by the ref of the passage that it is from, in square brackets. "
    "If a tool fails, say why, or try another. If the documents do not answer the question, say so."
)


class Unusable(Exception):
    """The configuration lacks something; the message says what to do."""


def model(env: Mapping[str, str]) -> BaseChatModel:
    """Return the model whose key is there, Gemini first.

    Raises:
        Unusable: There is no key.
    """
    if key := env.get("GOOGLE_API_KEY"):
        from langchain_google_genai import ChatGoogleGenerativeAI

        # It warns of each part of a tool's schema that Gemini has no word for, on every question.
        logging.getLogger("langchain_google_genai").setLevel(logging.ERROR)
        return ChatGoogleGenerativeAI(model=env.get("MODEL") or GEMINI, google_api_key=key)
    if key := env.get("OPENAI_API_KEY"):
        from langchain_openai import ChatOpenAI

        base_url = env.get("OPENAI_BASE_URL") or None
        return ChatOpenAI(model=env.get("MODEL") or OPENAI, api_key=key, base_url=base_url)
    raise Unusable("Set GOOGLE_API_KEY or OPENAI_API_KEY, in the environment or in .env: see .env.example.")


def connection(env: Mapping[str, str]) -> dict[str, Any]:
    """Return how the server is reached: by streamable HTTP, or by SSE if its path says so."""
    url = env.get("MCP_SERVER_URL") or SERVER_URL
    transport = "sse" if url.rstrip("/").endswith("/sse") else "streamable_http"
    headers = {"x-api-key": key} if (key := env.get("MCP_API_KEY")) else {}
    return {"url": url, "transport": transport, "headers": headers}


async def make_agent(env: Mapping[str, str]) -> Any:
    """Return the agent with all tools that the server has.

    Raises:
        Unusable: There is no key, or the server cannot be reached.
    """
    chat, server = model(env), connection(env)
    try:
        tools = await MultiServerMCPClient({"pincite": server}).get_tools()
    except Exception as error:
        raise Unusable(
            f"No answer from {server['url']}: {reason(error)}. Start one with: pincite serve --toolsets documents"
        ) from error
    for tool in tools:
        tool.handle_tool_error = True  # the model reads why a tool failed, and goes on
    return create_agent(chat, tools, system_prompt=INSTRUCTIONS)


async def answer(agent: Any, history: list[BaseMessage], question: str) -> None:
    """Print an answer while it is written, and add it to the history."""
    history.append(HumanMessage(question))
    end: dict[str, Any] = {}
    inputs, config = {"messages": history}, {"recursion_limit": MAX_STEPS}
    async for kind, part in agent.astream(inputs, config, stream_mode=["messages", "values"]):
        if kind == "values":
            end = part
        elif isinstance(part[0], AIMessageChunk):
            print(part[0].text, end="", flush=True)
    print()
    history[:] = end["messages"]


def reason(error: BaseException) -> str:
    """Return what is wrong in one line: the first cause of a group of errors."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return " ".join(str(error).split()) or type(error).__name__


async def converse(agent: Any) -> None:
    """Answer questions until an empty line or the end of the input."""
    history: list[BaseMessage] = []
    while True:
        try:
            question = (await asyncio.to_thread(input, "> ")).strip()
        except EOFError:
            return
        if not question:
            return
        try:
            await answer(agent, history, question)
        except Exception as error:  # one question that fails ends no conversation
            history.pop()
            print(f"\n{reason(error)}", file=sys.stderr)


async def main(arguments: list[str]) -> int:
    """Answer the argument, or what is typed; return the exit code."""
    try:
        agent = await make_agent(os.environ)
        if not arguments:
            await converse(agent)
        else:
            await answer(agent, [], " ".join(arguments))
    except Exception as error:
        print(reason(error), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    load_dotenv(Path(__file__).with_name(".env"))
    try:
        sys.exit(asyncio.run(main(sys.argv[1:])))
    except KeyboardInterrupt:
        sys.exit(130)
