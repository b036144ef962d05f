"""The promises of a result, for any engine's answer."""

from collections.abc import Mapping
from typing import Any

import pytest

from pincite.agents.rules.engine import build
from pincite.evidence.claims import ClaimVerifier
from pincite.model.call import Call
from pincite.model.extraction import NOT_FOUND, Answer, Citation, Evidence, EvidenceStatus
from pincite.model.schema import Path
from pincite.services.extraction.grounding import Grounded, ground, record
from pincite.services.extraction.schemas import read_schema
from support.extraction import SHEET, material

VERIFIER = ClaimVerifier(material(SHEET))
WEIGHT = Citation("h2-c1", "Weight: 25 kg")


def grounded(
    schema: dict[str, Any], data: Mapping[str, Any], citations: Mapping[Path, Citation], *, strict: bool = True
) -> Grounded:
    answer = Answer(data, citations)
    return ground(answer, read_schema(schema), VERIFIER, Call(), strict=strict, file_name="sheet.md")


def test_every_key_is_there_and_a_section_of_nothing_is_an_object() -> None:
    result = grounded({"a": {"b": {"c": "string", "d": ["list"]}}, "e_per_model": "number"}, {}, {})
    assert result.data == {"a": {"b": {"c": None, "d": []}}, "e_per_model": None}
    assert result.warnings == [
        "Field 'a.b.c' not found in document",
        "Field 'a.b.d' not found in document",
        "Field 'e_per_model' not found in document",
    ]
    absent = {"locator": None, "snippet": None, "status": "absent", "verified": False, "warning": NOT_FOUND}
    assert result.evidence == {"a": {"b": {"c": absent, "d": absent}}, "e_per_model": absent}


def test_a_grounded_value_has_its_record() -> None:
    result = grounded({"weight": "number with unit"}, {"weight": "25 kg"}, {("weight",): WEIGHT})
    assert result.data == {"weight": "25kg"}
    found = result.evidence["weight"]
    assert len(found.pop("chunk_hash")) == 32
    assert found == {
        "locator": "h2-c1",
        "snippet": "Weight: 25 kg",
        "status": "verified",
        "verified": True,
        "page": None,
        "boxes": [],
        "char_start": found["char_start"],
        "char_end": found["char_start"] + 5,
        "row": None,
        "column": None,
        "label": "Weight",
        "raw": "25 kg",
        "normalized": "25kg",
        "occurrences": 1,
        "confidence": 0.96,
    }
    assert result.warnings == []


def test_a_record_says_that_its_snippet_was_recognised() -> None:
    assert "ocr" not in record(Evidence(EvidenceStatus.VERIFIED, normalized="4711"))
    assert record(Evidence(EvidenceStatus.VERIFIED, normalized="4711", ocr="It was."))["ocr"] == "It was."


def test_the_name_of_the_file_is_the_servers() -> None:
    result = grounded({"original_file": "string"}, {"original_file": "invented.pdf"}, {})
    assert result.data == {"original_file": "sheet.md"}
    assert result.evidence["original_file"] == {
        "locator": None,
        "snippet": None,
        "status": "derived",
        "verified": True,
        "confidence": 1.0,
        "rule": "upload file name",
    }


def test_a_refused_value_is_null_and_a_candidate_or_kept_when_asked() -> None:
    lie: dict[Path, Citation] = {("weight",): Citation("h2-c1", "Weight: 52 kg")}
    strict = grounded({"weight": "string"}, {"weight": "52 kg"}, lie)
    assert strict.data == {"weight": None}
    found = strict.evidence["weight"]
    assert (found["status"], found["verified"], found["warning"]) == ("ungrounded", False, NOT_FOUND)
    assert found["candidates"] == [
        {"value": "52 kg", "locator": None, "snippet": "Weight: 52 kg", "reason": "the quote is not in the document"}
    ]
    # One reason: it was refused, and so it is not called absent, too.
    assert strict.warnings == ["Field 'weight': refused '52 kg': the quote is not in the document"]
    kept = grounded({"weight": "string"}, {"weight": "52 kg"}, {("weight",): WEIGHT}, strict=False)
    assert kept.data == {"weight": "52kg"}
    found = kept.evidence["weight"]
    assert (found["status"], found["verified"], found["raw"]) == ("ungrounded", False, None)
    assert (found["locator"], found["snippet"]) == ("h2-c1", "Weight: 25 kg")
    assert found["warning"] == "the value is not in the quoted text"


def test_what_is_kept_though_it_is_another_fields_has_its_place() -> None:
    row = Citation("h1-t1", "Min. DC voltage | 160 V | 160 V")
    kept = grounded({"max_dc_voltage": "string"}, {"max_dc_voltage": "160 V"}, {("max_dc_voltage",): row}, strict=False)
    found = kept.evidence["max_dc_voltage"]
    assert (kept.data, found["status"], found["raw"]) == ({"max_dc_voltage": "160V"}, "ungrounded", "160 V")
    assert (found["locator"], found["row"], found["column"]) == ("h1-t1", 3, 1)


@pytest.mark.parametrize("citation", [None, Citation("h2-c1", "Weight: 52 kg"), Citation("h2-c1", "")])
def test_a_value_that_no_place_is_cited_for_is_null_in_every_mode(citation: Citation | None) -> None:
    citations: dict[Path, Citation] = {("weight",): citation} if citation else {}
    result = grounded({"weight": "string"}, {"weight": "52 kg"}, citations, strict=False)
    assert result.data == {"weight": None}
    assert result.evidence["weight"]["candidates"][0]["value"] == "52 kg"


