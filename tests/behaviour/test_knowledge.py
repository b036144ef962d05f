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
GUIDE = (
    "# Guide to backups\n\nA backup shall be encrypted with a key.\n\nA copy shall be stored elsewhere.\n\n"
    "| Kind | Rule |\n|---|---|\n| tape | It must be labelled. |\n| disk | It must be sealed. |\n"
)


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


def test_a_row_comes_with_its_exact_text_and_the_header_of_its_table(library: Face) -> None:
    for tool in ("knowledge_search", "knowledge_keyword_search"):
        row = library.call(tool, query="disk sealed")["results"][0]
        assert row["content"].strip() == "| disk | It must be sealed. |"
        assert row["metadata"]["table_header"] == "| Kind | Rule |"
    assert library.call("open_citation", ref=row["ref"])["content"].strip() == row["content"].strip()


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


def test_two_documents_are_compared_requirement_by_requirement(library: Face) -> None:
    same = library.call("knowledge_compare", old="ACME-100", new="ACME-100")
    assert (same["changes"], same["counts"]) == ([], {"unchanged": 2})
    other = library.call("knowledge_compare", old="ACME-100", new="backup")
    assert {each["change"] for each in other["changes"]} == {"added", "removed"}
    assert all(each["new"]["ref"].startswith("backup@") for each in other["changes"] if each["change"] == "added")


QUERY = "announced by the custodian"
EVERY = 100
RRF_K = 60


def scores(library: Face, **arguments: object) -> dict[str, float]:
    """The scores of a search by passage, in its order; none rises."""
    answer = library.call("knowledge_search", query=QUERY, n_results=EVERY, **arguments)
    found = {result["id"]: result["score"] for result in answer["results"]}
    assert list(found.values()) == sorted(found.values(), reverse=True)
    return found


@pytest.mark.parametrize("weight", [0, 0.25, 0.7, 1])
def test_a_named_hybrid_weight_is_the_plain_weighted_rrf_and_shows_its_sum(library: Face, weight: float) -> None:
    semantic, keyword = (list(scores(library, ranking=each)) for each in ("semantic", "keyword"))
    assert set(keyword) < set(semantic)
    sums = {
        each: weight / (RRF_K + semantic.index(each) + 1)
        + ((1 - weight) / (RRF_K + keyword.index(each) + 1) if each in keyword else 0)
        for each in semantic
    }
    shown = scores(library, hybrid_weight=weight)
    assert shown == pytest.approx({each: total * (RRF_K + 1) for each, total in sums.items()}, abs=1e-6)
    assert shown == scores(library, hybrid_weight=weight, ranking="rrf")
    if not weight:  # what has no word of the query comes after all that has one
        assert list(shown)[: len(keyword)] == keyword


def test_without_hybrid_a_search_is_ordered_by_the_cosine_and_rrf_alone_has_the_default_weight(library: Face) -> None:
    assert list(scores(library, use_hybrid=False).items()) == list(scores(library, ranking="semantic").items())
    assert scores(library, ranking="rrf") == scores(library, hybrid_weight=0.7)
    assert scores(library) == scores(library, ranking="best", use_hybrid=True)
    words = library.call("knowledge_keyword_search", query=QUERY, n_results=EVERY)["results"]
    assert scores(library, ranking="keyword") == {each["id"]: each["score"] for each in words}


def test_every_search_says_which_sides_took_part(library: Face) -> None:
    types = {"best": "hybrid", "rrf": "hybrid", "semantic": "semantic", "keyword": "keyword"}
    for ranking, search_type in types.items():
        answer = library.call("knowledge_search", query=QUERY, ranking=ranking)
        assert answer["search_type"] == search_type and "warnings" not in answer


@pytest.mark.parametrize(
    "arguments",
    [
        {"hybrid_weight": 0.5, "ranking": "best"},
        {"hybrid_weight": 0.5, "ranking": "semantic"},
        {"hybrid_weight": 0.5, "use_hybrid": False},
        {"use_hybrid": False, "ranking": "best"},
        {"use_hybrid": False, "ranking": "rrf"},
        {"use_hybrid": False, "ranking": "keyword"},
    ],
)
def test_arguments_that_contradict_each_other_are_refused(library: Face, arguments: dict[str, object]) -> None:
    with pytest.raises(faces.Failed, match="Leave one of them out"):
        library.call("knowledge_search", query=QUERY, **arguments)
    allowed = {**arguments, "hybrid_weight": None, "use_hybrid": None}
    assert library.call("knowledge_search", query=QUERY, **allowed)["total"]


def test_quotation_marks_ask_keyword_search_for_the_phrase(library: Face) -> None:
    def found(query: str) -> list[str]:
        return [each["content"] for each in library.call("knowledge_keyword_search", query=query)["results"]]

    assert len(found("key custodian")) > len(found('"key custodian"')) == 2
    assert found('"key custodian" rotate') and all("ustodian" in text for text in found('"key custodian" rotate'))
    nothing = library.call("knowledge_keyword_search", query='"custodian key"')
    assert nothing["results"] == [] and "custodian key" in nothing["suggestions"][0]


def test_latencies_are_integers(library: Face) -> None:
    checks = library.call("knowledge_health")["checks"].values()
    assert all(type(check["latency_ms"]) is int for check in checks)


def test_a_fault_names_the_range(library: Face) -> None:
    with pytest.raises(faces.Failed, match="n_results should be 1 to 100, not 0"):
        library.call("knowledge_search", query="x", n_results=0)


@pytest.mark.parametrize("era", [HANDSHAKE, pytest.param(STATELESS, marks=pytest.mark.slow)])
def test_over_mcp_the_tools_of_the_contract_are_served_first_and_an_error_is_an_object(
    settings: dict[str, str], era: str
) -> None:
    command = pincite("serve", "--toolsets", "knowledge", "--transport", "stdio")
    wire = Wire(command, {**environ, **faces.EXACT, **settings}, era=era).open()
    tools = wire.request("tools/list")["tools"]
    names = ("search", "lookup", "requirements", "keyword_search", "stats", "health", "compare")
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
