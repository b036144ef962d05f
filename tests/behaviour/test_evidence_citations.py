"""What extraction cites opens by the tools for citations, like any other reference."""

import json
import os
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest

from support.fork_server import run
from support.http_wire import HttpServer, StreamableHttp, call
from support.waiting import wait_for
from support.wire import STATELESS, pincite

INVOICE = """# Invoice 2024-117

| Item | Amount |
| --- | --- |
| Hinges | 40.00 EUR |
| Screws | 12.50 EUR |

Grand total: 117.81 EUR

Customer: Möller & Sons
"""
SCHEMA = {"grand_total": "number", "customer": "string", "lines": [{"item": "string", "amount": "number"}]}
COMMAND = pincite("serve", "--toolsets", "extraction,citations", "--transport", "http")


@pytest.fixture
def env(tmp_path: Path) -> Mapping[str, str]:
    own = {"DATA_DIR": str(tmp_path / "data"), "PINCITE_CACHE": str(tmp_path / "cache"), "MCP_RATE_LIMIT_RPM": "0"}
    return {**os.environ, **own, "EMBEDDING_PROVIDER": "hash"}


def extracted(client: httpx2.Client, text: str, name: str = "invoice.md") -> dict[str, Any]:
    """The evidence of a task, by REST."""
    posted = client.post("/tasks", files={"file": (name, text.encode())}, data={"schema": json.dumps(SCHEMA)})
    task = f"/tasks/{posted.json()['task_id']}"
    assert wait_for(lambda: client.get(task).json()["status"] not in ("queued", "running"))
    return client.get(f"{task}/result").json()["evidence"]


def leaves(evidence: Any) -> list[dict[str, Any]]:
    """The records of a tree of evidence."""
    if "locator" in evidence:
        return [evidence]
    trees = cast("list[Any]", evidence if isinstance(evidence, list) else [*evidence.values()])
    return [leaf for tree in trees for leaf in leaves(tree)]


def test_evidence_of_a_task_opens_on_its_server_also_after_a_restart(env: Mapping[str, str]) -> None:
    with HttpServer(COMMAND, env) as server, server.client() as client:
        evidence = extracted(client, INVOICE)
        other = extracted(client, INVOICE.replace("117", "118"))
    found = [leaf for tree in (evidence, other) for leaf in leaves(tree) if leaf["verified"]]
    assert len(found) >= 10
    with HttpServer(COMMAND, env) as server, server.client() as client:
        for leaf in found:
            opened = client.get("/api/citations", params={"ref": leaf["ref"]}).json()
            assert (opened["content"], opened["current"]) == (leaf["raw"], True), leaf
        checked = {"ref": evidence["grand_total"]["ref"], "quote": evidence["grand_total"]["raw"]}
        with closing(StreamableHttp(server, STATELESS).open()) as mcp:
            assert call(mcp, "verify_quote", checked)["structuredContent"]["verdict"] == "exact"
        shown = client.get("/ui/api/citation", params={"ref": checked["ref"]})
        assert shown.status_code == 200 and "117.81" in shown.text


def test_evidence_of_an_erased_task_opens_no_more(env: Mapping[str, str]) -> None:
    with HttpServer(COMMAND, env) as server, server.client() as client:
        ref = extracted(client, INVOICE)["grand_total"]["ref"]
        assert client.get("/api/citations", params={"ref": ref}).status_code == 200
        task = client.get("/tasks").json()["tasks"][0]["task_id"]
        assert client.delete(f"/tasks/{task}").status_code < 300
        answer = client.get("/api/citations", params={"ref": ref})
    assert answer.status_code == 404 and "invoice.md" in answer.json()["error"]
    assert not [*(Path(env["DATA_DIR"]) / "cache").rglob("*.db")]


def test_evidence_of_a_command_opens_in_the_folder_of_its_file(tmp_path: Path, env: Mapping[str, str]) -> None:
    file, schema = tmp_path / "docs" / "invoice.md", tmp_path / "schema.json"
    file.parent.mkdir()
    file.write_text(INVOICE, "utf-8")
    schema.write_text(json.dumps(SCHEMA))
    done = run(pincite("extract", str(file), "--schema", str(schema), "--json"), env=env)
    evidence = json.loads(done.stdout)["evidence"]
    for field in ("grand_total", "customer"):
        command = pincite("read", evidence[field]["ref"], "--docs", str(file.parent), "--json")
        read = run(command, env=env)
        assert json.loads(read.stdout)["content"] == evidence[field]["raw"], read.stderr
    assert not (tmp_path / "data").exists()


def test_hits_and_passages_of_a_document_cite_what_they_show(tmp_path: Path, env: Mapping[str, str]) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "invoice.md").write_text(INVOICE, "utf-8")
    with HttpServer(COMMAND, env) as server, closing(StreamableHttp(server, STATELESS).open()) as mcp:

        def answer(tool: str, **arguments: Any) -> dict[str, Any]:
            return call(mcp, tool, arguments)["structuredContent"]

        index = answer("doc_index_build", file_path=str(tmp_path / "data" / "invoice.md"))["index_id"]
        hits = answer("doc_search", index_id=index, query="grand total hinges")["results"]
        assert hits
        for locator, ref in [*((hit["locator"], hit["ref"]) for hit in hits), ("h1", None)]:
            passage = answer("doc_read", index_id=index, locator=locator)
            assert ref in (None, passage["ref"])
            assert answer("open_citation", ref=passage["ref"])["content"] == passage["content"]
