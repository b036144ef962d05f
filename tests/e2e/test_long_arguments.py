"""Whatever a client sends, an error repeats little of it: on the wire and in the log."""

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest

from support.wire import ERAS, Refused, Wire, pincite

LONG = 10_000_000
MOST_BYTES = 8_000
FILLINGS = ("a", "/a", "../", "a > b ", "é\n", "[", "{a,", "word another ", '"')
HUGE_HEADING = "heading " * 5_000


@pytest.fixture(scope="module", params=ERAS)
def wire(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    folder = tmp_path_factory.mktemp("docs")
    sections = "".join(f"## {HUGE_HEADING}{n}\n\nText.\n\n" for n in range(20))
    (folder / "a.md").write_text(f"# Top\n\nOne.\n\n{sections}")
    env = {
        "PINCITE_CACHE": str(tmp_path_factory.mktemp("cache")),
        "EMBEDDING_PROVIDER": "hash",
        "PINCITE_FRESH_BUDGET": "60",
    }
    with Wire(pincite("serve", str(folder)), {**os.environ, **env}, era=request.param) as started:
        yield started.open()


@pytest.fixture(scope="module")
def valid(wire: Wire) -> dict[str, dict[str, Any]]:
    """Arguments of each tool that are right."""
    ref = wire.call("get_page", {"file_path": "a.md"})["structuredContent"]["chunks"][0]["ref"]
    return {
        "search_docs": {"query": "one"},
        "get_page": {"file_path": "a.md"},
        "get_section": {"file_path": "a.md", "heading_path": "Top"},
        "list_pages": {},
        "get_status": {},
        "open_citation": {"ref": ref},
        "verify_quote": {"ref": ref, "quote": "One."},
    }


@pytest.mark.parametrize("filling", FILLINGS)
def test_every_argument_of_every_tool(wire: Wire, valid: dict[str, dict[str, Any]], filling: str) -> None:
    tools = wire.request("tools/list")["tools"]
    assert {tool["name"] for tool in tools} == valid.keys()
    size = LONG if filling == FILLINGS[0] else LONG // 10
    long = filling * (size // len(filling))
    for tool in tools:
        for name in [*tool["inputSchema"]["properties"], "unknown"]:
            result = wire.call(tool["name"], {**valid[tool["name"]], name: long})
            if result["isError"]:
                assert len(json.dumps(result)) < MOST_BYTES, (tool["name"], name)
            else:
                assert long[:1000] not in json.dumps(result, ensure_ascii=False)


@pytest.mark.parametrize("filling", ["a", "é\n"])
def test_every_other_request(wire: Wire, filling: str) -> None:
    long = filling * (LONG // len(filling))
    requests: list[tuple[str, dict[str, Any]]] = [
        (long, {}),
        ("tools/call", {"name": long}),
        ("tools/call", {"name": "get_status", "arguments": {long: 1}}),
        ("tools/call", {"name": "get_status", "arguments": long}),
        ("tools/list", {"cursor": long}),
        ("resources/list", {"cursor": long}),
        ("resources/templates/list", {"cursor": long}),
        ("resources/read", {"uri": long}),
        ("resources/read", {"uri": f"pincite://docs/{long}"}),
        ("resources/subscribe", {"uri": long}),
        ("prompts/get", {"name": long}),
        ("completion/complete", {"ref": {"type": "ref/prompt", "name": long}, "argument": {"name": "a", "value": "b"}}),
        ("logging/setLevel", {"level": long}),
    ]
    for method, params in requests:
        try:
            said = wire.request(method, params)
        except Refused as refused:
            said = {"message": refused.message, "data": refused.data}
        assert len(json.dumps(said)) < MOST_BYTES, (method[:40], list(params))


def test_a_reference_with_a_long_name(wire: Wire) -> None:
    for name in ("a" * 90_000, "%20" * 30_000):
        result = wire.call("open_citation", {"ref": f"{name}@00000000#h1"})
        assert result["isError"] and len(json.dumps(result)) < MOST_BYTES


def test_headings_of_a_document_are_named_shortly(wire: Wire) -> None:
    for asked in ("heading", f"Top > {HUGE_HEADING}99"):
        result = wire.call("get_section", {"file_path": "a.md", "heading_path": asked})
        assert "Nearest: Top > heading" in result["content"][0]["text"]
        assert len(json.dumps(result)) < MOST_BYTES


def test_no_line_of_the_log_is_long(wire: Wire) -> None:
    wire.call("open_citation", {"ref": f"{'a' * 90_000}@00000000#h1"})
    assert max(map(len, wire.log)) < 2 * MOST_BYTES
