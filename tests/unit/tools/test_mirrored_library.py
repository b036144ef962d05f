"""The library of the `knowledge` tools with Qdrant as its vector store, over the real wire."""

import logging
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pincite import settings
from pincite.app import App
from pincite.errors import AuthError, ConfigError, PinciteError
from pincite.index.mirrors.rebuilding import rebuild
from pincite.model.call import Call
from pincite.services.library.ingestion import plan, single_file
from support.http_stub import answering
from support.waiting import wait_for

pytest.importorskip("qdrant_client", reason="needs pincite[qdrant]")

from support.qdrant_server import QdrantServer, qdrant_server

KEY = "a-key-of-this-test"
PAGE = """\
---
document_id: ACME-100
document_type: standard
---
# Keys

## 5.1 Use

Keys shall be rotated every 90 days.

## 5.2 Logs

Use of a key should be logged.
"""
FIELDS = {
    *("id", "document_id", "document_title", "document_type", "content", "content_hash", "token_count"),
    *("section_hierarchy", "section_title", "parent_chunk_id", "chunk_type", "normative", "page_numbers"),
    *("clause_number", "clauses", "references", "source_path", "embedding_model", "created_at", "updated_at"),
}


@pytest.fixture(scope="module")
def qdrant() -> Iterator[QdrantServer]:
    with qdrant_server(KEY) as server:
        yield server


@pytest.fixture
def variables(qdrant: QdrantServer, tmp_path: Path) -> dict[str, object]:
    qdrant.fault = None
    if qdrant.client.collection_exists("se_knowledge_base"):
        qdrant.client.delete_collection("se_knowledge_base")
    return {
        "DATA_DIR": tmp_path / "data",
        "EMBEDDING_PROVIDER": "hash",
        "PINCITE_MODEL_GRACE": "inf",
        "PINCITE_FRESH_BUDGET": "inf",
        "VECTOR_STORE": "qdrant",
        "QDRANT_URL": qdrant.url,
        "QDRANT_API_KEY": KEY,
    }


def opened(variables: dict[str, object], **others: object) -> App:
    return App(settings.load({**variables, **others}), None, toolsets=["knowledge", "citations"])


def call(app: App, name: str, **arguments: object) -> dict[str, Any]:
    return app.toolbox.call(name, arguments, Call()).model_dump(mode="json")


def ingest(app: App, page: Path) -> None:
    page.write_text(PAGE, encoding="utf-8")
    library = app.library_collection()
    library.ingestion.add(plan([single_file(page, 10**6)], []).additions, Call())
    library.start()
    assert wait_for(lambda: not library.store.waiting_documents())
    assert library.mirrored is not None
    library.mirrored.synchronise(Call())


@pytest.fixture
def filled(variables: dict[str, object], tmp_path: Path) -> Iterator[App]:
    with closing(opened(variables)) as app:
        app.check()
        ingest(app, tmp_path / "keys.md")
        yield app


def test_searches_are_answered_by_qdrant_as_by_the_library(
    filled: App, variables: dict[str, object], qdrant: QdrantServer
) -> None:
    qdrant.requests.clear()
    for arguments in (
        {"query": "rotated keys"},
        {"query": "keys", "normative_only": True, "document_type": "standard"},
    ):
        found = call(filled, "knowledge_search", **arguments)
        assert not found.get("warnings") and found["search_type"] == "hybrid" and found["results"]
        with closing(opened(variables, VECTOR_STORE="sqlite")) as own:
            expected = call(own, "knowledge_search", **arguments)
        assert [(hit["id"], hit["score"]) for hit in found["results"]] == [
            (hit["id"], hit["score"]) for hit in expected["results"]
        ]
    assert sum(path.endswith("/points/query") for _, path in qdrant.requests) == 4  # two searches of two legs
    stats = call(filled, "knowledge_stats")
    assert stats["vector_store"] == {"backend": "qdrant", "status": "healthy", "hybrid_enabled": True}
    assert "warnings" not in stats or stats["warnings"] is None
    assert call(filled, "knowledge_health")["checks"]["vector_store"]["status"] == "up"


def test_points_carry_every_field_of_the_contract(filled: App, qdrant: QdrantServer) -> None:
    assert call(filled, "knowledge_stats")["knowledge_base"]["total_documents"] == 1
    chunks = [point for point in qdrant.points() if (point.payload or {})["point"] == "chunk"]
    assert chunks and all((point.payload or {}).keys() >= FIELDS for point in chunks)
    rotation = next(point for point in chunks if "rotated" in (point.payload or {})["content"])
    payload = rotation.payload or {}
    assert (payload["clause_number"], payload["normative"], payload["chunk_type"]) == ("5.1", True, "requirement")
    assert payload["id"] == rotation.id and isinstance(rotation.vector, dict)
    assert rotation.vector.keys() == {"dense", "bm25"}


