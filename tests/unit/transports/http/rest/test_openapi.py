"""The description of the tools."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import pytest

from pincite.toolkit import Toolbox
from pincite.transports.http.rest.openapi import ANYWHERE, FAILURES, described
from support.parlour import Parlour
from unit.transports.http.rest.test_routes import BOXES, WIDTH


@pytest.fixture
def toolbox() -> Toolbox:
    return Toolbox([lambda _: Parlour()], seconds=1)


def test_each_tool_has_its_routes_with_its_own_schemas(toolbox: Toolbox) -> None:
    whole = described(toolbox, [], with_key=False)
    own = {tool.route.partition(" ")[2] for tool in toolbox.tools if tool.route}
    assert set(whole["paths"]) == {f"/api/tools/{tool.name}" for tool in toolbox.tools} | own
    say = whole["paths"]["/api/tools/say"]["post"]
    arguments = say["requestBody"]["content"]["application/json"]["schema"]
    assert arguments["required"] == ["words"]
    assert say["requestBody"]["required"]
    assert say["description"] == "Say something, as `words`."
    assert set(say["responses"]) == {"200", *map(str, FAILURES)} - {"400"}
    assert not whole["paths"]["/api/tools/chatter"]["post"]["requestBody"]["required"]


def test_a_route_is_described_as_it_answers_and_fails() -> None:
    whole = described(None, [BOXES], with_key=False)
    operation = whole["paths"]["/boxes/{width}"]["post"]
    assert (operation["description"], operation["summary"]) == ("Return a box.", "Return a box")
    assert operation["tags"] == ["boxes"]
    assert operation["parameters"] == WIDTH["parameters"]
    answer = operation["responses"].pop("201")["content"]["application/json"]["schema"]
    assert whole["components"]["schemas"][answer["$ref"].rpartition("/")[2]]["properties"]["width"]["type"] == "integer"
    assert set(operation["responses"]) == {*map(str, ANYWHERE), "404"}


def test_what_fails_below_tasks_has_the_body_of_contract_3() -> None:
    whole = described(None, [replace(BOXES, path="/tasks/{width}")], with_key=False)
    failed = whole["paths"]["/tasks/{width}"]["post"]["responses"]["404"]["content"]["application/json"]["schema"]
    assert whole["components"]["schemas"][failed["$ref"].rpartition("/")[2]]["required"] == ["detail", "code"]


def test_every_reference_leads_somewhere(toolbox: Toolbox) -> None:
    whole = described(toolbox, [BOXES], with_key=False)
    found = list(references(whole))
    assert found
    for reference in found:
        node: Any = whole
        for step in reference.removeprefix("#/").split("/"):
            node = node[step]
        assert isinstance(node, dict)
    assert "$defs" not in json.dumps(whole)


def test_a_key_is_described_where_one_is_needed(toolbox: Toolbox) -> None:
    whole = described(toolbox, [], with_key=True)
    assert whole["security"] == [{"key": []}, {"bearer": []}]
    assert whole["components"]["securitySchemes"]["key"]["name"] == "x-api-key"
    assert "security" not in described(toolbox, [BOXES], with_key=False)


def references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for key, child in cast("dict[str, Any]", node).items():
            if key == "$ref":
                yield child
            yield from references(child)
    elif isinstance(node, list):
        for child in cast("list[Any]", node):
            yield from references(child)
