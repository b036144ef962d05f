"""Schemas of tools."""

import json
from typing import Any

from pincite.toolkit import Toolbox
from pincite.toolkit.schemas import compact


def test_the_input_schema_has_no_titles_no_nulls_and_no_room_for_more(toolbox: Toolbox) -> None:
    assert toolbox.find("say").input_schema == {
        "type": "object",
        "additionalProperties": False,
        "required": ["title"],
        "properties": {
            "title": {"type": "string", "description": "What to say."},
            "times": {"type": "integer", "description": "How often.", "minimum": 1, "maximum": 9, "default": 1},
            "loud": {"type": "boolean", "default": False},
            "manner": {"type": "string", "enum": ["plain", "sung"], "default": "plain"},
            "to": {"type": "string"},
            "either": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        },
    }


def test_the_given_parameters_are_no_arguments(toolbox: Toolbox) -> None:
    assert toolbox.find("wait").input_schema == {"type": "object", "additionalProperties": False, "properties": {}}
    assert toolbox.find("wait").injected == ("call",)
    assert toolbox.find("say").injected == ("view",)


def test_schemas_are_plain_json(toolbox: Toolbox) -> None:
    for each in toolbox.tools:
        json.dumps([each.input_schema, each.output_schema])
        assert '"title": "' not in json.dumps(each.output_schema)


def test_a_listed_output_schema_is_short_and_refuses_the_same(toolbox: Toolbox) -> None:
    listed = toolbox.find("say").listed_output_schema
    assert "description" not in json.dumps(listed) and "$" not in json.dumps(listed)
    thing = listed["properties"]["things"]["items"]["properties"]
    assert thing["left_out"] == {"type": "string"}
    assert thing["named_null"] == {"anyOf": [{"type": "string"}, {"type": "null"}]}
    assert set(listed["required"]) == set(toolbox.find("say").output_schema["required"])


def test_of_a_recursive_definition_one_level_is_listed_and_an_omitted_field_is_not() -> None:
    node = {"properties": {"child": {"$ref": "#/$defs/Node"}, "name": {"type": "string"}}, "type": "object"}
    schema = {"$defs": {"Node": node}, **node}
    inner: dict[str, Any] = {"type": "object", "properties": {"child": {}}}
    assert compact(schema, frozenset({"name"})) == {"type": "object", "properties": {"child": inner}}


def test_of_an_inner_object_of_plain_values_the_names_are_listed() -> None:
    box = {"properties": {"x": {"type": "number"}}, "required": ["x"], "type": "object"}
    listed = compact({"$defs": {"Box": box}, "properties": {"box": {"$ref": "#/$defs/Box"}}}, frozenset())
    assert listed == {"properties": {"box": {"type": "object", "required": ["x"]}}}
    assert compact(box, frozenset()) == box
