"""The sentences of the contract on `json_validate_and_normalize`."""

from typing import Any

import pytest

from pincite.errors import Cancelled
from pincite.model.call import Call
from pincite.services.extraction.validation import MAX_DATA_CHARS, type_name, validate_and_normalize

SKELETON = {"a": {"b": "string", "c": ["list"]}, "x_per_model": "number with unit", "original_file": "string"}


def test_null_data_are_the_whole_skeleton_with_warnings() -> None:
    result = validate_and_normalize(None, SKELETON, Call())
    assert result.ok
    assert result.normalized == {"a": {"b": None, "c": []}, "x_per_model": None, "original_file": None}
    # The server fills `original_file`: an agent must not look for it.
    assert result.warnings == ("Field 'a.b' is null", "Field 'a.c' is null", "Field 'x_per_model' is null")


def test_objects_and_json_text_are_accepted() -> None:
    for data, schema in (({"a": "x"}, {"a": "string"}), ('{"a": "x"}', '{"a": "string"}')):
        assert validate_and_normalize(data, schema, Call()).normalized == {"a": "x"}


def test_another_shape_is_an_error() -> None:
    result = validate_and_normalize({"a": "text"}, {"a": {"b": "string"}}, Call())
    assert result.errors == ("Field 'a' expected object, got string",)
    assert result.normalized == {"a": {"b": None}}
    result = validate_and_normalize({"a": "text"}, {"a": ["string"]}, Call())
    assert not result.ok
    assert result.errors == ("Field 'a' expected list, got string",)
    assert validate_and_normalize([1], {"a": "string"}, Call()).errors == ("Data expected object, got list",)


def test_elements_of_lists_are_named_by_their_index() -> None:
    result = validate_and_normalize({"a": [{"b": 1}, 2]}, {"a": [{"b": "", "c": ""}]}, Call())
    assert result.warnings == ("Field 'a[0].c' is null",)
    assert result.errors == ("Field 'a[1]' expected object, got integer",)


def test_a_flat_value_for_a_dictionary_by_model_is_a_warning() -> None:
    result = validate_and_normalize({"x_per_model": "5 kW"}, {"x_per_model": "number with unit"}, Call())
    assert result.ok
    assert result.warnings == ("Field 'x_per_model' expected a value per model, got string",)
    assert result.normalized == {"x_per_model": "5kW"}
    result = validate_and_normalize(
        {"x_per_model": {"A": "5 kW", "B": None}}, {"x_per_model": "number with unit"}, Call()
    )
    assert result.normalized == {"x_per_model": {"A": "5kW", "B": None}}
    assert result.warnings == ("Field 'x_per_model.B' is null",)


@pytest.mark.parametrize("text", ["{a", "", "[" * 100_000, " " * (MAX_DATA_CHARS + 1)])
def test_bad_json_text_gives_an_error_and_nothing_else(text: str) -> None:
    result = validate_and_normalize(text, {"a": "string"}, Call())
    assert not result.ok
    assert result.errors[0].startswith("Invalid data JSON: ")
    assert (result.warnings, result.normalized) == ((), {})


def test_a_bad_schema_is_an_error_too() -> None:
    assert validate_and_normalize({}, "{a", Call()).errors[0].startswith("Invalid schema JSON: ")


def test_a_key_that_nobody_asked_for_is_left_out_with_a_warning() -> None:
    result = validate_and_normalize({"a": 1, "b": {"c": 2}}, {"a": "integer"}, Call())
    assert result.normalized == {"a": 1}
    assert result.warnings == ("Field 'b' is not in the schema",)


def test_only_formatting_is_normalised() -> None:
    data = {"a": " 1000 ~ 1500 V ", "b": ["1000 V", 3], "c": {"d": "x  y"}}
    normalized = validate_and_normalize(data, {"a": "", "b": ["list"], "c": ""}, Call()).normalized
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
    result = validate_and_normalize({"a": value}, {"type": "object", "properties": {"a": {"type": type_}}}, Call())
    assert result.errors == (() if error is None else (error,))


def test_a_json_schema_is_validated_in_full_once_the_shape_is_right() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": "^[A-Z]+$"}}}
    assert validate_and_normalize({"a": "AB"}, schema, Call()).ok
    assert validate_and_normalize({"a": "ab"}, schema, Call()).errors == (
        "Field 'a' does not match the schema: 'ab' does not match '^[A-Z]+$'",
    )


def test_types_have_the_names_of_json() -> None:
    values: tuple[Any, ...] = (None, True, 1, 1.5, "", {}, [], object())
    assert [type_name(value) for value in values] == [
        "null", "boolean", "integer", "number", "string", "object", "list", "value",
    ]  # fmt: skip


def test_a_list_of_empty_objects_does_not_become_a_billion_values() -> None:
    schema = {"a": [{f"f{number}": "string" for number in range(1_000)}]}
    result = validate_and_normalize({"a": [{}] * 100_000}, schema, Call())
    assert result.errors == ("The data have more than 500,000 values, those of the schema included.",)
    assert not result.ok and result.normalized == {}


def test_a_validation_ends_with_its_call() -> None:
    call = Call()
    call.stop.set()
    with pytest.raises(Cancelled):
        validate_and_normalize({"a": "x"}, {"a": "string"}, call)


@pytest.mark.parametrize("data", [{"a": float("nan")}, '{"a": 1e999}', {"a": "\ud800"}, '{"a": "\\ud800"}'])
def test_data_that_are_no_json_are_an_error(data: object) -> None:
    result = validate_and_normalize(data, {"a": "string"}, Call())
    assert [error.partition(":")[0] for error in result.errors] == ["Invalid data JSON"]


@pytest.mark.parametrize("schema", [{"a": float("nan")}, '{"a": 1e999}', {"a\ud800": ""}, '{"\\ud800": ""}'])
def test_a_schema_that_is_no_json_is_an_error(schema: Any) -> None:
    result = validate_and_normalize({"a": "x"}, schema, Call())
    assert [error.partition(":")[0] for error in result.errors] == ["Invalid schema JSON"]
