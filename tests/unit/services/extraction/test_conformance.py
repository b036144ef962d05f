import time
from typing import Any

import pytest

from pincite.errors import Cancelled, InvalidInput, TimeoutExceeded
from pincite.model.call import Call
from pincite.services.extraction import conformance
from pincite.services.extraction.conformance import MAX_ERRORS, conformance_errors, schema_problems


def errors(value: Any, described: dict[str, Any]) -> list[str]:
    return conformance_errors({"a": value}, {"type": "object", "properties": {"a": described}}, Call())


def test_a_contradiction_names_its_field() -> None:
    assert errors("z", {"enum": ["x"]}) == ["Field 'a' does not match the schema: 'z' is not one of ['x']"]
    assert errors([{"n": 7}], {"items": {"properties": {"n": {"maximum": 5}}}}) == [
        "Field 'a[0].n' does not match the schema: 7 is greater than the maximum of 5"
    ]


def test_what_is_absent_contradicts_nothing() -> None:
    assert errors(None, {"type": "string"}) == []
    assert errors([], {"type": "array", "minItems": 1}) == []
    named = {"type": "object", "properties": {"n": {"type": "string"}}, "required": ["n"]}
    assert errors({"n": None}, {"anyOf": [named, {"type": "string"}]}) == []
    assert len(errors({"n": 3}, {"anyOf": [named, {"type": "string"}]})) == 1


def test_a_pattern_is_matched_in_linear_time_or_not_at_all() -> None:
    assert len(errors("a" * 50_000 + "b", {"pattern": "^(a+)+$"})) == 1
    assert errors("ab", {"pattern": "^a"}) == []
    assert errors("b", {"pattern": "(?=a)"}) == []
    assert errors({"aaab": 1}, {"patternProperties": {"^(a+)+$": {"type": "string"}}}) == []


def test_a_schema_that_is_none_is_an_error_itself() -> None:
    assert errors("x", {"type": "strng"})[0].startswith("The JSON Schema is invalid")
    assert errors("x", {"$ref": "#/nowhere"})[0].startswith("The JSON Schema cannot be resolved")
    assert errors("x", {"$ref": "http://127.0.0.1:9/x.json"})[0].startswith("The JSON Schema cannot be resolved")


def test_the_number_of_errors_is_limited() -> None:
    assert len(errors(list(range(500)), {"items": {"type": "string"}})) == MAX_ERRORS


def doubled(levels: int) -> dict[str, Any]:
    """Definitions each of which refers twice to the next."""
    references = {f"a{level}": {"allOf": [{"$ref": f"#/$defs/a{level + 1}"}] * 2} for level in range(levels)}
    return {**references, f"a{levels}": {}}


@pytest.mark.parametrize("keyword", ["not", "if", "contains", "propertyNames", "allOf", "dependentSchemas"])
def test_a_schema_whose_references_double_is_not_followed_for_ever(
    keyword: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conformance, "MAX_STEPS", 20_000)
    bomb: Any = {"$ref": "#/$defs/a0"}
    value: Any = {"allOf": [bomb], "dependentSchemas": {"x": bomb}}.get(keyword, bomb)
    schema = {"properties": {"a": {keyword: value}}, "$defs": doubled(40)}
    instance = {"contains": ["x"], "propertyNames": {"x": 1}, "dependentSchemas": {"x": 1}}.get(keyword, "x")
    [problem] = conformance_errors({"a": instance}, schema, Call())
    assert problem.startswith("The data were not checked against the JSON Schema to the end")


def test_a_validation_ends_with_its_call() -> None:
    call = Call(deadline=time.monotonic() + 0.05)
    schema = {"properties": {"a": {"$ref": "#/$defs/a0"}}, "$defs": doubled(40)}
    with pytest.raises(TimeoutExceeded):
        conformance_errors({"a": "x"}, schema, call)
    call.stop.set()
    with pytest.raises(Cancelled):
        list(schema_problems(schema, call))


@pytest.mark.parametrize("key", ["properties", "$defs"])
def test_a_part_with_a_schema_of_its_own_has_the_same_limits(key: str) -> None:
    own = {"$schema": "https://json-schema.org/draft/2020-12/schema", "pattern": "^(a+)+$"}
    schema = {"properties": {"a": own if key == "properties" else {"$ref": "#/$defs/own"}}, "$defs": {"own": own}}
    assert len(conformance_errors({"a": "a" * 50_000 + "b"}, schema, Call())) == 1


def test_no_key_is_matched_with_a_pattern_that_takes_for_ever() -> None:
    schema: dict[str, Any] = {"patternProperties": {"^(a+)+$": {}}, "additionalProperties": {"type": "string"}}
    assert len(conformance_errors({"a" * 5_000 + "b": 1}, schema, Call())) == 1
    assert conformance_errors({"a" * 5_000 + "b": 1}, {**schema, "additionalProperties": {}}, Call()) == []
    unevaluated: dict[str, Any] = {"patternProperties": {"^(a+)+$": {}}, "unevaluatedProperties": False}
    assert conformance_errors({"a" * 5_000 + "b": 1}, unevaluated, Call()) == []


UNIQUE: list[Any] = [[1, True], [[], {}], ["1", 1], [{"a": 1}, {"b": 1}]]
REPEATED: list[Any] = [[1, 1.0], [{"a": [1]}, {"a": [1.0]}], [None, None]]


@pytest.mark.parametrize(
    ("items", "unique"), [*((each, True) for each in UNIQUE), *((each, False) for each in REPEATED)]
)
def test_items_are_unique_as_json_has_it(items: list[Any], unique: bool) -> None:
    assert (errors(items, {"uniqueItems": True}) == []) is unique
    assert errors(items, {"uniqueItems": False}) == []


def test_the_items_of_a_long_list_are_not_compared_each_with_all_others() -> None:
    items = [{"number": number, "text": "x"} for number in range(20_000)]
    assert errors(items, {"uniqueItems": True}) == []
    assert len(errors([*items, items[7]], {"uniqueItems": True})) == 1


def test_a_schema_of_too_many_keywords_is_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance, "MAX_STEPS", 20_000)
    with pytest.raises(InvalidInput, match="too large to be checked"):
        list(schema_problems({"$defs": {str(number): {"type": "string"} for number in range(3_000)}}, Call()))
