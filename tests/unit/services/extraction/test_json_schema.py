from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import InvalidInput
from pincite.model.schema import Leaf, LeafType, ListNode, Node, ObjectNode, PerModel
from pincite.services.extraction.json_schema import is_json_schema, read_json_schema
from pincite.services.extraction.schemas import read_schema


def field(described: dict[str, Any], **more: Any) -> Node:
    return read_json_schema({"type": "object", "properties": {"a": described}, **more}).root.fields["a"]


@pytest.mark.parametrize(
    ("described", "leaf"),
    [
        ({"type": "string"}, Leaf(LeafType.STRING, is_typed=True)),
        ({"type": ["number", "null"]}, Leaf(LeafType.NUMBER, is_typed=True)),
        ({"type": ["number", "integer"]}, Leaf(LeafType.NUMBER, is_typed=True)),
        ({"type": "string", "format": "date"}, Leaf(LeafType.DATE, format="date", is_typed=True)),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, Leaf(LeafType.INTEGER, is_typed=True)),
        ({"oneOf": [{"type": "string"}, {"type": "number"}]}, Leaf(LeafType.ANY, is_typed=True)),
        ({"anyOf": [{"const": "x"}, {"const": "y"}]}, Leaf(choices=("x", "y"))),
        ({"anyOf": [{"type": "null"}]}, Leaf()),
        ({"enum": ["x", None]}, Leaf(choices=("x",))),
        ({"title": "Total", "description": "The sum."}, Leaf(description="Total. The sum.")),
        ({"allOf": [{"type": "boolean"}, {"description": "Yes?"}]}, Leaf(LeafType.BOOLEAN, "Yes?", is_typed=True)),
    ],
)
def test_leaves(described: dict[str, Any], leaf: Leaf) -> None:
    assert field(described) == leaf


def test_a_boolean_schema_is_any_value() -> None:
    assert read_json_schema({"properties": {"a": True}, "$schema": "x"}).root.fields["a"] == Leaf()


def test_references_are_resolved_as_often_as_they_occur() -> None:
    price = {"type": "object", "properties": {"net": {"type": "number"}}}
    twice = {"anyOf": [{"$ref": "#/$defs/price"}, {"$ref": "#/$defs/price"}, {"type": "null"}]}
    node = field(twice, **{"$defs": {"price": price}})
    assert isinstance(node, ObjectNode)
    assert list(node.fields) == ["net"]


def test_a_reference_may_go_through_a_list_and_escaped_keys() -> None:
    schema = {"properties": {"a": {"$ref": "#/$defs/x~1y/anyOf/0"}}, "$defs": {"x/y": {"anyOf": [{"type": "string"}]}}}
    assert read_json_schema(schema).root.fields["a"] == Leaf(LeafType.STRING, is_typed=True)


def test_properties_of_joined_parts_are_united() -> None:
    node = field({"allOf": [{"properties": {"b": {}}}, {"properties": {"c": {}}}]})
    assert isinstance(node, ObjectNode)
    assert list(node.fields) == ["b", "c"]