def test_a_store_that_is_down_is_said_and_the_library_answers(filled: App, qdrant: QdrantServer) -> None:
    assert not call(filled, "knowledge_search", query="rotated keys").get("warnings")
    qdrant.fault = lambda _: 503
    found = call(filled, "knowledge_search", query="rotated keys")
    assert found["results"] and "Qdrant fails (HTTP 503)" in found["warnings"][0]
    assert "The library itself was searched." in found["warnings"][0]
    health = call(filled, "knowledge_health")
    assert health["status"] == "unhealthy" and health["checks"]["vector_store"]["status"] == "down"
    stats = call(filled, "knowledge_stats")
    assert stats["vector_store"]["status"] == "unavailable"
    assert "Qdrant fails (HTTP 503)" in stats["warnings"][0]
    assert "The library itself is searched." in stats["warnings"][0]
    qdrant.fault = None
    assert wait_for(lambda: not call(filled, "knowledge_search", query="rotated keys").get("warnings"))


def test_what_is_ingested_while_it_is_away_is_copied_when_it_is_back(
    filled: App, qdrant: QdrantServer, tmp_path: Path
) -> None:
    qdrant.fault = lambda method: 500 if method != "GET" else None
    assert filled.library_collection().mirrored is not None
    library = filled.library_collection()
    (tmp_path / "more.md").write_text("# More\n\nA vault shall be locked.\n", encoding="utf-8")
    library.ingestion.add(plan([single_file(tmp_path / "more.md", 10**6)], []).additions, Call())
    found = call(filled, "knowledge_search", query="vault locked")
    assert found["results"][0]["source"]["document_id"] == "more" and found["warnings"]
    qdrant.fault = None
    assert wait_for(lambda: not call(filled, "knowledge_search", query="vault locked").get("warnings"))
    assert {(point.payload or {}).get("document_id") for point in qdrant.points()} >= {"ACME-100", "more"}


def test_another_machine_serves_what_this_one_ingested(
    filled: App, variables: dict[str, object], tmp_path: Path
) -> None:
    found = call(filled, "knowledge_search", query="rotated keys")
    other = {**variables, "DATA_DIR": tmp_path / "elsewhere"}
    with closing(opened(other)) as app:
        app.check()  # it starts, and says so
        empty = call(app, "knowledge_search", query="rotated keys")
        assert empty["results"] == [] and "holds 1 document" in " ".join(empty["suggestions"])
        assert call(app, "knowledge_health")["status"] == "unhealthy"
        (tmp_path / "keys.md").unlink()
        library = app.library_collection()
        assert library.mirrored is not None
        assert rebuild(library.store, library.mirrored.mirror(), Call()).restored == ["ACME-100"]
        assert wait_for(lambda: not call(app, "knowledge_search", query="rotated keys").get("warnings"))
        again = call(app, "knowledge_search", query="rotated keys")
        assert again["results"] == found["results"] and not again["index"]["stale"]
        for hit in found["results"]:
            cited = [call(each, "open_citation", ref=hit["ref"]) for each in (filled, app)]
            assert cited[0]["content"] == cited[1]["content"] and cited[1]["current"]


def test_without_hybrid_search_there_are_no_sparse_vectors(
    variables: dict[str, object], qdrant: QdrantServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(opened(variables, QDRANT_HYBRID_SEARCH=False)) as app, caplog.at_level(logging.WARNING):
        ingest(app, tmp_path / "keys.md")
        found = call(app, "knowledge_search", query="rotated keys")
        assert found["search_type"] == "semantic" and "QDRANT_HYBRID_SEARCH" in found["warnings"][0]
        assert call(app, "knowledge_keyword_search", query="rotated")["results"]
        assert not call(app, "knowledge_stats")["vector_store"]["hybrid_enabled"]
    assert all("bm25" not in (point.vector or {}) for point in qdrant.points())
    assert [record.message for record in caplog.records].count("search.semantic_only") == 1


@pytest.mark.parametrize(
    ("others", "error", "message"),
    [
        ({"QDRANT_API_KEY": "another"}, AuthError, "Qdrant refuses the key. Set QDRANT_API_KEY"),
        ({"QDRANT_URL": "http://127.0.0.1:1"}, ConfigError, "VECTOR_STORE is qdrant. Qdrant cannot be reached at QDR"),
    ],
)
def test_a_server_does_not_start_with_a_store_that_it_cannot_use(
    variables: dict[str, object], others: dict[str, object], error: type[PinciteError], message: str
) -> None:
    with closing(opened(variables, **others)) as app, pytest.raises(error, match=message) as caught:
        app.check()
    shown = f"{caught.value} {caught.value.details} {caught.value.suggestion}"
    assert KEY not in shown and "another" not in shown and "127.0.0.1" not in shown


def test_another_server_at_the_address_is_recognised(variables: dict[str, object]) -> None:
    with answering({"/collections/se_knowledge_base": (200, "hello", "")}) as port:
        given = {"QDRANT_URL": f"http://127.0.0.1:{port}"}
        with closing(opened(variables, **given)) as app, pytest.raises(ConfigError, match="no Qdrant server"):
            app.check()
