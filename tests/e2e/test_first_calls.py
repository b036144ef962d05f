"""The first calls of a fresh server, all at once: whatever imports a library first, no other call finds half of it."""

import json
import os
import subprocess
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from support.http_wire import HttpServer
from support.waiting import SECONDS, wait_for
from support.wire import pincite

pytestmark = pytest.mark.slow

AUDIT = Path(__file__).parents[1] / "support" / "import_audit"
SCHEMA = {"type": "object", "properties": {"name": {"type": "string", "pattern": "^a"}}}
TEXT = "# Rotate the keys\n\nThe operator shall rotate the keys of the gate every ninety days.\n"
TABLE = "name,amount\nalpha,1200\nbeta,3400\n"

TIMEOUT = 504

Calls = list[tuple[str, dict[str, Any]]]


def calls(face: str, folder: Path) -> Calls:
    """Eight different first calls of a face."""
    text, table, page = (str(folder / name) for name in ("keys.md", "amounts.csv", "page.html"))
    given: dict[str, Calls] = {
        "docs": [
            ("search_docs", {"query": "rotate teh kyes"}),
            ("search_docs", {"query": '"ninety days"', "explain": True}),
            ("list_pages", {}),
            ("list_pages", {"prefix": "keys"}),
            ("get_page", {"file_path": "keys.md"}),
            ("search_docs", {"query": "amount of alpha", "max_tokens": 500}),
            ("search_docs", {"query": "gate", "file_filter": "*.html"}),
            ("get_page", {"file_path": "amounts.csv", "max_tokens": 400}),
        ],
        "knowledge": [
            ("knowledge_search", {"query": "rotate the keys"}),
            ("knowledge_search", {"query": "gate", "use_hybrid": False}),
            ("knowledge_keyword_search", {"query": "kyes"}),
            ("knowledge_requirements", {"topic": "keys"}),
            ("knowledge_lookup", {"term": "operatr"}),
            ("knowledge_stats", {}),
            ("knowledge_health", {}),
            ("knowledge_search", {"query": "ninety days", "n_results": 3}),
        ],
        "extraction": [
            ("doc_index_build", {"file_path": text}),
            ("doc_index_build", {"file_path": table}),
            ("doc_index_build", {"file_path": page}),
            ("json_validate_and_normalize", {"schema": SCHEMA, "data": {"name": "alpha"}}),
            ("json_validate_and_normalize", {"schema": {"name": "str"}, "data": {"name": "alpha"}}),
            ("json_validate_and_normalize", {"schema": {"type": 7}, "data": {}}),
            ("doc_search", {"index_id": "none", "query": "keys"}),
            ("doc_read", {"index_id": "none", "locator": "h1"}),
        ],
        "documents": [
            ("get_system_health", {}),
            ("retrieve_chunks", {"document_url": text, "query": "rotate teh kyes"}),
            ("process_document", {"document_url": page}),
            ("chunk_document", {"document_url": text}),
            ("extract_csv_tables", {"document_url": table}),
            ("detect_language", {"text": "Alle Menschen sind frei und gleich an Rechten geboren."}),
            ("manage_cache", {"action": "stats"}),
            ("retrieve_chunks", {"document_url": page, "query": "gate"}),
        ],
    }
    return given[face]


