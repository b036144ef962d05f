from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import TextContent

from pincite.transports.mcp.prompts import filled, listed
from support.wire import ERAS, Refused, Wire, pincite


@pytest.fixture(params=ERAS)
def wire(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Wire]:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# Alpha\n")
    env = {"PINCITE_CACHE": str(tmp_path / "cache"), "EMBEDDING_PROVIDER": "hash", "LOG_LEVEL": "WARNING"}
    with Wire(pincite("serve", str(tmp_path / "docs")), env, era=request.param) as wire:
        yield wire.open()


def test_a_server_lists_prompts_and_fills_them(wire: Wire) -> None:
    listed = {prompt["name"]: prompt for prompt in wire.request("prompts/list")["prompts"]}
    assert [prompt["title"] for prompt in listed.values()] == [
        "Answer with citations",
        "Check this text against the documents",
        "Compare two documents",
    ]
    required = {argument["name"] for argument in listed["compare_documents"]["arguments"] if argument["required"]}
    assert required == {"first", "second"}
    asked = {"name": "answer_with_citations", "arguments": {"question": "What {is} alpha?"}}
    (message,) = wire.request("prompts/get", asked)["messages"]
    assert message["role"] == "user" and message["content"]["text"].endswith("Question:\nWhat {is} alpha?")
    assert "search_docs" in message["content"]["text"]


def test_a_wrong_name_or_argument_is_refused_with_the_right_ones(wire: Wire) -> None:
    for name, arguments, reason in (
        ("summarise", {}, "answer_with_citations, check_text"),
        ("check_text", {}, "text is required"),
        ("check_text", {"text": "x", "tone": "y"}, "Unknown argument: tone. Known: text"),
    ):
        with pytest.raises(Refused, match=reason):
            wire.request("prompts/get", {"name": name, "arguments": arguments})


def test_a_prompt_names_the_search_that_is_served() -> None:
    for toolsets, search in (
        (["docs", "citations"], "search_docs"),
        (["knowledge", "citations"], "knowledge_search"),
        (["docs", "knowledge", "citations"], "search_docs or knowledge_search"),
    ):
        content = filled(toolsets, "check_text", {"text": "x"}).messages[0].content
        assert isinstance(content, TextContent) and f"search with {search}," in content.text


def test_without_search_or_citations_there_are_no_prompts() -> None:
    for toolsets in (["docs"], ["citations", "documents"], ["extraction"]):
        assert listed(toolsets) == []
        with pytest.raises(MCPError, match="Known: none"):
            filled(toolsets, "check_text", {"text": "x"})
