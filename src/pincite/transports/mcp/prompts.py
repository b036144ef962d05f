"""MCP prompts: tasks that a person starts by name, in words for a model."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import mcp_types as types
from mcp.shared.exceptions import MCPError

from pincite.text.excerpt import excerpts


@dataclass(frozen=True, slots=True)
class _Prompt:
    """A prompt; `{search}` in its text is the tool that searches.

    Attributes:
        arguments: What a person fills in, with its description.
    """

    name: str
    title: str
    description: str
    arguments: Mapping[str, str]
    text: str


_PROMPTS = (
    _Prompt(
        "answer_with_citations",
        "Answer with citations",
        "Answer a question from the served documents, each statement with a checked quote.",
        {"question": "The question."},
        "Answer the question below from the served documents and from nothing else. Find passages with {search}, in "
        "the words of the question first. Put after each statement the `ref` of the passage that says it. Before you "
        "quote words, check them with verify_quote and quote the `content` that it returns; leave out what is absent. "
        "Say what the documents do not answer.",
    ),
    _Prompt(
        "check_text",
        "Check this text against the documents",
        "Find for each statement of a text what the served documents say of it.",
        {"text": "The text."},
        "Check the text below against the served documents. List its statements one by one. For each, search with "
        "{search}, and say whether the documents support it, contradict it or do not speak of it. Quote the words that "
        "decide it, checked with verify_quote, with their `ref`. Check quotes and references in the text itself with "
        "verify_quote and open_citation. Change nothing in the text.",
    ),
    _Prompt(
        "compare_documents",
        "Compare two documents",
        "Say in what two of the served documents agree and differ.",
        {"first": "Path, title or id of one document.", "second": "The other one.", "topic": "What to compare."},
        "Compare the two documents below on the topic; without a topic, on what both are about. Find the passages of "
        "each with {search}, restricted to it where the tool allows, and read around them with open_citation and its "
        "`context`. Answer in a table: the point, what the first says, what the second says, each with a quote that "
        "verify_quote has checked and its `ref`. Say what only one of them speaks of.",
    ),
)

_OPTIONAL = frozenset({"topic"})

_SEARCHES = {"docs": "search_docs", "knowledge": "knowledge_search"}
"""The tools that search, by toolset. Without one of them, or without the tools for citations, there are no prompts."""


def listed(toolsets: Collection[str]) -> list[types.Prompt]:
    """Return the prompts of a server of these toolsets."""
    return [
        types.Prompt(
            name=prompt.name,
            title=prompt.title,
            description=prompt.description,
            arguments=[
                types.PromptArgument(name=name, description=description, required=name not in _OPTIONAL)
                for name, description in prompt.arguments.items()
            ],
        )
        for prompt in _served(toolsets)
    ]


def filled(toolsets: Collection[str], name: str, arguments: Mapping[str, str]) -> types.GetPromptResult:
    """Return a prompt with its arguments.

    Raises:
        MCPError: There is no such prompt, or an argument is missing or unknown.
    """
    prompts = {prompt.name: prompt for prompt in _served(toolsets)}
    if name not in prompts:
        raise _refused(f"Unknown prompt. Known: {', '.join(prompts) or 'none'}.")
    prompt = prompts[name]
    given = {key: value for key, value in arguments.items() if value.strip()}
    if unknown := sorted(given.keys() - prompt.arguments.keys()):
        raise _refused(f"Unknown argument: {excerpts(unknown)}. Known: {', '.join(prompt.arguments)}.")
    if missing := [key for key in prompt.arguments if key not in given and key not in _OPTIONAL]:
        raise _refused(f"{missing[0]} is required.")
    search = " or ".join(tool for toolset, tool in _SEARCHES.items() if toolset in toolsets)
    values = "\n\n".join(f"{key.capitalize()}:\n{given[key]}" for key in prompt.arguments if key in given)
    text = f"{prompt.text.format(search=search)}\n\n{values}"
    message = types.PromptMessage(role="user", content=types.TextContent(text=text))
    return types.GetPromptResult(description=prompt.description, messages=[message])


def _served(toolsets: Collection[str]) -> tuple[_Prompt, ...]:
    return _PROMPTS if "citations" in toolsets and not _SEARCHES.keys().isdisjoint(toolsets) else ()


def _refused(message: str) -> MCPError:
    return MCPError(code=types.INVALID_PARAMS, message=message)