def test_a_list_has_one_record_with_its_items_in_order() -> None:
    quote = Citation("h2-c2", "Certificates: IEC 62109, EN 50549, VDE 4105")
    result = grounded({"certificates": ["string"]}, {"certificates": ["IEC 62109", "ISO 1", "VDE 4105"]}, {
        ("certificates", 0): quote, ("certificates", 1): quote, ("certificates", 2): quote,
    })  # fmt: skip
    assert result.data == {"certificates": ["IEC 62109", "VDE 4105"]}
    found = result.evidence["certificates"]
    assert [item["raw"] for item in found["items"]] == ["IEC 62109", "VDE 4105"]
    assert found["verified"]
    assert [candidate["value"] for candidate in found["candidates"]] == ["ISO 1"]


def test_a_list_may_have_one_citation_for_all() -> None:
    quote = Citation("h2-c2", "Certificates: IEC 62109, EN 50549, VDE 4105")
    names = ["IEC 62109", "EN 50549"]
    result = grounded({"certificates": ["string"]}, {"certificates": names}, {("certificates",): quote})
    assert result.data == {"certificates": names}


def test_a_list_of_objects_is_a_list_of_trees_and_a_record_is_one_row() -> None:
    table = "h3-t1"
    fan = {"part": "Fan", "quantity": 12}
    result = grounded(
        {"parts": [{"part": "string", "quantity": "integer"}]},
        {"parts": [fan, {"part": "Fuse", "quantity": 12}]},
        {
            ("parts", 0, "part"): Citation(table, "Fan"),
            ("parts", 0, "quantity"): Citation(table, "| Fuse | 12"),
            ("parts", 1, "part"): Citation(table, "Fuse"),
            ("parts", 1, "quantity"): Citation(table, "12"),
        },
    )
    # Of two rows with one value each neither is the record's.
    assert result.data["parts"] == [{"part": None, "quantity": None}, {"part": "Fuse", "quantity": 12}]
    refused = result.evidence["parts"][0]["quantity"]
    assert refused["status"] == "conflict"
    assert refused["candidates"][0]["reason"] == "it is in another row than the rest of its record"


def test_a_dictionary_by_model_is_mirrored_key_by_key() -> None:
    row = Citation("h1-t1", "Nominal AC power | 5 kW | 8 kW")
    schema = {"nominal_ac_power_per_model": "number with unit"}
    name = "nominal_ac_power_per_model"
    result = grounded(schema, {name: {"SS-5K": "5kW", "SS-8K": "5kW"}}, {(name, "SS-5K"): row, (name, "SS-8K"): row})
    assert result.data == {name: {"SS-5K": "5kW", "SS-8K": None}}
    assert result.evidence[name]["SS-5K"]["column"] == 1
    assert result.evidence[name]["SS-8K"]["status"] == "conflict"
    flat = grounded(schema, {name: "5kW"}, {(name,): row})
    assert flat.data == {name: "5kW"}


LIES = {
    "an invented quote": ("9kg", Citation("h2-c1", "Weight: 9 kg")),
    "a digit altered in the value": ("26kg", WEIGHT),
    "a digit altered in value and quote": ("26kg", Citation("h2-c1", "Weight: 26 kg")),
    "another unit": ("25g", WEIGHT),
    "a part of the number": ("5kg", WEIGHT),
    "another row's value": ("160V", Citation("h1-t1", "Min. DC voltage | 160 V")),
    "no quote": ("25kg", Citation("h2-c1", "")),
    "a quote of punctuation": ("25kg", Citation("h2-c1", "...")),
    "a value beside the quote": ("IP65", WEIGHT),
    "two places joined": ("1100V", Citation("h1-t1", "Max. DC voltage 160 V 1100 V")),
    "the opposite label": ("160V", Citation("h1-t1", "Min. DC voltage | 160 V | 160 V")),
}


@pytest.mark.parametrize(("value", "citation"), LIES.values(), ids=LIES)
def test_a_lying_engine_gets_nothing_verified(value: str, citation: Citation) -> None:
    result = grounded(
        {"max_dc_voltage": "number with unit"}, {"max_dc_voltage": value}, {("max_dc_voltage",): citation}
    )
    assert result.data == {"max_dc_voltage": None}
    assert not result.evidence["max_dc_voltage"]["verified"]


def test_a_value_without_a_citation_is_refused() -> None:
    result = grounded({"weight": "string"}, {"weight": "25 kg"}, {})
    assert result.data == {"weight": None}
    assert result.evidence["weight"]["candidates"][0]["reason"] == "the engine cited no place for it"


def test_data_of_another_shape_are_not_there() -> None:
    schema = {"a": {"b": "string"}, "c": ["string"], "d": "string"}
    result = grounded(schema, {"a": "text", "c": "text", "d": {"e": 1}}, {})
    assert result.data == {"a": {"b": None}, "c": [], "d": None}


GOODS = """\
# Facture

| Article | Quantité | Prix unitaire | Montant HT |
| --- | --- | --- | --- |
| Boulon | 4 | 2,50 | 10,00 |
| Vis | 10 | 1,20 | 12,00 |
"""


@pytest.mark.parametrize(
    ("item", "first"),
    [
        ({"article": "string", "amount": "number"}, {"article": "Boulon", "amount": 10}),
        ({"name": "string, Article", "title": "string, Article"}, {"name": "Boulon", "title": "Boulon"}),
    ],
)
def test_a_column_is_of_every_field_that_has_its_name(item: dict[str, str], first: dict[str, Any]) -> None:
    schema, read = read_schema({"lines": [item]}), material(GOODS)
    result = ground(build().extract(read, schema, Call()), schema, ClaimVerifier(read), Call())
    assert result.data["lines"][0] == first
