"""`--library`: what `pincite ingest` added, searched, read and counted."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.app import App
from pincite.settings import Settings


@pytest.fixture
def keys(home: Path, monkeypatch: pytest.MonkeyPatch, pincite: Callable[..., Any]) -> Path:
    monkeypatch.setenv("DATA_DIR", str(home / "data"))
    monkeypatch.setenv("PINCITE_MODEL_GRACE", "inf")
    file = home / "keys.md"
    file.write_text("# Key standard\n\n## 5.1 Use\n\nKeys shall be rotated.\n")
    assert pincite("ingest", file).code == 0
    return file


def test_a_search_prints_the_citation_and_a_reference_that_opens(pincite: Callable[..., Any], keys: Path) -> None:
    ran = pincite("search", "keys rotated", "--library", "--top-k", "1")
    first, kind, ref, *passage = ran.out.splitlines()
    assert (ran.code, first) == (0, "1. Key standard, clause 5.1, Use")
    assert kind == "   keys  requirement, normative  score 1.00"
    assert any("Keys shall be rotated." in line for line in passage)
    opened = pincite("read", ref.split()[1], "--library")
    assert opened.code == 0 and "Keys shall be rotated." in opened.out
    told = json.loads(pincite("search", "keys rotated", "--library", "--json").out)
    assert told["results"][0]["source"]["source_path"] == keys.name


def test_a_reference_of_the_library_opens_without_naming_it(
    pincite: Callable[..., Any], home: Path, keys: Path
) -> None:
    found = json.loads(pincite("search", "keys rotated", "--library", "--json").out)
    ref = found["results"][0]["ref"]
    (home / "other.md").write_text("# Other\n\nA page of the folder.\n")
    opened = pincite("read", ref)
    assert opened.code == 0 and "Keys shall be rotated." in opened.out
    assert pincite("verify", "Keys shall be rotated.", ref).code == 0
    assert not list(home.parent.glob("cache/folders/*"))  # the working directory was not indexed
    of_folder = json.loads(pincite("search", "page of the folder", "--yes", "--json").out)["results"][0]["ref"]
    assert "A page of the folder." in pincite("read", of_folder).out
    assert pincite("read", of_folder, "--library").code == 2
    keys.unlink()


def test_a_reference_makes_no_library_in_a_database(
    pincite: Callable[..., Any], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / ".git").mkdir()
    monkeypatch.setenv("PINCITE_STORE_URL", "postgresql://nobody@127.0.0.1:1/nothing")
    opened: list[Path | None] = []

    class Opened(App):
        def __init__(self, settings: Settings, root: Path | None, *rest: Any, **named: Any) -> None:
            opened.append(root)
            super().__init__(settings, root, *rest, **named)

    monkeypatch.setattr("pincite.transports.cli.opening.applications.App", Opened)
    assert pincite("read", "keys.md@9f31c2aa#h1").code != 0
    assert opened == [Path()]


def test_the_status_counts_and_lists_documents(pincite: Callable[..., Any], keys: Path) -> None:
    ran = pincite("status", "--library")
    assert ran.code == 0 and "1 in 1 chunk," in ran.out and "keys: Key standard (standard, 1 chunk)" in ran.out
    keys.write_text("# Key standard\n\nOther words.\n")
    ran = pincite("status", "--library")
    assert ran.code == 1 and "Bring in what changed: pincite ingest" in ran.err and "keys: Its file changed" in ran.err
    ran = pincite("search", "keys", "--library")
    assert ran.code == 1 and "Its file changed" in ran.out


@pytest.mark.parametrize("command", [["search", "keys"], ["status"], ["read", "keys@9f31c2aa#h1"]])
def test_a_question_makes_no_library_and_says_where_it_looked(
    pincite: Callable[..., Any], home: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.setenv("DATA_DIR", str(home / "data"))
    ran = pincite(*command, "--library")
    assert ran.code == 2 and str(home / "data/library.db") in ran.err and "pincite ingest FOLDER" in ran.err
    assert not (home / "data").exists()
