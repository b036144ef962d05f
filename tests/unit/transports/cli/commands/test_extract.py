import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.extraction import SHEET
from support.http_stub import answering
from support.scripted_model import Text, following

SCHEMA = {"weight": "number with unit", "certificates": ["string"], "display": "boolean", "original_file": "string"}


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    (tmp_path / "sheet.md").write_text(SHEET, encoding="utf-8")
    (tmp_path / "fields.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    return tmp_path


def test_a_pipe_gets_json_and_exit_code_one_if_a_field_is_missing(pincite: Callable[..., Any], sheet: Path) -> None:
    ran = pincite("extract", sheet / "sheet.md", "--schema", sheet / "fields.json")
    found = json.loads(ran.out)
    assert ran.code == 1
    assert found["data"] == {
        "weight": "25kg",
        "certificates": ["IEC 62109", "EN 50549", "VDE 4105"],
        "display": None,
        "original_file": "sheet.md",
    }
    assert (found["engine"], found["warnings"]) == ("rules", ["Field 'display' not found in document"])
    assert "explanation" not in found
    strict = json.loads(pincite("extract", sheet / "sheet.md", "--schema", sheet / "fields.json", "--strict").out)
    assert strict["evidence"] == found["evidence"]


def test_the_schema_may_be_written_on_the_command_line(pincite: Callable[..., Any], sheet: Path) -> None:
    fields = (sheet / "fields.json").read_text("utf-8")
    written = pincite("extract", sheet / "sheet.md", "--schema", f" {fields}")
    assert (
        json.loads(written.out)["data"]
        == json.loads(pincite("extract", sheet / "sheet.md", "--schema", sheet / "fields.json").out)["data"]
    )
    names = pincite("extract", sheet / "sheet.md", "--schema", "seller, gross weight: number")
    assert json.loads(names.out)["data"].keys() == {"seller", "gross weight"}


@pytest.mark.parametrize(
    ("name", "text", "warning"),
    [
        ("a.docx", "Weight: 25 kg\n", "Its name ends in .docx, but it is no such file: it was read as text."),
        ("a.pdf", "Weight: 25 kg\n", "Its name ends in .pdf, but it is no such file: it was read as text."),
        ("a.png", "Weight: 25 kg\n", "Its name ends in .png, but it is no such file: it was read as text."),
        ("a.txt", "", "Not all of this document was read: it is empty."),
    ],
)
def test_text_under_the_name_of_another_format_and_an_empty_file_are_warned_of(
    pincite: Callable[..., Any], sheet: Path, name: str, text: str, warning: str
) -> None:
    (sheet / name).write_text(text, encoding="utf-8")
    ran = pincite("extract", sheet / name, "--schema", sheet / "fields.json")
    assert warning in json.loads(ran.out)["warnings"]


def test_all_found_is_exit_code_zero(pincite: Callable[..., Any], sheet: Path) -> None:
    (sheet / "fields.json").write_text('{"weight": "string"}', encoding="utf-8")
    assert pincite("extract", sheet / "sheet.md", "--schema", sheet / "fields.json", "--json").code == 0


def test_notes_leave_the_exit_code_zero(pincite: Callable[..., Any], sheet: Path) -> None:
    (sheet / "fields.json").write_text('{"weight": "string"}', encoding="utf-8")
    (sheet / "a.docx").write_text("Weight: 25 kg\n", encoding="utf-8")
    ran = pincite("extract", sheet / "a.docx", "--schema", sheet / "fields.json")
    assert json.loads(ran.out)["warnings"] and ran.code == 0


def test_less_confidence_than_required_leaves_a_candidate(pincite: Callable[..., Any], sheet: Path) -> None:
    (sheet / "fields.json").write_text('{"weight": "string"}', encoding="utf-8")
    arguments = ["extract", sheet / "sheet.md", "--schema", sheet / "fields.json"]
    assert json.loads(pincite(*arguments).out)["evidence"]["weight"]["confidence"] == 0.96
    found = json.loads(pincite(*arguments, "--min-confidence", "0.995").out)
    assert found["data"] == {"weight": None}
    assert found["evidence"]["weight"]["candidates"][0]["reason"] == "its confidence is 0.96, below 0.995"


def test_people_get_a_table_with_the_proof(pincite: Callable[..., Any], sheet: Path) -> None:
    ran = pincite("extract", sheet / "sheet.md", "--schema", sheet / "fields.json", "--table")
    assert [line.split()[0] for line in ran.out.splitlines()] == ["field", *SCHEMA]
    assert ran.out.splitlines()[1].split() == ["weight", "25kg", "verified", "Weight:", "25", "kg"]
    assert "note: Field 'display' not found in document" in ran.err


def test_records_and_models_have_a_line_each(pincite: Callable[..., Any], sheet: Path) -> None:
    schema = {
        "nominal_ac_power_per_model": "number with unit",
        "parts": [{"part": "string", "quantity": "integer"}],
        "protected": {"display": "boolean"},
    }
    (sheet / "fields.json").write_text(json.dumps(schema), encoding="utf-8")
    out = pincite("extract", sheet / "sheet.md", "--schema", sheet / "fields.json", "--table").out
    assert [line.split()[0] for line in out.splitlines()][1:] == [
        "nominal_ac_power_per_model.SS-5K",
        "nominal_ac_power_per_model.SS-8K",
        "parts[0].part",
        "parts[0].quantity",
        "parts[1].part",
        "parts[1].quantity",
        "protected.display",
    ]


def test_the_explanation_shows_candidates(pincite: Callable[..., Any], sheet: Path) -> None:
    ran = pincite("extract", sheet / "sheet.md", "--schema", sheet / "fields.json", "--table", "--explain")
    assert "  * 1.18  Weight = 25kg  (colon)" in ran.out
    assert "display: no label fits" in ran.out
    found = json.loads(pincite("extract", sheet / "sheet.md", "--schema", sheet / "fields.json", "--explain").out)
    assert [one["field"] for one in found["explanation"]] == ["weight", "display", "certificates"]
    assert found["explanation"][2]["candidates"][0]["value"] == "3 values"


@pytest.mark.parametrize(
    ("schema", "engine", "message"),
    [
        ("{", "rules", "Invalid schema JSON"),
        ("{}", "rules", "The schema is empty"),
        ('{"a": "string"}', "magic", "Unknown: 'magic'. Known: rules"),
    ],
)
def test_what_cannot_work_is_said_at_once(
    pincite: Callable[..., Any], sheet: Path, schema: str, engine: str, message: str
) -> None:
    (sheet / "fields.json").write_text(schema, encoding="utf-8")
    ran = pincite("extract", sheet / "sheet.md", "--schema", sheet / "fields.json", "--engine", engine)
    assert ran.code == 2
    assert message in ran.err


def test_a_missing_file_is_named(pincite: Callable[..., Any], sheet: Path) -> None:
    assert "'none.md'" in pincite("extract", sheet / "none.md", "--schema", sheet / "fields.json").err
    assert "'none.json'" in pincite("extract", sheet / "sheet.md", "--schema", sheet / "none.json").err


def test_the_engine_claude_says_what_it_needs(
    pincite: Callable[..., Any], sheet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    ran = pincite("extract", sheet / "sheet.md", "--schema", sheet / "fields.json", "--engine", "claude")
    assert ran.code == 3 and "ANTHROPIC_API_KEY" in ran.err


def test_the_engine_claude_asks_a_model(
    pincite: Callable[..., Any], sheet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = {"data": {"weight": "25 kg"}, "evidence": {"weight": {"locator": "h2-c1", "snippet": "Weight: 25 kg"}}}
    with following([lambda _: Text(json.dumps(told))]) as model:
        for name, value in {"BASE_URL": model.url, "API_KEY": "x"}.items():
            monkeypatch.setenv(f"ANTHROPIC_{name}", value)
        monkeypatch.setenv("PINCITE_AGENT_RUNNER", "api")
        ran = pincite("extract", sheet / "sheet.md", "--schema", sheet / "fields.json", "--engine", "auto")
    found = json.loads(ran.out)
    assert (found["engine"], found["data"]["weight"]) == ("claude", "25kg")


def test_of_a_long_path_the_end_is_shown(pincite: Callable[..., Any], sheet: Path) -> None:
    (sheet / "deep.json").write_text('{"a_section_with_a_long_name": {"and_a_field_with_a_long_name": "number"}}')
    ran = pincite("extract", sheet / "sheet.md", "--schema", sheet / "deep.json", "--table")
    assert ran.out.splitlines()[1].startswith("…") and ".and_a_field_with_a_long_name " in ran.out


def test_the_evidence_is_written_as_one_file(pincite: Callable[..., Any], sheet: Path, tmp_path: Path) -> None:
    out = tmp_path / "evidence.html"
    ran = pincite("extract", sheet / "sheet.md", "--schema", sheet / "fields.json", "--html", out)
    page = out.read_text("utf-8")
    assert json.loads(ran.out)["data"]["weight"] in page and "Content-Security-Policy" in page
    assert page.startswith("<!doctype html>")


def test_a_file_that_cannot_be_written_is_told(pincite: Callable[..., Any], sheet: Path) -> None:
    ran = pincite("extract", sheet / "sheet.md", "--schema", sheet / "fields.json", "--html", sheet / "no" / "e.html")
    assert ran.code == 2 and "cannot be written" in ran.err


def test_documents_come_from_urls_and_standard_input_too(
    pincite: Callable[..., Any], sheet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOWNLOAD_ALLOW_PRIVATE", "true")
    out = sheet / "all.jsonl"
    with answering({"/sheet.md": (200, SHEET, "")}) as port:
        url = f"http://127.0.0.1:{port}/sheet.md"
        assert json.loads(pincite("extract", url, "--schema", sheet / "fields.json").out)["data"]["weight"] == "25kg"
        ran = pincite(
            "extract", url, f"{url}.gone", sheet / "sheet.md", "--schema", sheet / "fields.json", "-o", out, "--json"
        )
    told = json.loads(ran.out)
    assert (ran.code, told["documents"], list(told["failed"])) == (1, 2, [f"{url}.gone"])
    records = {record["file"]: record for record in map(json.loads, out.read_text("utf-8").splitlines())}
    assert set(records) == {url, f"{url}.gone", str(sheet / "sheet.md")}
    assert records[url]["data"] == records[str(sheet / "sheet.md")]["data"] | {"original_file": "sheet.md"}
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(SHEET.encode())))
    assert json.loads(pincite("extract", "-", "--schema", sheet / "fields.json").out)["data"]["weight"] == "25kg"
