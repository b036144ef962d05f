from typing import Any

import pytest

from pincite.agents.claude.desk import TOOLS
from pincite.agents.claude.prompt import SYSTEM, question, schema_for_model, sent_back
from pincite.services.extraction.schemas import read_schema

SKELETON = {
    "name": "string",
    "ratings": {"voltage": "number with unit (DC)", "phases": "integer"},
    "tags": ["list"],
    "parts": [{"part": "string", "quantity": "integer"}],
    "power_per_model": "number with unit",
    "weights": {"<model>": "how heavy it is"},
}


def test_the_protocol_names_the_four_tools() -> None:
    assert all(name in SYSTEM for name in TOOLS)


def test_a_skeleton_comes_back_as_the_same_fields() -> None:
    schema = read_schema(SKELETON)
    again = schema_for_model(schema)
    assert read_schema(again).root == read_schema(schema_for_model(read_schema(again))).root
    assert again["ratings"] == SKELETON["ratings"]
    assert again["power_per_model"] == {"<model>": "number with unit"}
    assert again["weights"] == {"<model>": "how heavy it is"}
    assert again["parts"] == SKELETON["parts"]


def test_a_json_schema_comes_back_as_it_is() -> None:
    given: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "integer"}}}
    assert schema_for_model(read_schema(given)) == given


def test_what_the_server_fills_is_not_looked_for() -> None:
    assert "original_file" not in question(read_schema({"original_file": "string", "a": "string"}), "document.pdf")


@pytest.mark.parametrize("value", [True, 1, 0.5, "", "date", "yes/no"], ids=repr)
def test_every_leaf_is_described(value: Any) -> None:
    assert schema_for_model(read_schema({"a": value}))["a"]


def test_an_answer_is_sent_back_with_what_is_wrong() -> None:
    assert "it is empty" in sent_back("it is empty")
