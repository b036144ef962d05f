"""Contract 2 over every face: a library that one program filled, and another serves."""

import json
import subprocess
from collections.abc import Iterator
from os import environ
from pathlib import Path

import pytest

from behaviour import faces
from behaviour.faces import Face
from support.http_wire import HttpServer, StreamableHttp, call, serving
from support.wire import HANDSHAKE, STATELESS, Wire, pincite

STANDARD = """\
---
document_id: ACME-100
title: Key management standard
---
# Key management standard

## 3 Terms and definitions

**Key custodian** (KC): the person who keeps a key.

## 5 Keys

### 5.2 Rotation

The key custodian shall rotate each key every 90 days.

Rotation should be announced a week before.
"""
GUIDE = "# Guide to backups\n\nA backup shall be encrypted with a key.\n"


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Those of a server of the library, which `pincite ingest` has filled."""
    root = tmp_path_factory.mktemp("library")
    folder = faces.write(root / "standards", {"keys.md": STANDARD, "sub/backup.md": GUIDE})
    own = {**faces.EXACT, "DATA_DIR": str(root / "data"), "PINCITE_CACHE": str(root / "cache")}
    ended = subprocess.run(
        pincite("ingest", str(folder), "--json"), env={**environ, **own}, capture_output=True, check=True, timeout=100
    )
    assert json.loads(ended.stdout)["added"] == ["keys.md", "sub/backup.md"]
    return {"DATA_DIR": own["DATA_DIR"], "PINCITE_CACHE": own["PINCITE_CACHE"]}


@pytest.fixture(scope="module", params=faces.PARAMETERS)
def library(request: pytest.FixtureRequest, settings: dict[str, str]) -> Iterator[Face]:
    cache = Path(settings["PINCITE_CACHE"])
    face = faces.serve(request.param, None, cache, ["knowledge", "citations"], DATA_DIR=settings["DATA_DIR"])
    yield face
    face.close()


def test_a_search_answers_with_citation_clause_and_reference(library: Face) -> None:
    answer = library.call("knowledge_search", query="rotate keys every 90 days", n_results=2, normative_only=True)
    (first, second) = answer["results"]
    assert (answer["total"], answer["search_type"], answer["index"]["stale"]) == (2, "hybrid", False)
    assert first["score"] == 1.0 >= second["score"]
    assert first["source"]["citation"] == "Key management standard, clause 5.2, Rotation"
    assert first["source"]["source_path"] == "keys.md"
    assert first["metadata"]["clause_number"] == "5.2"
    assert library.call("verify_quote", ref=first["ref"], quote="shall rotate each key")["verdict"] == "exact"


def test_requirements_terms_words_and_counts(library: Face) -> None:
    required = library.call("knowledge_requirements", topic="rotation", standard="ACME")
    assert [result["normative"] for result in required["results"]] == [True, False]
    assert library.call("knowledge_lookup", term="KC")["found"] is True
    missing = library.call("knowledge_lookup", term="key custodain")
    assert missing["similar_terms"] == ["Key custodian"]
    assert "definitions" not in missing
    assert library.call("knowledge_keyword_search", query="encrypted")["total"] == 1
    stats = library.call("knowledge_stats")
    assert [document["document_id"] for document in stats["documents"]] == ["ACME-100", "backup"]
    assert library.call("knowledge_health")["checks"]["vector_store"]["status"] == "up"


def test_a_fault_names_the_range(library: Face) -> None:
    with pytest.raises(faces.Failed, match="n_results should be 1 to 100, not 0"):
        library.call("knowledge_search", query="x", n_results=0)


@pytest.mark.parametrize("era", [HANDSHAKE, pytest.param(STATELESS, marks=pytest.mark.slow)])
def test_over_mcp_the_named_tools_alone_are_served_and_an_error_is_an_object(
    settings: dict[str, str], era: str
) -> None:
    command = pincite("serve", "--toolsets", "knowledge", "--transport", "stdio")
    wire = Wire(command, {**environ, **faces.EXACT, **settings}, era=era).open()
    tools = wire.request("tools/list")["tools"]
    names = ("search", "lookup", "requirements", "keyword_search", "stats", "health")
    assert [tool["name"] for tool in tools] == [f"knowledge_{name}" for name in names]
    assert all(tool["outputSchema"] and tool["annotations"]["readOnlyHint"] for tool in tools)
    for arguments in ({"query": ""}, {"query": "x", "document_type": "novel"}, {"query": "x", "colour": 1}, {}):
        result = wire.call("knowledge_search", arguments)
        told = json.loads(result["content"][0]["text"])
        assert result["isError"] is True and result["structuredContent"] == told
        assert told["error"].keys() == {"code", "message", "details", "recoverable", "suggestion"}
        assert (told["error"]["code"], told["error"]["recoverable"]) == ("invalid_input", True)
        assert told["error"]["details"].startswith("argument ") or told["error"]["message"].startswith("query")
    assert wire.end() == 0


def test_the_citations_of_a_library_fail_in_the_form_of_its_tools_and_the_log_has_the_same_code(
    settings: dict[str, str],
) -> None:
    command = pincite("serve", "--toolsets", "knowledge,citations", "--transport", "stdio")
    with HttpServer(
        serving(None, "--toolsets", "knowledge,citations"),
        {**environ, **faces.EXACT, **settings, "LOG_LEVEL": "INFO"},
    ) as server:
        over_http = StreamableHttp(server, HANDSHAKE).open()
        wire = Wire(command, {**environ, **faces.EXACT, **settings}, era=HANDSHAKE).open()
        for tool, arguments in (("open_citation", {"ref": "nonsense"}), ("verify_quote", {"ref": "a@12345678#h1"})):
            result = wire.call(tool, arguments)
            told = json.loads(result["content"][0]["text"])
            assert result["structuredContent"] == told == call(over_http, tool, arguments)["structuredContent"]
            assert told["error"]["code"] == "invalid_input" and told["error"]["recoverable"] is True
            assert "search_docs" not in told["error"]["message"]
            assert server.logged("tool.known_error", tool=tool, code=told["error"]["code"])
        over_http.close()
        assert wire.end() == 0
