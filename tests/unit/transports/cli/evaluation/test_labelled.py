"""`pincite eval` over documents with the values that they have."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def labelled(home: Path) -> Path:
    made = home / "notes"
    made.mkdir()
    (made / "schema.json").write_text('{"weight": "number with unit", "carrier": "string"}', encoding="utf-8")
    (made / "a.md").write_text("# A\n\nWeight: 25 kg\n\nCarrier: Swift\n", encoding="utf-8")
    (made / "a.json").write_text('{"weight": "25 kg", "carrier": "Slow"}', encoding="utf-8")
    (made / "b.md").write_text("# B\n\nNothing of it.\n", encoding="utf-8")
    (made / "b.json").write_text('{"weight": null}', encoding="utf-8")
    return made


def test_each_field_has_a_line_and_each_miss(pincite: Callable[..., Any], labelled: Path) -> None:
    ran = pincite("eval", labelled)
    assert (ran.code, ran.err) == (0, "")
    assert [line.split() for line in ran.out.splitlines()] == [
        ["notes:", "2", "documents"],
        ["field", "expected", "answered", "right", "precision", "recall"],
        ["weight", "1", "1", "1", "1.000", "1.000"],
        ["carrier", "1", "1", "0", "0.000", "0.000"],
        ["all", "2", "2", "1", "0.500", "0.500"],
        ["a.md:", "carrier", "should", "be", "Slow,", "is", "Swift", "(verified)"],
    ]


def test_machines_get_the_same(pincite: Callable[..., Any], labelled: Path) -> None:
    found = json.loads(pincite("eval", labelled, "--json").out)
    assert (found["dataset"], found["documents"], found["failures"], found["fallen"]) == ("notes", 2, {}, None)
    assert found["fields"]["all"] == {
        "expected": 2, "answered": 2, "right": 1, "wrong_verified": 1, "precision": 0.5, "recall": 0.5
    }  # fmt: skip
    assert found["misses"] == [
        {"document": "a.md", "field": "carrier", "expected": "Slow", "found": "Swift", "verified": True}
    ]


def test_a_baseline_is_a_gate(pincite: Callable[..., Any], labelled: Path, home: Path) -> None:
    kept = home / "kept.json"
    assert pincite("eval", labelled, "--save-baseline", kept).code == 0
    assert "Nothing is below kept.json" in pincite("eval", labelled, "--check", kept).out
    (labelled / "a.md").write_text("# A\n\nNothing.\n", encoding="utf-8")
    fell = pincite("eval", labelled, "--check", kept)
    assert fell.code == 1
    assert "weight  recall     1.000 -> 0.000" in fell.out
    (labelled / "c.md").write_text("", encoding="utf-8")
    (labelled / "c.json").write_text("{}", encoding="utf-8")
    other = pincite("eval", labelled, "--check", kept)
    assert (other.code, "belongs to another run, of notes, 2 documents" in other.err) == (2, True)


def test_a_document_that_cannot_be_read_is_named(pincite: Callable[..., Any], labelled: Path) -> None:
    (labelled / "b.md").rename(labelled / "b.pdf").write_bytes(b"%PDF-1.4 fake content")
    ran = pincite("eval", labelled)
    assert (ran.code, "b.pdf was not read" in ran.err) == (1, True)


def test_options_of_questions_are_refused(pincite: Callable[..., Any], labelled: Path) -> None:
    refused = pincite("eval", labelled, "--docs", labelled)
    assert (refused.code, "Leave --docs, --library and --sections out" in refused.err) == (2, True)


def test_more_misses_than_a_screen_has_are_counted(pincite: Callable[..., Any], labelled: Path) -> None:
    fields = [f"name_{number}" for number in range(25)]
    (labelled / "schema.json").write_text(json.dumps({**dict.fromkeys(fields, "string"), "weight": "string",
                                                      "carrier": "string"}), encoding="utf-8")  # fmt: skip
    (labelled / "b.json").write_text(json.dumps(dict.fromkeys(fields, "x" * 60)), encoding="utf-8")
    lines = pincite("eval", labelled).out.splitlines()
    assert lines[-1] == "… and 6 more: --json lists all."
    assert lines[-2].endswith("should be " + "x" * 39 + "…, is empty")


def test_an_engine_that_cannot_run_is_an_error(pincite: Callable[..., Any], labelled: Path) -> None:
    assert pincite("eval", labelled, "--engine", "magic").code == 2
