"""A library whose vectors a service computes: what is sent, what happens when it fails, and how it goes on."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from pincite.app import App
from pincite.errors import AuthError, ConfigError
from pincite.model.call import Call
from pincite.settings import load
from pincite.transports.cli.commands import doctor, ingest, status
from support.embedding_service import EmbeddingService, Reply, always, embedding_service, failing, in_turn

pytest.importorskip("openai", reason="needs the extra openai")

KEY = "sk-a-key-of-this-test-0123456789"
STANDARD = "# Keys\n\n" + "\n\n".join(f"## 5.{n} Part {n}\n\nPart {n} shall be kept." for n in range(1, 13))


@pytest.fixture
def service(pincite: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[EmbeddingService]:
    """A service, and the settings of a library that uses it."""
    del pincite  # it restores the log, which commands configure
    monkeypatch.setattr("pincite.embedding.openai.RETRY_SECONDS", ())
    with embedding_service() as running:
        for name, value in {
            "EMBEDDING_PROVIDER": "openai",
            "OPENAI_API_KEY": KEY,
            "OPENAI_BASE_URL": running.url,
            "EMBEDDING_BATCH_SIZE": "4",
            "DATA_DIR": str(tmp_path / "data"),
            "PINCITE_CACHE": str(tmp_path / "cache"),
        }.items():
            monkeypatch.setenv(name, value)
        yield running


@pytest.fixture
def standards(tmp_path: Path) -> Path:
    folder = tmp_path / "standards"
    folder.mkdir()
    (folder / "keys.md").write_text(STANDARD)
    return folder


def run(folder: Path) -> int:
    return ingest.ingest([str(folder)], as_json=True)


def missing(app: App) -> int:
    with app.library_collection().store.snapshot() as snapshot:
        return snapshot.statistics().waiting_chunks


def test_a_library_is_ingested_and_searched_by_it(
    service: EmbeddingService, standards: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(standards) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["warnings"] == []
    # The first request checks the key.
    assert sum(service.batches[1:]) == told["chunks"] and max(service.batches) == 4
    app = App(load(), None, toolsets=["knowledge"])
    try:
        answer = app.toolbox.call("knowledge_search", {"query": "Part 7 shall be kept"}, Call()).model_dump()
        assert (
            answer["search_type"] == "hybrid" and answer["results"][0]["metadata"]["section_hierarchy"][-1][:3] == "5.7"
        )
        assert app.toolbox.call("knowledge_stats", {}, Call()).model_dump()["embedding"] == {
            "model": "text-embedding-3-small",
            "dimensions": 1536,
        }
        service.fault = always(failing(401))
        with pytest.raises(AuthError):
            app.toolbox.call("knowledge_search", {"query": "another question"}, Call())
        kept = app.toolbox.call("knowledge_keyword_search", {"query": "kept"}, Call()).model_dump()
        assert kept["total"] > 0
        health = app.toolbox.call("knowledge_health", {}, Call()).model_dump()
        assert (health["status"], health["checks"]["embedding_service"]["status"]) == ("unhealthy", "down")
        lookup = app.toolbox.call("knowledge_lookup", {"term": "zebra"}, Call()).model_dump()
        assert lookup["found"] is False
    finally:
        app.close()


def test_folders_are_never_sent(service: EmbeddingService, standards: Path) -> None:
    settings = load({"PINCITE_FETCH_MODEL": False})
    app = App(settings, standards, toolsets=["docs", "citations"])
    try:
        app.toolbox.call("search_docs", {"query": "kept"}, Call())
        assert app.collection().embedder.embedder.provider == "local"
        assert app.parts.tokens is app.embedder.tokenizer and app.embedder.provider == "local"
    finally:
        app.close()
    assert service.requests == []


def test_a_refused_key_stops_an_ingest_before_it_reads(service: EmbeddingService, standards: Path) -> None:
    service.fault = always(failing(401, f"Incorrect API key provided: {KEY}"))
    with pytest.raises(AuthError, match="OPENAI_API_KEY") as raised:
        run(standards)
    assert KEY not in raised.value.message
    app = App(load(), None, toolsets=["knowledge"])
    try:
        with pytest.raises(AuthError):
            app.check()
        assert app.library_collection().store.generation() == 0
    finally:
        app.close()


def test_a_service_that_refuses_every_text_stops_an_ingest_before_it_reads(
    service: EmbeddingService, standards: Path, pincite: Callable[..., Any]
) -> None:
    service.fault = always(failing(400))
    ran = pincite("ingest", standards)
    assert ran.code == 3 and "refuses every text" in ran.err and "OPENAI_BASE_URL" in ran.err


def test_a_start_waits_for_no_service(service: EmbeddingService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.app.application.CHECK_SECONDS", 0.2)
    service.fault = always(Reply(delay=30.0))
    app = App(load(), None, toolsets=["knowledge"])
    try:
        app.check()
        service.fault = always(failing(404))
        monkeypatch.setattr("pincite.app.application.CHECK_SECONDS", 10.0)
        with pytest.raises(ConfigError, match="EMBEDDING_MODEL"):
            app.check()
    finally:
        service.ended.set()
        app.close()


def test_a_refused_key_and_an_unreachable_store_are_reported_at_once(
    service: EmbeddingService, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("qdrant_client", reason="needs the extra qdrant")
    monkeypatch.setenv("VECTOR_STORE", "qdrant")
    monkeypatch.setenv("QDRANT_URL", "http://127.0.0.1:9")
    service.fault = always(failing(401))
    app = App(load(), None, toolsets=["knowledge"])
    try:
        with pytest.raises(ConfigError, match=r"QDRANT_URL[^-]*\n- .*OPENAI_API_KEY"):
            app.check()
    finally:
        app.close()


def failing_after(requests: int, service: EmbeddingService) -> Callable[[Sequence[str]], Reply | None]:
    return lambda _: failing(503) if len(service.requests) > requests else None


def test_an_ingest_that_the_service_leaves_goes_on_where_it_ended(
    service: EmbeddingService, standards: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service.fault = failing_after(3, service)
    assert run(standards) == 1
    first = json.loads(capsys.readouterr().out)
    assert "found by keywords alone: The embedding service failed (503)" in first["warnings"][0]
    assert "They are in keys.md (" in first["warnings"][0]
    sent = {text for body in service.requests[1:3] for text in body["input"]}
    service.fault = lambda _: None
    service.requests.clear()
    assert run(standards) == 0
    second = json.loads(capsys.readouterr().out)
    assert second["unchanged"] == ["keys.md"]
    assert second["warnings"] == ["Vectors that an earlier run had not computed are there now: keys.md."]
    resent = [text for body in service.requests[1:] for text in body["input"]]
    assert len(resent) == first["chunks"] - len(sent) and sent.isdisjoint(resent)


def test_a_used_up_quota_ends_with_the_billing_page(
    service: EmbeddingService, standards: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    quota = failing(429, "You exceeded your current quota.", "insufficient_quota")
    service.fault = lambda _: quota if len(service.requests) > 2 else None
    assert run(standards) == 1
    assert "billing" in json.loads(capsys.readouterr().out)["warnings"][0]


def test_doctor_asks_the_service(service: EmbeddingService, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    shown = {}
    for fault in (None, failing(401)):
        service.fault = lambda _, reply=fault: reply
        doctor.doctor(docs=tmp_path, as_json=True)
        checks = json.loads(capsys.readouterr().out)["checks"]
        check = next(each for each in checks if each["name"] == "openai")
        shown[check["state"]] = check["found"]
    assert shown["ok"] == "text-embedding-3-small, 1536 dimensions"
    assert "OPENAI_API_KEY" in shown["failure"]


def test_status_says_whose_tokens_are_counted(service: EmbeddingService, capsys: pytest.CaptureFixture[str]) -> None:
    app = App(load(), None, toolsets=["knowledge"])
    app.library_collection()
    app.close()
    assert status.status(library=True) == 0
    assert "counted by wordpiece-" in capsys.readouterr().out
    assert service.requests == []


def test_refused_passages_are_named_and_sent_again_by_the_next_run(
    service: EmbeddingService, standards: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service.fault = lambda texts: failing(400) if any("Part 3 shall" in text for text in texts) else None
    assert run(standards) == 1
    first = json.loads(capsys.readouterr().out)
    assert (first["added"], first["errors"]) == (["keys.md"], 1)
    reason = "The embedding service refused 1 passage, found by keywords alone: clause 5.3."
    assert first["failed"] == [{"path": "keys.md", "reason": reason}]
    assert run(standards) == 1  # as long as it is refused
    again = json.loads(capsys.readouterr().out)
    assert again["failed"] == first["failed"]
    assert again["warnings"] == ["Sent again after an earlier refusal: 1 passage, 0 of them accepted now."]
    app = App(load({"PINCITE_MODEL_GRACE": "inf"}), None, toolsets=["knowledge"])
    try:
        asked = {"query": "shall be kept Part 3", "n_results": 1, "ranking": "semantic", "clause_number": "5.3"}
        assert app.toolbox.call("knowledge_search", asked, Call()).model_dump()["results"][0]["score"] == 0.0
        service.fault = lambda _: None
        assert run(standards) == 0
        told = json.loads(capsys.readouterr().out)
        assert told["failed"] == [] and "1 of them accepted now: keys.md: clause 5.3." in told["warnings"][0]
        # A server that was running has the vector, too.
        assert app.toolbox.call("knowledge_search", asked, Call()).model_dump()["results"][0]["score"] > 0.5
    finally:
        app.close()
    assert run(standards) == 0
    assert json.loads(capsys.readouterr().out)["warnings"] == []


@pytest.mark.parametrize("kind", ["insufficient_quota", ""])
def test_a_quota_that_is_used_up_at_the_start_leaves_documents_that_words_find(
    service: EmbeddingService, standards: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    service.fault = always(failing(429, "You exceeded your current quota.", kind))
    assert run(standards) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["added"] == ["keys.md"] and "found by keywords alone" in told["warnings"][0]
    app = App(load(), None, toolsets=["knowledge"])
    try:
        found = app.toolbox.call("knowledge_keyword_search", {"query": "Part 7"}, Call()).model_dump()
        assert found["total"] > 0
    finally:
        app.close()
    (standards / "keys.md").unlink()
    assert run(standards) == 2  # nothing is in


def test_a_retry_is_told_with_the_request_that_waits_for_it(
    service: EmbeddingService,
    standards: Path,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pincite.embedding.openai.RETRY_SECONDS", (0.0,))
    assert run(standards) == 0
    (standards / "keys.md").write_text(f"{STANDARD}\nAnd more.\n")
    service.fault = in_turn(failing(500))
    capsys.readouterr()
    assert run(standards) == 0
    assert "WARNING pincite.retries retry_attempt service=openai attempt=1 reason=" in capsys.readouterr().err
    app = App(load(), None, toolsets=["knowledge"])
    try:
        service.fault = in_turn(failing(500))
        caplog.clear()
        call = Call()
        app.toolbox.call("knowledge_search", {"query": "Part 7"}, call)
        (retry,) = [record for record in caplog.records if record.getMessage() == "retry_attempt"]
        assert retry.__dict__["rid"] == call.request_id
    finally:
        app.close()


def test_an_ingestion_logs_what_was_embedded(
    service: EmbeddingService, standards: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", logger="pincite.embedding")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LOG_LEVEL", "DEBUG")
        assert run(standards) == 0
    logged = [record for record in caplog.records if record.message == "embedding_generated"]
    assert len(logged) == len(service.batches) - 1
    assert all(isinstance(getattr(each, name), int) for each in logged for name in ("token_count", "latency_ms"))