def test_dictionaries_and_lists() -> None:
    assert isinstance(field({"type": "object", "additionalProperties": {"type": "number"}}), PerModel)
    assert isinstance(field({"type": "object", "additionalProperties": True}), PerModel)
    assert field({"type": "object"}) == ObjectNode({})
    assert field({"type": "array"}) == ListNode(Leaf())
    assert field({"prefixItems": [{"type": "string"}], "items": False}) == ListNode(Leaf())
    assert field({"prefixItems": [{"type": "string"}]}) == ListNode(Leaf(LeafType.STRING, is_typed=True))


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": "object", "properties": {"a": {"$ref": "http://example.org/x.json"}}}, "not in it"),
        ({"type": "object", "properties": {"a": {"$ref": "#/$defs/no"}}}, "has no '#/[$]defs/no'"),
        ({"type": "object", "properties": {"a": {"$ref": "#/type"}}}, "no object at"),
        ({"type": "object", "properties": {"a": {"$ref": "#"}}}, "back to itself"),
        ({"type": "object", "properties": {"a": {"type": "array", "items": {"$ref": "#/properties/a"}}}}, "back to"),
        ({"type": "object", "properties": {"a": 3}}, "no object but '3'"),
        ({"type": "object", "properties": {}}, "empty"),
        ({"$schema": "x", "type": "array", "items": {"type": "string"}}, "root"),
    ],
)
def test_what_cannot_be_read_is_refused(schema: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        read_json_schema(schema)


def test_references_that_multiply_end_at_the_limit() -> None:
    definitions = {f"d{n}": {"properties": {k: {"$ref": f"#/$defs/d{n + 1}"} for k in "abcd"}} for n in range(20)}
    schema = {"properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": {**definitions, "d20": {}}}
    with pytest.raises(InvalidInput, match="more than 2,000 fields"):
        read_json_schema(schema)


ROOTS: list[tuple[dict[str, Any], bool]] = [
    ({"$schema": "https://json-schema.org/draft/2020-12/schema"}, True),
    ({"$ref": "#/$defs/a", "$defs": {"a": {}}}, True),
    ({"type": "object", "properties": {"a": {}}}, True),
    ({"type": ["object", "null"], "properties": {}}, True),
    ({"type": "object", "allOf": []}, True),
    ({"properties": {"a": {"type": "string"}}}, True),
    ({"properties": {"a": "string"}}, False),
    ({"type": "object"}, True),
    ({"type": "array", "items": {"type": "object", "properties": {"a": {}}}}, True),
    ({"allOf": [{"type": "object", "properties": {"a": {}}}], "title": "Invoice"}, True),
    ({"oneOf": [{"properties": {"a": {}}}, {"$ref": "#/$defs/b"}], "$defs": {"b": {}}}, True),
    ({"type": "object", "colour": "string"}, False),
    ({"type": "array", "length": "number"}, False),
    ({"allOf": ["string"]}, False),
    ({"title": "string", "description": "string"}, False),
    ({"type": "string", "title": "string"}, False),
]


@pytest.mark.parametrize(("schema", "is_one"), ROOTS)
def test_which_objects_are_json_schemas(schema: dict[str, Any], is_one: bool) -> None:
    assert is_json_schema(schema) is is_one


def test_a_root_of_parts_has_the_fields_of_all() -> None:
    parts = [{"properties": {"a": {"type": "string"}}}, {"type": "object", "properties": {"b": {"type": "number"}}}]
    assert list(read_schema({"allOf": parts}).root.fields) == ["a", "b"]
    roots: list[dict[str, Any]] = [{"type": "object"}, {"type": "array", "items": {"type": "string"}}]
    for one in roots:
        with pytest.raises(InvalidInput, match="properties"):
            read_schema(one)


def chained(levels: int, part: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    return {f"a{level}": part(f"#/$defs/a{level + 1}") for level in range(levels)} | {f"a{levels}": {"type": "string"}}


MANY = {"enum": list(range(50_000)), "properties": {f"p{number}": {"type": "string"} for number in range(1_900)}}


@pytest.mark.parametrize(
    ("described", "definitions", "message"),
    [
        ({"$ref": "#/$defs/a0"}, chained(40, lambda to: {"allOf": [{"$ref": to}] * 2}), "stand for too much at 'x'"),
        ({"$ref": "#/$defs/a0"}, chained(40, lambda to: {"anyOf": [{"$ref": to}] * 2}), "stand for too much at 'x'"),
        ({"$ref": "#/$defs/a0"}, chained(5_000, lambda to: {"$ref": to}), "nested too deep"),
        ({"anyOf": [{"$ref": "#/$defs/many"}] * 10_000}, {"many": MANY}, "stand for too much at 'x'"),
        ({"allOf": [{"$ref": "#/$defs/many"}] * 10_000}, {"many": MANY}, "stand for too much at 'x'"),
        ({"allOf": [{"$ref": "#" + "/" * 900_000}] * 100}, {}, "stand for too much at 'x'"),
    ],
    ids=["allOf", "anyOf", "chain", "choices", "properties", "long"],
)
def test_what_few_references_stand_for_is_bounded(
    described: dict[str, Any], definitions: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        read_schema({"type": "object", "properties": {"x": described}, "$defs": definitions})


def test_the_schema_that_stopped_a_server_is_refused(data: Path) -> None:
    with pytest.raises(InvalidInput, match="stand for too much"):
        read_schema((data / "found" / "hostile" / "schema_bomb.json").read_text("utf-8"))
