import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def test_pages_chunks_and_what_was_skipped_are_told(pincite: Callable[..., Any], docs: Path) -> None:
    (docs / "picture.bin").write_bytes(b"\0")
    ran = pincite("status", "--docs", docs)
    assert (ran.code, ran.err) == (0, "")
    rows = dict(line.split(None, 1) for line in ran.out.splitlines())
    assert rows["folder"] == str(docs.resolve())
    assert rows["pages"] == "2 in 3 chunks"
    assert rows["model"].startswith("hash, ")
    assert " 1" in rows["skipped"]


@pytest.mark.parametrize("command", ["status", "doctor"])
def test_the_folder_is_named_with_or_without_an_option(pincite: Callable[..., Any], docs: Path, command: str) -> None:
    for named in ([docs], ["--docs", docs], [docs / "keys.md"]):
        assert str(docs.resolve()) in pincite(command, *named).out


def test_machines_get_the_status_as_agents_do(pincite: Callable[..., Any], docs: Path) -> None:
    told = json.loads(pincite("status", "--docs", docs, "--json").out)
    assert told["index"]["total_pages"] == 2
    assert told["git"] is None


def test_a_model_that_is_not_there_is_told_after_a_search(
    pincite: Callable[..., Any], docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBEDDING_PROVIDER", "local")
    assert "all-MiniLM-L6-v2" in pincite("status", "--docs", docs).out


def test_what_waits_is_exit_code_1(pincite: Callable[..., Any], docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_FRESH_BUDGET", "0")
    ran = pincite("status", "--docs", docs)
    assert ran.code == 1
    assert "stale" in ran.out


def test_documents_without_vectors_are_told_apart_from_those_that_wait_to_be_read(
    pincite: Callable[..., Any], docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def indexing() -> str:
        out = pincite("status", "--docs", docs).out
        return next(line.split(None, 1)[1] for line in out.splitlines() if line.startswith("indexing"))

    assert indexing() == "0 of 2 documents have vectors; the others are found by keyword until a search computes theirs"
    (docs / "more.md").write_text("# More\n")
    monkeypatch.setenv("PINCITE_FRESH_BUDGET", "0")
    assert indexing() == "0 of 3 documents"


def test_what_is_read_again_with_other_settings_is_told(
    pincite: Callable[..., Any], docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "rereading" not in pincite("status", "--docs", docs).out
    monkeypatch.setenv("PINCITE_CHUNK_TOKENS", "64")
    monkeypatch.setenv("PINCITE_FRESH_BUDGET", "0")
    ran = pincite("status", "--docs", docs)
    rows = dict(line.split(None, 1) for line in ran.out.splitlines())
    assert (ran.code, rows["rereading"]) == (0, "2 documents, after an upgrade or with other settings")


def test_cached_indexes_are_listed_and_pruned_once_their_folder_is_gone(
    pincite: Callable[..., Any], docs: Path, tmp_path: Path
) -> None:
    other = docs.parent / "other"
    shutil.copytree(docs, other)
    for folder in (docs, other):
        pincite("search", "keys", "--docs", folder)
    shutil.rmtree(other)
    foreign = tmp_path / "cache" / "folders" / "mine.db"
    foreign.write_text("not an index", encoding="utf-8")
    listed = pincite("status", "--all")
    assert (listed.code, listed.out.count(" MB  ")) == (0, 2)
    assert f"{other.resolve()}  folder is gone" in listed.out
    pruned = json.loads(pincite("status", "--prune", "--json").out)["indexes"]
    assert {row["folder"]: row["removed"] for row in pruned} == {str(docs.resolve()): False, str(other.resolve()): True}
    assert pincite("status", "--all").out.count(" MB  ") == 1
    assert foreign.exists()


def test_an_empty_cache_is_told(pincite: Callable[..., Any]) -> None:
    assert pincite("status", "--all").out == "The cache has no index.\n"


def test_what_could_not_be_read_is_listed_by_name(pincite: Callable[..., Any], docs: Path) -> None:
    assert pincite("status", "--docs", docs, "--failed").out == "Every document could be read.\n"
    for n in range(25):
        (docs / f"broken{n:02}.docx").write_bytes(b"PK\x03\x04 no document")
    ran = pincite("status", "--docs", docs, "--failed")
    names = [line.partition(": ")[0] for line in ran.out.splitlines()]
    assert (ran.code, names) == (0, [f"broken{n:02}.docx" for n in range(25)])
    told = json.loads(pincite("status", "--docs", docs, "--failed", "--json").out)
    assert [each["file_path"] for each in told["failed"]] == names
