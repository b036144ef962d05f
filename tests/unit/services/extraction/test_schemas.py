import json

import pytest

from pincite.errors import InvalidInput
from pincite.model.schema import LeafType, ListNode, ObjectNode
from pincite.services.extraction.bounds import MAX_DEPTH, MAX_NODES
from pincite.services.extraction.schemas import MAX_SCHEMA_CHARS, read_schema


def test_a_skeleton_and_a_json_schema_of_the_same_fields_have_the_same_fields() -> None:
    skeleton = read_schema('{"a": {"b": "string"}, "c": ["string"], "d": {"<model>": "number"}}').root
    described = read_schema(
        {
            "type": "object",
            "properties": {
                "a": {"type": "object", "properties": {"b": {"type": "string"}}},
                "c": {"type": "array", "items": {"type": "string"}},
                "d": {"type": "object", "additionalProperties": {"type": "number"}},
            },
        }
    ).root
    assert [type(node) for node in skeleton.fields.values()] == [type(node) for node in described.fields.values()]


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ("{a", "Invalid schema JSON"),
        ("[1]", "must be a JSON object"),
        ("null", "must be a JSON object"),
        ("{}", "empty"),
        ("[" * 100_000, "Invalid schema JSON"),
        (" " * (MAX_SCHEMA_CHARS + 1), "longer than"),
    ],
)
def test_what_is_no_schema_is_refused_with_the_next_action(schema: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        read_schema(schema)


def test_a_schema_has_bounds() -> None:
    with pytest.raises(InvalidInput, match="more than"):
        read_schema({f"k{number}": "string" for number in range(MAX_NODES + 1)})
    with pytest.raises(InvalidInput, match="deeper"):
        read_schema(json.loads('{"a":' * (MAX_DEPTH + 2) + "1" + "}" * (MAX_DEPTH + 2)))


def test_a_skeleton_may_have_fields_with_the_names_of_keywords() -> None:
    root = read_schema({"type": "string", "properties": {"colour": "string"}, "title": "string"}).root
    assert list(root.fields) == ["type", "properties", "title"]
    assert isinstance(root.fields["properties"], ObjectNode)


def test_a_list_of_objects_is_described_by_its_first() -> None:
    items = read_schema({"items": [{"name": "string", "count": "integer"}]}).root.fields["items"]
    assert isinstance(items, ListNode)
    assert isinstance(items.item, ObjectNode)
    assert items.item.fields["count"].type is LeafType.INTEGER  # type: ignore[union-attr]
