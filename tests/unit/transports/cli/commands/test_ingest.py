"""`pincite ingest`, and the console scripts of contract 2."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.index.updating.ingestion import Outcome
from pincite.model.call import Call
from pincite.services.library.ingestion import path_of
from pincite.transports.cli.commands import ingest
from support.http_stub import answering

FIELDS = {
    *("id", "document_id", "document_title", "document_type", "content", "content_hash", "token_count"),
    *("section_hierarchy", "section_title", "parent_chunk_id", "chunk_type", "normative", "page_numbers"),
    *("clauses", "table_header"),
    *("clause_number", "references", "source_path", "embedding_model", "created_at", "updated_at"),
}


@pytest.fixture
def standards(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = home / "standards"
    (folder / "sub").mkdir(parents=True)
    (folder / "keys.md").write_text(
        "# Keys\n\n## 5.1 Use\n\nKeys shall be rotated.\n\n### 5.1.1 Logs\n\nUse is logged.\n"
    )
    (folder / "sub/vault.md").write_text("# Vault\n\nThe vault shall be locked.\n")
    (folder / "notes.txt").write_text("Plain notes.\n")
    monkeypatch.setenv("DATA_DIR", str(home / "data"))
    return folder


def summary(pincite: Callable[..., Any], *arguments: str | Path) -> tuple[int, dict[str, Any]]:
    ran = pincite("ingest", *arguments, "--json")
    return ran.code, json.loads(ran.out)


def test_files_are_added_once_and_changes_when_it_runs_again(pincite: Callable[..., Any], standards: Path) -> None:
    code, first = summary(pincite, standards)
    assert (code, first["files"], first["errors"]) == (0, 3, 0)
    assert first["added"] == ["keys.md", "notes.txt", "sub/vault.md"] and first["chunks"] > 3
    (standards / "keys.md").write_text("# Keys\n\nKeys shall be burnt.\n")
    code, second = summary(pincite, standards)
    assert code == 0
    assert (second["added"], second["replaced"]) == ([], ["keys.md"])
    assert second["unchanged"] == ["notes.txt", "sub/vault.md"]
    _, forced = summary(pincite, standards / "notes.txt", "--force")
    assert forced["replaced"] == ["notes.txt"]


def test_people_read_a_summary_and_with_verbose_a_line_a_file(pincite: Callable[..., Any], standards: Path) -> None:
    ran = pincite("ingest", standards, "--pattern", "*.md", "--no-recursive", "--verbose")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0].startswith("added: keys.md (") and lines[1].startswith("1 file (1 added), ")
    assert "not matched by the pattern 2" in ran.err


def test_a_dry_run_writes_nothing_and_shows_each_chunk(pincite: Callable[..., Any], standards: Path) -> None:
    ran = pincite("ingest", "--dry-run", "--json", standards / "keys.md")
    records = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.code == 0 and all(record.keys() == FIELDS for record in records)
    required = next(record for record in records if record["chunk_type"] == "requirement")
    logged = next(record for record in records if "logged" in record["content"])
    assert (required["clause_number"], required["normative"], required["section_title"]) == ("5.1", True, "5.1 Use")
    assert logged["section_hierarchy"] == ["Keys", "5.1 Use", "5.1.1 Logs"]
    parent = next(record for record in records if record["id"] == logged["parent_chunk_id"])
    assert parent["section_hierarchy"] == ["Keys", "5.1 Use"]
    assert records[0]["parent_chunk_id"] is None
    shown = pincite("ingest", "--dry-run", standards / "keys.md").out
    assert shown.startswith("added: keys.md: Keys, id keys, ")
    assert f"1 file (1 added), {len(records)} chunks, 0 errors; nothing was written" in shown
    assert summary(pincite, standards)[1]["added"] == ["keys.md", "notes.txt", "sub/vault.md"]


def test_a_dry_run_makes_no_library(pincite: Callable[..., Any], standards: Path, home: Path) -> None:
    before = sorted(home.rglob("*"))
    assert pincite("ingest", "--dry-run", standards / "keys.md").code == 0
    assert sorted(home.rglob("*")) == before


def test_a_dry_run_gives_chunks_the_ids_that_answers_have(
    pincite: Callable[..., Any], standards: Path, make_library: Callable[[], Any]
) -> None:
    ran = pincite("ingest", "--dry-run", "--json", standards)
    ids = {json.loads(line)["id"] for line in ran.out.splitlines()}
    summary(pincite, standards)
    answer = make_library().toolbox.call("knowledge_search", {"query": "keys", "n_results": 100}, Call()).model_dump()
    assert {result["id"] for result in answer["results"]} == ids


def test_what_cannot_be_read_is_told_and_the_others_are_ingested(pincite: Callable[..., Any], standards: Path) -> None:
    (standards / "broken.pdf").write_bytes(b"%PDF-1.7 and nothing else")
    code, told = summary(pincite, standards)
    assert code == 1 and len(told["added"]) == 3
    assert [failure["path"] for failure in told["failed"]] == ["broken.pdf"] and told["failed"][0]["reason"]
    code, told = summary(pincite, standards / "broken.pdf")
    assert (code, told["errors"]) == (2, 1)
    ran = pincite("ingest", standards / "broken.pdf")
    assert ran.code == 2 and "failed: broken.pdf: " in ran.out
    ran = pincite("ingest", "--dry-run", standards / "broken.pdf")
    assert ran.code == 2 and "failed: broken.pdf: " in ran.err


def test_an_empty_source_is_not_the_working_directory(
    pincite: Callable[..., Any], standards: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(standards)
    ran = pincite("ingest", "")
    assert (ran.code, ran.out) == (2, "") and "An argument is empty." in ran.err


def test_nothing_to_ingest_is_exit_code_2(pincite: Callable[..., Any], standards: Path) -> None:
    assert pincite("ingest", standards, "--pattern", "*.xyz").code == 2
    ran = pincite("ingest", standards / "none")
    assert ran.code == 2 and "There is no file or folder" in ran.err


def test_a_fault_of_the_configuration_is_exit_code_3(
    pincite: Callable[..., Any], standards: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHUNK_SIZE_MIN", "1")
    monkeypatch.setenv("VECTOR_STORE", "x")
    ran = pincite("ingest", standards)
    assert ran.code == 3 and "CHUNK_SIZE_MIN" in ran.err and "VECTOR_STORE" in ran.err
    monkeypatch.undo()
    monkeypatch.setenv("DATA_DIR", str(standards / "keys.md"))
    assert pincite("ingest", standards).code == 3


def test_a_document_whose_file_is_gone_is_told_and_removed_on_request(
    pincite: Callable[..., Any], standards: Path
) -> None:
    summary(pincite, standards)
    (standards / "keys.md").unlink()
    code, told = summary(pincite, standards)
    assert (code, told["vanished"], told["removed"]) == (0, ["keys"], False)
    ran = pincite("ingest", standards)
    assert "1 without a file any more (kept; --prune removes them): keys" in ran.err
    _, told = summary(pincite, standards, "--prune")
    assert (told["vanished"], told["removed"]) == (["keys"], True)
    assert summary(pincite, standards)[1]["vanished"] == []


def test_the_same_content_twice_is_told(pincite: Callable[..., Any], standards: Path) -> None:
    (standards / "copy.md").write_bytes((standards / "keys.md").read_bytes())
    _, told = summary(pincite, standards)
    (warning,) = told["warnings"]
    assert "The same content is in 2 documents" in warning and "copy" in warning and "keys" in warning


def test_an_interrupted_ingestion_leaves_whole_documents_and_goes_on(
    pincite: Callable[..., Any], standards: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = ingest.Summary.note

    def interrupt(self: ingest.Summary, added: Any) -> None:
        note(self, added)
        if len(self.outcomes[Outcome.ADDED]) > 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(ingest.Summary, "note", interrupt)
    ran = pincite("ingest", standards)
    assert ran.code == 130 and "1 of 3 files" in ran.err
    monkeypatch.setattr(ingest.Summary, "note", note)
    _, told = summary(pincite, standards)
    assert told["unchanged"] == ["keys.md", "notes.txt"] and told["added"] == ["sub/vault.md"]


def test_without_a_model_it_says_that_words_alone_find(
    pincite: Callable[..., Any], standards: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBEDDING_PROVIDER", "local")
    code, told = summary(pincite, standards)
    assert code == 0 and any("found by keywords alone" in warning for warning in told["warnings"])


def test_source_paths_are_below_the_ingested_folder() -> None:
    assert path_of("/home/me/standards/./sub/a.md") == "sub/a.md"


def test_a_dry_run_says_what_would_become_of_each_file(pincite: Callable[..., Any], standards: Path) -> None:
    summary(pincite, standards)
    (standards / "keys.md").write_text("# Keys\n\nKeys shall be burnt.\n")
    (standards / "new.md").write_text("# New\n\nDoors shall be new.\n")
    (standards / "picture.xyz").write_bytes(b"x")
    ran = pincite("ingest", "--dry-run", standards)
    assert [line.partition(":")[0] for line in ran.out.splitlines()[:-1]] == [
        "replaced", "added", "unchanged", "unchanged"
    ]  # fmt: skip
    assert "4 files (1 replaced, 1 added, 2 unchanged), " in ran.out and "nothing was written" in ran.out
    assert "skipped: unsupported 1: picture.xyz" in ran.err
    forced = pincite("ingest", "--dry-run", "--force", standards / "notes.txt")
    assert forced.out.startswith("replaced: notes.txt")


def test_every_file_that_is_left_out_is_named(pincite: Callable[..., Any], standards: Path) -> None:
    (standards / "sub/picture.xyz").write_bytes(b"x")
    (standards / "copy.md").write_bytes((standards / "keys.md").read_bytes().replace(b"\n", b"\r\n"))
    _, told = summary(pincite, standards, "--pattern", "*.md")
    assert told["left_out"] == [
        {"path": "sub/picture.xyz", "reason": "unsupported"},
        {"path": "notes.txt", "reason": "not matched by the pattern"},
    ]
    assert told["skipped"] == {"unsupported": 1, "not matched by the pattern": 1}
    assert told["warnings"] == ["The same content is in 2 documents: copy, keys."]


def test_a_url_is_downloaded_into_the_library_and_again_when_it_runs_again(
    pincite: Callable[..., Any], standards: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = home / "data" / "library"
    answers = {
        "/a/index.html": (200, "<h1>Gates</h1><p>Gates shall be shut.</p>", ""),
        "/b/index.html": (200, "<h1>Doors</h1><p>Doors shall be locked.</p>", ""),
    }
    with answering(answers) as port:
        first, second, gone = (f"http://127.0.0.1:{port}/{path}" for path in ("a/index.html", "b/index.html", "c"))
        refused = pincite("ingest", first)
        assert (refused.code, "private" in refused.out) == (2, True)
        monkeypatch.setenv("DOWNLOAD_ALLOW_PRIVATE", "true")
        assert pincite("ingest", first, "--dry-run").code == 0
        assert not kept.exists()
        code, added = summary(pincite, first, second, standards, gone)
        assert (code, len(added["added"]), [failure["path"] for failure in added["failed"]]) == (1, 5, [gone])
        assert len(list(kept.glob("*/index.html"))) == 2
        answers["/a/index.html"] = (200, "<h1>Gates</h1><p>Gates shall be open.</p>", "")
        _, again = summary(pincite, first, second)
        assert (again["replaced"], again["unchanged"]) == (["index.html"], ["index.html"])
    found = json.loads(pincite("search", "gates", "--library", "--top-k", "1", "--json").out)["results"][0]
    assert "Gates shall be open." in found["content"]
    assert found["source"]["source_path"] == first and found["source"]["citation"] == f"Gates, {first}"
    removed = pincite("remove", found["source"]["document_id"])
    assert (
        removed.out.endswith("and its file in DATA_DIR\n")
        and len(list(kept.glob("*/*"))) == len(list(kept.iterdir())) == 1
    )
