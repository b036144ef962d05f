"""`pincite export`: a library as files."""

import csv
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from unit.transports.cli.conftest import Pincite

STANDARD = "# Standard of Größe\n\n## 5 Passwords\n\n### 5.1 Length\n\nA password shall have at least 12 characters.\n"


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def library(home: Path, pincite: Pincite, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DATA_DIR", str(home / "data"))
    standards = home / "standards"
    standards.mkdir()
    (standards / "example.md").write_text(STANDARD, encoding="utf-8")
    assert pincite("ingest", standards).code == 0
    return standards


def test_every_passage_of_a_library_is_a_line_whose_reference_opens(
    library: Path, home: Path, pincite: Pincite
) -> None:
    (library / "example.md").unlink()  # it keeps all that it needs
    ran = pincite("export", "out", "--json")
    assert (ran.code, json.loads(ran.out)) == (
        0,
        {"out": "out", "documents": 1, "chunks": 1, "requirements": 1, "failed": {}},
    )
    (document,) = _lines(home / "out" / "documents.jsonl")
    assert (document["document_id"], document["source_path"], document["chunk_count"]) == ("example", "example.md", 1)
    chunk = _lines(home / "out" / "chunks.jsonl")[-1]
    assert (chunk["clause_number"], chunk["normative"], chunk["document_id"]) == ("5.1", True, "example")
    assert chunk["citation"] == "Standard of Größe, clause 5.1, Length"
    assert "A password shall have at least 12 characters." in pincite("read", chunk["ref"], "--library").out
    (required,) = csv.DictReader((home / "out" / "requirements.csv").read_text(encoding="utf-8").splitlines())
    assert (required["requirement_id"], required["ref"]) == ("5.1", chunk["ref"])
    assert required["text"] in (home / "out" / "requirements.reqif").read_text(encoding="utf-8")
    (item,) = json.loads((home / "out" / "citations.json").read_text(encoding="utf-8"))
    assert (item["id"], item["title"]) == ("example", "Standard of Größe")
    assert (home / "out" / "citations.bib").read_text(encoding="utf-8").startswith("@misc{example,")


def test_a_folder_is_exported_and_what_it_could_not_read_is_said(docs: Path, home: Path, pincite: Pincite) -> None:
    (docs / "torn.pdf").write_bytes(b"%PDF-1.7\nno more of it")
    ran = pincite("export", "out", "--docs", docs)
    assert (ran.code, ran.out) == (1, "2 documents, 3 chunks in out\n")
    assert "torn.pdf could not be read and is left out" in ran.err
    assert [row["document_id"] for row in _lines(home / "out" / "documents.jsonl")] == ["keys.md", "start.md"]


def test_parquet_has_the_same_rows(library: Path, home: Path, pincite: Pincite) -> None:
    pandas: Any = pytest.importorskip("pandas", reason="pandas is not installed: pip install 'pincite[pandas]'")
    assert library.is_dir() and pincite("export", "out", "--parquet").code == 0
    frame = pandas.read_parquet(home / "out" / "chunks.parquet")
    assert [row["ref"] for row in _lines(home / "out" / "chunks.jsonl")] == list(frame["ref"])


def test_without_pandas_an_error_says_how_to_install_it(
    library: Path, pincite: Pincite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    ran = pincite("export", "out", "--parquet")
    assert library.is_dir() and (ran.code, "pip install 'pincite[pandas]'" in ran.err) == (2, True)


def test_what_cannot_be_written_is_said(library: Path, home: Path, pincite: Pincite) -> None:
    (home / "out").write_text("a file", encoding="utf-8")
    ran = pincite("export", "out")
    assert library.is_dir() and (ran.code, "'out' cannot be written" in ran.err) == (2, True)
