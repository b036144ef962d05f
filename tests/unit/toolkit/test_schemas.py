"""Schemas of tools."""

import json

from pincite.toolkit import Toolbox


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