FACES = ("docs", "knowledge", "extraction", "documents")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of three kinds of file."""
    made = tmp_path / "docs"
    made.mkdir()
    (made / "keys.md").write_text(TEXT)
    (made / "amounts.csv").write_text(TABLE)
    (made / "page.html").write_text("<html><body><h1>The gate</h1><p>The gate opens at nine.</p></body></html>")
    return made


@pytest.fixture
def environment(tmp_path: Path, folder: Path, model_cache: Path) -> dict[str, str]:
    """The variables of a server with the real model, and with the folder as its library."""
    own = {
        "ALLOWED_ROOTS": str(folder),
        "DATA_DIR": str(tmp_path / "data"),
        "MCP_RATE_LIMIT_RPM": "0",
        "PINCITE_CACHE": str(tmp_path / "cache"),
    }
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "models").symlink_to(model_cache)
    environment = {**os.environ, **own}
    subprocess.run(pincite("ingest", str(folder)), env=environment, check=True, capture_output=True, timeout=100)
    return environment


def start(face: str, folder: Path, environment: Mapping[str, str]) -> HttpServer:
    """A fresh server: not a fork of one that has imported everything."""
    served = [str(folder)] if face == "docs" else []
    command = pincite("serve", *served, "--toolsets", face, "--transport", "http")
    return HttpServer(command, environment, start=subprocess.Popen)


def broken(server: HttpServer, first: Calls) -> list[str]:
    """What of the calls, made at the same moment, is no answer, and what the log says went wrong."""
    together = threading.Barrier(len(first))
    with server.client() as client, ThreadPoolExecutor(len(first)) as pool:

        def call(given: tuple[str, dict[str, Any]]) -> str:
            tool, arguments = given
            together.wait()
            answer = client.post(f"/api/tools/{tool}", json=arguments)
            deadline = time.monotonic() + SECONDS
            # A busy machine may need longer than a call has: what is not broken answers the next one.
            while answer.status_code == TIMEOUT and time.monotonic() < deadline:
                answer = client.post(f"/api/tools/{tool}", json=arguments)
            return f"{tool}: {answer.text}" if answer.status_code >= 500 else ""

        failed = list(filter(None, pool.map(call, first)))
    return failed + [json.dumps(line) for line in tuple(server.log) if line["level"] == "ERROR" or "exc" in line]


@pytest.mark.parametrize("face", FACES)
def test_one_thread_at_a_time_imports_a_library(face: str, folder: Path, environment: dict[str, str]) -> None:
    with start(face, folder, {**environment, "PYTHONPATH": str(AUDIT)}) as server:
        started = len(server.lines)
        assert broken(server, calls(face, folder)) == []
    assert server.lines[started:] == []


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("knowledge_search", {"query": "entrance hours"}),
        ("knowledge_search", {"query": "entrance hours", "use_hybrid": False}),
        ("knowledge_requirements", {"topic": "entrance hours"}),
    ],
)
def test_a_first_search_that_found_no_word_says_that_only_words_were_compared(
    tool: str, arguments: dict[str, Any], folder: Path, environment: dict[str, str]
) -> None:
    with start("knowledge", folder, {**environment, "PINCITE_MODEL_GRACE": "0"}) as server, server.client() as client:
        first = client.post(f"/api/tools/{tool}", json=arguments).json()
        assert first["results"] == []
        assert first["suggestions"] == [
            "Only words were compared: The embedding model is still loading. Ask again in a moment, or use other words."
        ]
        assert wait_for(lambda: client.post(f"/api/tools/{tool}", json=arguments).json()["results"])


def test_health_is_degraded_where_no_embedding_model_is_on_the_machine(
    folder: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    without = {**environment, "PINCITE_CACHE": str(tmp_path / "empty"), "PINCITE_FETCH_MODEL": "false"}
    with start("documents", folder, without) as server, server.client() as client:
        states = [client.get("/api/health").json() for _ in range(2)]
    assert [state["status"] for state in states] == ["degraded", "degraded"]
    assert all("all-MiniLM-L6-v2 is not used: " in state["models"]["notes"][0] for state in states)
    with start("documents", folder, environment) as server, server.client() as client:
        assert client.get("/api/health").json()["status"] == "healthy"


STARTS = (
    pytest.param(20, marks=pytest.mark.timeout(600)),
    pytest.param(200, marks=[pytest.mark.long, pytest.mark.timeout(3600)]),
)


@pytest.mark.parametrize("starts", STARTS)
@pytest.mark.parametrize("face", FACES)
def test_eight_first_calls_at_once_break_no_fresh_server(
    face: str, starts: int, folder: Path, environment: dict[str, str]
) -> None:
    for _ in range(starts):
        with start(face, folder, environment) as server:
            assert broken(server, calls(face, folder)) == []
