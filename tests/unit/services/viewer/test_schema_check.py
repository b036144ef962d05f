"""How a schema is understood, while somebody writes it."""

import json

import pytest

from pincite.errors import InvalidInput
from pincite.model.call import Call
from pincite.services.viewer.schema_check import MAX_FIELDS, check_schema


def test_fields_have_their_path_and_type() -> None:
    found = check_schema(
        json.dumps(
            {
                "number": "string",
                "due": "date",
                "seller": {"name": "string: of the company"},
                "lines": [{"amount": "number"}],
                "weights_per_model": "quantity with unit",
            }
        ),
        Call(),
    )
    assert [(field.path, field.type) for field in found.fields] == [
        ("number", "string"),
        ("due", "date"),
        ("seller.name", "string"),
        ("lines[].amount", "number"),
        ("weights_per_model.<model>", "quantity"),
    ]
    assert (found.count, found.warnings) == (5, [])


@pytest.mark.parametrize(("written", "meant"), [("strng", "string"), ("nunber", "number"), ("Dates", "date")])
def test_a_word_that_is_nearly_a_type_is_named(written: str, meant: str) -> None:
    found = check_schema(json.dumps({"total": written}), Call())
    assert found.fields[0].type == "any"
    assert len(found.warnings) == 1 and f'Did you mean "{meant}"?' in found.warnings[0]


def test_names_alone_are_fields_of_text_unless_a_type_is_behind_a_colon() -> None:
    found = check_schema("invoice number, seller\ntotal: number", Call())
    assert [(field.path, field.type) for field in found.fields] == [
        ("invoice number", "string"), ("seller", "string"), ("total", "number"),
    ]  # fmt: skip
    assert json.loads(found.schema) == {"invoice number": "string", "seller": "string", "total": "number"}
    with pytest.raises(InvalidInput, match="Write the names of fields, as invoice number, total: number, or a JSON"):
        check_schema('total = "number", iban', Call())


def test_a_word_that_is_no_type_is_named_with_the_types() -> None:
    [warning] = check_schema('{"total": "money"}', Call()).warnings
    assert warning.startswith('total: "money" is no type, so any value is taken. Types are any, string, number')


@pytest.mark.parametrize("written", ["grand total with tax", "IBAN", "", "any", "https://example.com"])
def test_a_description_is_no_mistake(written: str) -> None:
    assert check_schema(json.dumps({"total": written}), Call()).warnings == []


def test_what_is_no_json_schema_is_named_with_its_place() -> None:
    properties = {"a": {"type": "strng"}, "kind": {"enum": ["a", "b"]}}
    found = check_schema(json.dumps({"type": "object", "properties": properties, "required": "a"}), Call())
    assert any(warning.startswith("properties.a.type: 'strng'") for warning in found.warnings)
    assert any(warning.startswith("required: 'a'") for warning in found.warnings)
    assert found.fields[1].type == "one of a, b"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "must be a JSON object"),
        ("{}", "empty"),
        ("{", "Invalid schema JSON"),
        ('{"type": "object", "properties": {"a": {"$ref": "#/nope"}}}', "#/nope"),
    ],
)
def test_what_no_engine_could_fill_is_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        check_schema(text, Call())


def test_of_many_fields_the_first_are_listed_and_all_counted() -> None:
    found = check_schema(json.dumps({f"field {number}": "string" for number in range(300)}), Call())
    assert (len(found.fields), found.count) == (MAX_FIELDS, 300)
