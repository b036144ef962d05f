"""`pincite ingest` with a vector store: the copy, its failures, and both directions by hand."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("qdrant_client", reason="needs pincite[qdrant]")

from pincite.app import App
from pincite.settings import load
from support.qdrant_server import QdrantServer, qdrant_server


@pytest.fixture(scope="module")
def server() -> Iterator[QdrantServer]:
    with qdrant_server() as running:
        yield running


@pytest.fixture
def qdrant(server: QdrantServer) -> QdrantServer:
    server.fault = None
    if server.client.collection_exists("se_knowledge_base"):
        server.client.delete_collection("se_knowledge_base")
    return server


@pytest.fixture
def standards(home: Path, monkeypatch: pytest.MonkeyPatch, qdrant: QdrantServer) -> Path:
    folder = home / "standards"
    folder.mkdir()
    (folder / "keys.md").write_text("# Keys\n\nKeys shall be rotated.\n", encoding="utf-8")
    monkeypatch.setenv("DATA_DIR", str(home / "data"))
    monkeypatch.setenv("VECTOR_STORE", "qdrant")
    monkeypatch.setenv("QDRANT_URL", qdrant.url)
    return folder


def run(pincite: Callable[..., Any], *arguments: str | Path) -> tuple[int, dict[str, Any]]:
    ran = pincite("ingest", *arguments, "--json")
    return ran.code, json.loads(ran.out)


def documents(qdrant: QdrantServer) -> set[str]:
    return {
        str(payload["document_id"]) for point in qdrant.points() if "document_id" in (payload := point.payload or {})
    }


def test_what_is_ingested_is_copied(pincite: Callable[..., Any], standards: Path, qdrant: QdrantServer) -> None:
    assert run(pincite, standards)[0] == 0
    assert documents(qdrant) == {"keys"}
    (standards / "keys.md").unlink()
    (standards / "logs.md").write_text("# Logs\n\nLogs are kept.\n", encoding="utf-8")
    assert run(pincite, standards, "--prune")[0] == 0
    assert documents(qdrant) == {"logs"}


def test_a_copy_that_fails_costs_nothing_and_is_made_up_for(
    pincite: Callable[..., Any], standards: Path, qdrant: QdrantServer
) -> None:
    qdrant.fault = lambda method: 500 if method == "PUT" else None  # it can be read
    code, summary = run(pincite, standards)
    assert code == 1 and summary["added"] == ["keys.md"]
    assert "qdrant store does not have these changes: Qdrant fails (HTTP 500)" in summary["warnings"][0]
    qdrant.fault = None
    code, summary = run(pincite, standards)
    assert (code, summary["unchanged"], summary["warnings"]) == (0, ["keys.md"], [])
    assert documents(qdrant) == {"keys"}


@pytest.mark.parametrize(
    ("variable", "value", "arguments"),
    [
        ("QDRANT_URL", "http://127.0.0.1:1", ("standards",)),
        ("QDRANT_URL", "http://127.0.0.1:1", ("--from-mirror",)),
        ("QDRANT_URL", "http://127.0.0.1:1", ("--to-mirror",)),
        ("PINCITE_STORE_URL", "postgresql://127.0.0.1:1/pincite", ("standards",)),
        ("PINCITE_STORE_URL", "postgresql://127.0.0.1:1/pincite", ("standards", "--dry-run")),
    ],
)
def test_a_store_that_cannot_be_reached_at_the_start_is_a_fault_of_the_configuration(
    pincite: Callable[..., Any],
    standards: Path,
    monkeypatch: pytest.MonkeyPatch,
    variable: str,
    value: str,
    arguments: tuple[str, ...],
) -> None:
    assert standards.is_dir()
    monkeypatch.setenv(variable, value)
    ran = pincite("ingest", *arguments)
    assert (ran.code, ran.out) == (3, "") and variable in ran.err and "cannot be reached" in ran.err


def test_a_refused_key_is_a_fault_of_the_configuration(
    pincite: Callable[..., Any], standards: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with qdrant_server("right") as locked:
        monkeypatch.setenv("QDRANT_URL", locked.url)
        monkeypatch.setenv("QDRANT_API_KEY", "wrong")
        ran = pincite("ingest", standards)
    assert ran.code == 3 and "Set QDRANT_API_KEY" in ran.err and "wrong" not in ran.err


def test_a_library_is_made_from_the_store_and_the_store_from_a_library(
    pincite: Callable[..., Any], standards: Path, qdrant: QdrantServer, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(pincite, standards)[0] == 0
    monkeypatch.setenv("DATA_DIR", str(home / "elsewhere"))
    (home / "own.md").write_text("# Own\n\nIt is here.\n", encoding="utf-8")
    code, summary = run(pincite, home / "own.md")
    assert code == 1 and "another library" in summary["warnings"][0]
    code, summary = run(pincite, "--from-mirror")
    assert (code, summary["restored"], summary["surplus"]) == (0, ["keys"], ["own"])
    assert run(pincite, "--from-mirror", "--prune")[1]["removed"]
    assert run(pincite, "--from-mirror")[1] == {
        "store": "qdrant",
        "restored": [],
        "unchanged": ["keys"],
        "failed": [],
        "surplus": [],
        "removed": False,
        "chunks": 1,
    }
    assert run(pincite, home / "own.md")[0] == 0  # both held the same, so this library goes on from there
    assert documents(qdrant) == {"keys", "own"}
    monkeypatch.setenv("DATA_DIR", str(home / "data"))
    assert run(pincite, "--to-mirror") == (0, {"store": "qdrant", "written": 0, "deleted": 1})
    assert documents(qdrant) == {"keys"}


def test_what_cannot_be_restored_is_said(pincite: Callable[..., Any], standards: Path, qdrant: QdrantServer) -> None:
    assert run(pincite, standards)[0] == 0
    record = next(point for point in qdrant.points() if (point.payload or {})["point"] == "document")
    qdrant.client.set_payload("se_knowledge_base", {"record": "{}"}, [record.id])
    ran = pincite("ingest", "--from-mirror")
    assert ran.code == 2 and "failed: keys: The mirror's copy of keys is damaged" in ran.out


@pytest.mark.parametrize(
    ("arguments", "store", "message"),
    [
        ((), "sqlite", "Name the files, folders or URLs to add"),
        (("standards", "--from-mirror"), "qdrant", "--from-mirror takes no SOURCE"),
        (("--from-mirror", "--to-mirror"), "qdrant", "--from-mirror takes no SOURCE"),
        (("--from-mirror",), "sqlite", "VECTOR_STORE is sqlite"),
        (("--from-mirror",), "qdrant", "nothing to make a library from"),
    ],
)
def test_what_makes_no_sense_is_refused(
    pincite: Callable[..., Any],
    standards: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    store: str,
    message: str,
) -> None:
    assert standards.is_dir()
    monkeypatch.setenv("VECTOR_STORE", store)
    ran = pincite("ingest", *arguments)
    assert ran.code in {2, 3} and message in ran.err


def test_a_folder_that_a_server_has_open_keeps_nothing_from_being_ingested(
    pincite: Callable[..., Any], standards: Path, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    pytest.importorskip("chromadb", reason="needs pincite[chromadb]")
    monkeypatch.setenv("VECTOR_STORE", "chromadb")
    monkeypatch.setenv("CHROMADB_PATH", str(home / "chroma"))
    with closing(App(load({}), None, toolsets=["knowledge"])) as server:
        server.check()
        code, summary = run(pincite, standards)
        assert code == 1 and summary["added"] == ["keys.md"] and "has the ChromaDB" in summary["warnings"][0]
    assert run(pincite, standards)[0] == 0
