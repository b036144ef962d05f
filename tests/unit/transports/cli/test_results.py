import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    """A folder of two documents and a file that is none, and the fields beside it."""
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.md").write_text("Weight: 25 kg\n\nTitle: =HYPERLINK(1)\n", encoding="utf-8")
    (folder / "b.md").write_text("Weight: 7 kg\n\nTitle: Bolts\n", encoding="utf-8")
    (folder / "c.pdf").write_bytes(b"%PDF-1.4 no pages")
    (tmp_path / "fields.json").write_text('{"weight": "number with unit", "title": "string"}', encoding="utf-8")
    return tmp_path


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_folder_becomes_one_line_of_json_a_document(pincite: Callable[..., Any], letters: Path) -> None:
    out = letters / "out.jsonl"
    ran = pincite("extract", letters / "in", "--schema", letters / "fields.json", "-o", out, "--json")
    found = {Path(one["file"]).name: one for one in lines(out)}
    assert found["b.md"]["data"] == {"weight": "7kg", "title": "Bolts"}
    assert found["b.md"]["evidence"]["title"]["verified"] is True
    assert found["c.pdf"]["error"]["message"]
    assert ran.code == 1 and json.loads(ran.out)["documents"] == 2


def test_a_second_run_reads_what_failed_or_changed(pincite: Callable[..., Any], letters: Path) -> None:
    out = letters / "out.jsonl"
    pincite("extract", letters / "in", "--schema", letters / "fields.json", "-o", out)
    kept = next(one for one in out.read_text("utf-8").splitlines() if "b.md" in one)
    (letters / "in" / "a.md").write_text("Weight: 26 kg\n\nTitle: Nuts\n", encoding="utf-8")
    (letters / "in" / "c.pdf").unlink()
    with out.open("a", encoding="utf-8") as journal:
        journal.write('{"file": "cut off')  # as a run that is killed leaves it
    assert pincite("extract", letters / "in", "--schema", letters / "fields.json", "-o", out).code == 0
    assert kept in out.read_text("utf-8").splitlines()
    assert [one["data"]["title"] for one in lines(out)] == ["Nuts", "Bolts"]


def test_a_table_has_the_evidence_beside_each_value(pincite: Callable[..., Any], letters: Path) -> None:
    out = letters / "out.csv"
    pincite("extract", letters / "in", "--schema", letters / "fields.json", "-o", out)
    rows = list(csv.DictReader(out.read_text("utf-8-sig").splitlines()))
    assert [row["title"] for row in rows] == ["'=HYPERLINK(1)", "Bolts", ""]
    assert (rows[1]["weight"], rows[1]["weight status"], rows[1]["weight snippet"]) == (
        "7kg",
        "verified",
        "Weight: 7 kg",
    )
    assert float(rows[1]["weight confidence"]) > 0.5 and rows[1]["weight ref"].startswith("b.md@")
    assert rows[2]["error"] and not (letters / "out.csv.part").exists()


def test_a_workbook_is_one_that_spreadsheets_open(pincite: Callable[..., Any], letters: Path) -> None:
    out = letters / "out.xlsx"
    pincite("extract", letters / "in", "--schema", letters / "fields.json", "-o", out)
    rows: list[Any] = list(openpyxl.load_workbook(out).active.values)  # type: ignore[union-attr]
    assert rows[0][:3] == ("file", "weight", "weight status")
    assert [row[7] for row in rows[1:3]] == ["=HYPERLINK(1)", "Bolts"]


def test_nothing_read_is_exit_code_two(pincite: Callable[..., Any], letters: Path) -> None:
    out = letters / "out.jsonl"
    assert pincite("extract", letters / "in" / "c.pdf", "--schema", letters / "fields.json", "-o", out).code == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Several documents need a file for their results"),
        (["-o", "out.pdf"], "ends in none of .jsonl, .csv, .xlsx"),
    ],
)
def test_what_cannot_be_written_is_told(
    pincite: Callable[..., Any], letters: Path, arguments: list[str], message: str
) -> None:
    ran = pincite("extract", letters / "in", "--schema", letters / "fields.json", *arguments)
    assert ran.code == 2 and message in ran.err


def test_results_of_another_schema_are_not_overwritten(pincite: Callable[..., Any], letters: Path) -> None:
    out = letters / "out.jsonl"
    out.write_text('{"file": "x", "job": "other", "sha256": ""}\n', encoding="utf-8")
    ran = pincite("extract", letters / "in", "--schema", letters / "fields.json", "-o", out)
    assert ran.code == 2 and "has other results" in ran.err
