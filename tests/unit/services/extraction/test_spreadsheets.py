"""Results as tables; the tables of `pincite extract` with their evidence are in `transports/cli/test_results.py`."""

from io import BytesIO
from typing import Any

import openpyxl
import pytest

from pincite.services.extraction.schemas import read_schema
from pincite.services.extraction.spreadsheets import CSV, XLSX, document_rows, item_rows, leaves, written

FORM = {"number": "string", "tags": ["string"], "lines": [{"item": "string", "amount": "number"}]}
LINES: list[Any] = [{"item": "Screws", "amount": 12.5}, {"item": "Nuts", "amount": None}]
RECORD: dict[str, Any] = {"file": "a.pdf", "data": {"number": "17", "tags": ["x", "y"], "lines": LINES}}


def test_each_object_of_a_list_is_a_row_beside_the_single_values() -> None:
    empty: dict[str, Any] = {"file": "b.pdf", "data": {"number": "18", "tags": [], "lines": []}}
    assert list(item_rows(read_schema(FORM), [RECORD, empty])) == [
        ["file", "number", "tags", "lines.item", "lines.amount"],
        ["a.pdf", "17", "x; y", "Screws", 12.5],
        ["a.pdf", "17", "x; y", "Nuts", None],
        ["b.pdf", "18", "", None, None],
    ]


def test_a_schema_without_a_list_has_a_row_for_each_document() -> None:
    rows = list(item_rows(read_schema({"a": {"b": "string"}}), [{"file": "a.pdf", "data": {"a": {"b": "x"}}}]))
    assert rows == [["file", "a.b"], ["a.pdf", "x"]]


def test_a_document_with_a_value_that_is_not_verified_is_not_verified() -> None:
    evidence: dict[str, Any] = {"tags": {"locator": "h1-c1", "snippet": "x", "status": "verified", "verified": True}}
    other: dict[str, Any] = {"locator": None, "snippet": None, "status": "ungrounded", "verified": False}
    record: dict[str, Any] = {"file": "a", "data": {"tags": ["x"], "pair": {"b": 1, "c": 2}}}
    record["evidence"] = {**evidence, "pair": {"b": evidence["tags"], "c": other}}
    head, row = document_rows(read_schema({"tags": ["string"], "pair": {"b": "number", "c": "number"}}), [record])
    found = dict(zip(head, row, strict=True))
    assert (found["tags status"], found["pair.b status"], found["pair.c status"]) == (
        "verified", "verified", "ungrounded",
    )  # fmt: skip
    assert [path for path, _, _ in leaves(record["data"], record["evidence"])] == [
        ("tags",),
        ("pair", "b"),
        ("pair", "c"),
    ]


@pytest.mark.parametrize("text", ["=1+1", "+1 a", "@a", "-a", "-5+cmd|' /C calc'!A0", "\t=1"])
def test_no_text_is_run_as_a_formula(text: str) -> None:
    assert written([[text, -5]], CSV).decode("utf-8-sig").rstrip().startswith(("'", "\"'")), text
    assert sheet(written([[text, -5]], XLSX)) == [(text, -5)]


def test_a_workbook_has_numbers_as_numbers_and_no_sign_that_xml_forbids() -> None:
    rows = [["<a & b>", 1.5, None, True, "\x00\ud800"]]
    assert sheet(written(rows, XLSX)) == [("<a & b>", 1.5, None, "True", "\ufffd\ufffd")]


def sheet(data: bytes) -> list[Any]:
    return list(openpyxl.load_workbook(BytesIO(data)).active.values)  # type: ignore[union-attr]
