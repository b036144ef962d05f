from typing import Any

from pincite.services.extraction.conformance import MAX_ERRORS, conformance_errors


def errors(value: Any, described: dict[str, Any]) -> list[str]:
    return conformance_errors({"a": value}, {"type": "object", "properties": {"a": described}})


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
