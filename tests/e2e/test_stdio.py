"""The whole program over real standard input and output, by the official client in both protocol generations."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import jsonschema
import pytest
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, TextContent

from behaviour.faces import EXACT

Mode = Literal["legacy", "auto"]
VERSIONS: dict[Mode, str] = {"legacy": "2025-11-25", "auto": "2026-07-28"}

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search_docs", {"query": "zebra"}),
    ("search_docs", {"query": "zebra", "file_filter": "none/**"}),
    ("get_page", {"file_path": "a.md"}),
    ("get_section", {"file_path": "a.md", "heading_path": "Alpha > Beta"}),
    ("list_pages", {}),
    ("list_pages", {"prefix": "nowhere"}),
    ("get_status", {}),
]


@dataclass(frozen=True)
class Served:
    """A folder, and how the official client starts a server of it."""

    folder: Path
    parameters: StdioServerParameters
    mode: Mode

    def run(self, use: Callable[[Client], Awaitable[None]]) -> None:
        async def session() -> None:
            async with Client(self.parameters, mode=self.mode) as client:
                await use(client)

        asyncio.run(session())


@pytest.fixture(params=list(VERSIONS))
def served(request: pytest.FixtureRequest, tmp_path: Path) -> Served:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.md").write_text("# Alpha\n\nIntro.\n\n## Beta\n\nA zebra crossing.\n")
    env = {**EXACT, "PINCITE_CACHE": str(tmp_path / "cache")}
    command = ["-m", "pincite", "serve", str(folder)]
    return Served(folder, StdioServerParameters(command=sys.executable, args=command, env=env), request.param)


def text(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def test_the_generation_is_the_one_that_was_asked_for(served: Served) -> None:
    async def use(client: Client) -> None:
        assert client.protocol_version == VERSIONS[served.mode]
        assert client.server_info is not None and client.server_info.name == "pincite"

    served.run(use)


def test_every_answer_validates_against_its_declared_schema(served: Served) -> None:
    async def use(client: Client) -> None:
        listed = await client.list_tools()
        schemas = {tool.name: tool.output_schema for tool in listed.tools}
        assert [name for name, _ in CALLS if name not in schemas] == []
        found = await client.call_tool("search_docs", {"query": "zebra"})
        ref: str = json.loads(text(found))["results"][0]["ref"]
        calls: list[tuple[str, dict[str, object]]] = [*CALLS, ("open_citation", {"ref": ref})]
        calls.append(("verify_quote", {"ref": ref, "quote": "A zebra crossing."}))
        assert set(schemas) == {name for name, _ in calls}
        for name, arguments in calls:
            result = await client.call_tool(name, arguments)
            assert not result.is_error, text(result)
            schema = schemas[name]
            assert schema is not None
            jsonschema.validate(result.structured_content, schema)
            assert json.loads(text(result)) == result.structured_content

    served.run(use)


def test_an_edit_between_two_calls_is_in_the_second_answer(served: Served) -> None:
    async def use(client: Client) -> None:
        for word in ("quagga", "okapi"):
            (served.folder / "a.md").write_text(f"# Alpha\n\n{word}\n")
            found = await client.call_tool("search_docs", {"query": word})
            assert found.structured_content is not None
            assert word in found.structured_content["results"][0]["content"]

    served.run(use)


def test_a_failure_is_a_result(served: Served) -> None:
    async def use(client: Client) -> None:
        result = await client.call_tool("get_page", {"file_path": "b.md"})
        assert result.is_error
        assert text(result).startswith("No page found at path: b.md. Use list_pages")

    served.run(use)
