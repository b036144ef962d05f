from dataclasses import replace

from pincite.agents.rules.engine import build
from pincite.model.call import Call
from pincite.services.extraction.extraction import extract
from pincite.services.extraction.schemas import read_schema
from support.extraction import SHEET
from support.markdown_read import document


def test_a_document_and_a_schema_are_a_result_of_the_contract() -> None:
    schema = read_schema({"weight": "number with unit", "supplier_name": "string", "original_file": "string"})
    result = extract(document(SHEET), schema, build(), Call(), file_name="sheet.md")
    found = result.as_json()
    assert found["data"] == {"weight": "25kg", "supplier_name": None, "original_file": "sheet.md"}
    assert found["warnings"] == ["Field 'supplier_name' not found in document"]
    assert found["engine"] == "rules"
    assert found["timing"]["total_seconds"] >= 0
    assert found["evidence"]["weight"]["verified"]
    assert found["usage"] == {}
    assert [one["field"] for one in result.explanation] == ["weight", "supplier_name"]


def test_an_empty_document_has_nothing() -> None:
    result = extract(document(""), read_schema({"weight": "string"}), build(), Call())
    assert result.data == {"weight": None}


def test_a_value_that_the_json_schema_forbids_is_told() -> None:
    schema = read_schema({"type": "object", "properties": {"weight": {"type": "number", "maximum": 20}}})
    result = extract(document(SHEET), schema, build(), Call())
    assert result.data == {"weight": 25}
    assert result.warnings == ("Field 'weight' does not match the schema: 25 is greater than the maximum of 20",)


def test_what_the_reader_warned_of_is_said_once() -> None:
    read = document("Weight: 25 kg\n")
    coverage = replace(read.coverage, ocr=1)
    warning = coverage.recognised() or ""
    schema = read_schema('{"weight": "string"}')
    result = extract(replace(read, coverage=coverage, warnings=(warning,)), schema, build(), Call())
    assert result.warnings == (warning,)
