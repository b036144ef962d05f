"""The sentences of the contract on `json_validate_and_normalize`."""

from typing import Any

import pytest

from pincite.services.extraction.validation import MAX_DATA_CHARS, type_name, validate_and_normalize

SKELETON = {"a": {"b": "string", "c": ["list"]}, "x_per_model": "number with unit", "original_file": "string"}


def test_null_data_are_the_whole_skeleton_with_warnings() -> None:
    result = validate_and_normalize(None, SKELETON)
    assert result.ok
    assert result.normalized == {"a": {"b": None, "c": []}, "x_per_model": None, "original_file": None}
    # The server fills `original_file`: an agent must not look for it.
    assert result.warnings == ("Field 'a.b' is null", "Field 'a.c' is null", "Field 'x_per_model' is null")


def test_objects_and_json_text_are_accepted() -> None:
    for data, schema in (({"a": "x"}, {"a": "string"}), ('{"a": "x"}', '{"a": "string"}')):
        assert validate_and_normalize(data, schema).normalized == {"a": "x"}


def test_another_shape_is_an_error() -> None:
    result = validate_and_normalize({"a": "text"}, {"a": {"b": "string"}})
    assert result.errors == ("Field 'a' expected object, got string",)
    assert result.normalized == {"a": {"b": None}}
    result = validate_and_normalize({"a": "text"}, {"a": ["string"]})
    assert not result.ok
    assert result.errors == ("Field 'a' expected list, got string",)
    assert validate_and_normalize([1], {"a": "string"}).errors == ("Data expected object, got list",)


def test_elements_of_lists_are_named_by_their_index() -> None:
    result = validate_and_normalize({"a": [{"b": 1}, 2]}, {"a": [{"b": "", "c": ""}]})
    assert result.warnings == ("Field 'a[0].c' is null",)
    assert result.errors == ("Field 'a[1]' expected object, got integer",)


def test_a_flat_value_for_a_dictionary_by_model_is_a_warning() -> None:
    result = validate_and_normalize({"x_per_model": "5 kW"}, {"x_per_model": "number with unit"})
    assert result.ok
    assert result.warnings == ("Field 'x_per_model' expected a value per model, got string",)
    assert result.normalized == {"x_per_model": "5kW"}
    result = validate_and_normalize({"x_per_model": {"A": "5 kW", "B": None}}, {"x_per_model": "number with unit"})
    assert result.normalized == {"x_per_model": {"A": "5kW", "B": None}}
    assert result.warnings == ("Field 'x_per_model.B' is null",)


@pytest.mark.parametrize("text", ["{a", "", "[" * 100_000, " " * (MAX_DATA_CHARS + 1)])
def test_bad_json_text_gives_an_error_and_nothing_else(text: str) -> None:
    result = validate_and_normalize(text, {"a": "string"})
    assert not result.ok
    assert result.errors[0].startswith("Invalid data JSON: ")
    assert (result.warnings, result.normalized) == ((), {})


def test_a_bad_schema_is_an_error_too() -> None:
    assert validate_and_normalize({}, "{a").errors[0].startswith("Invalid schema JSON: ")


def test_a_key_that_nobody_asked_for_is_left_out_with_a_warning() -> None:
    result = validate_and_normalize({"a": 1, "b": {"c": 2}}, {"a": "integer"})
    assert result.normalized == {"a": 1}
    assert result.warnings == ("Field 'b' is not in the schema",)


def test_only_formatting_is_normalised() -> None:
    data = {"a": " 1000 ~ 1500 V ", "b": ["1000 V", 3], "c": {"d": "x  y"}}
    normalized = validate_and_normalize(data, {"a": "", "b": ["list"], "c": ""}).normalized
    assert normalized == {"a": "1000-1500V", "b": ["1000V", 3], "c": {"d": "x y"}}


@pytest.mark.parametrize(
    ("type_", "value", "error"),
    [
        ("integer", "3", "Field 'a' expected integer, got string"),
        ("integer", 3.0, None),
        ("integer", 3.5, "Field 'a' expected integer, got number"),
        ("number", 3, None),
        ("number", True, "Field 'a' expected number, got boolean"),
        ("string", 3, "Field 'a' expected string, got integer"),
        ("boolean", "yes", "Field 'a' expected boolean, got string"),
    ],
)
def test_a_json_schemas_types_are_kept(type_: str, value: Any, error: str | None) -> None:
    result = validate_and_normalize({"a": value}, {"type": "object", "properties": {"a": {"type": type_}}})
    assert result.errors == (() if error is None else (error,))


def test_a_json_schema_is_validated_in_full_once_the_shape_is_right() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": "^[A-Z]+$"}}}
    assert validate_and_normalize({"a": "AB"}, schema).ok
    assert validate_and_normalize({"a": "ab"}, schema).errors == (
        "Field 'a' does not match the schema: 'ab' does not match '^[A-Z]+$'",
    )


def test_types_have_the_names_of_json() -> None:
    values: tuple[Any, ...] = (None, True, 1, 1.5, "", {}, [], object())
    assert [type_name(value) for value in values] == [
        "null", "boolean", "integer", "number", "string", "object", "list", "value",
    ]  # fmt: skip
