"""`pincite eval --library`: clauses of documents that were ingested."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

STANDARD = """\
---
document_id: ACME-100
---
# Key standard

## 5.1 Use

Keys shall be rotated every year.

## 5.2 Controls

| # | Description |
|---|---|
| **5.2.1** | Verify that vaults are locked. |
| **5.2.2** | Verify that alarms are loud. |
"""
QUESTIONS = "how often are keys rotated\tACME-100\t5.1\nlocked vaults\tACME-100\t5.2.1\nnobody knows\n"


@pytest.fixture
def questions(home: Path, monkeypatch: pytest.MonkeyPatch, pincite: Callable[..., Any]) -> Path:
    monkeypatch.setenv("DATA_DIR", str(home / "data"))
    (home / "keys.md").write_text(STANDARD)
    assert pincite("ingest", home / "keys.md").code == 0
    file = home / "mine.tsv"
    file.write_text(QUESTIONS)
    return file


def test_clauses_are_ranked_by_number(pincite: Callable[..., Any], questions: Path) -> None:
    ran = pincite("eval", questions, "--library")
    assert (ran.code, ran.err) == (0, "")
    head, _, *rows = ran.out.splitlines()
    assert head == "mine: 2 questions, sections ranked; mean and its 95 % interval"
    assert [row.split()[0] for row in rows] == ["grep", "words", "meaning", "default"]
    assert rows[-1].startswith("default  1.000 [1.00 1.00] ")


def test_documents_are_ranked_by_id(pincite: Callable[..., Any], questions: Path) -> None:
    found = json.loads(pincite("eval", questions, "--library", "--documents", "--json").out)
    assert (found["ranked"], found["rankers"]["default"]["hit@1"]["mean"]) == ("documents", 1.0)


def test_what_was_saved_is_checked(pincite: Callable[..., Any], questions: Path, home: Path) -> None:
    assert pincite("eval", questions, "--library", "--save-baseline", home / "base.json").code == 0
    assert pincite("eval", questions, "--library", "--check", home / "base.json").code == 0


def test_a_clause_that_is_not_there_names_the_nearest(pincite: Callable[..., Any], questions: Path) -> None:
    questions.write_text("how often\tACME-100\t5.2.3\n")
    ran = pincite("eval", questions, "--library")
    assert (ran.code, "no heading '5.2.3' in ACME-100; the nearest is '5.2." in ran.err) == (2, True)


def test_a_library_has_its_own_documents(pincite: Callable[..., Any], questions: Path, home: Path) -> None:
    ran = pincite("eval", questions, "--library", "--docs", home)
    assert (ran.code, "leave --docs out" in ran.err) == (2, True)
    ran = pincite("eval", home, "--library")
    assert ran.code == 2


def test_an_empty_library_says_how_to_fill_it(
    pincite: Callable[..., Any], questions: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATA_DIR", str(home / "empty"))
    ran = pincite("eval", questions, "--library")
    assert (ran.code, "pincite ingest FOLDER" in ran.err) == (2, True)
