import contextlib
import json
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.agents.claude.answers import MalformedAnswerError, read_answer
from pincite.model.extraction import Citation
from pincite.services.extraction.schemas import read_schema

SCHEMA = read_schema(
    {
        "weight": "string",
        "tags": ["string"],
        "parts": [{"name": "string"}],
        "power": {"<model>": "string"},
        "box": {"a": "string"},
    }
)
DATA = {"weight": "25 kg"}
PROOF = {"weight": {"locator": "h1-c1", "snippet": "Weight: 25 kg", "label": "Weight"}}
CITED = {("weight",): Citation("h1-c1", "Weight: 25 kg", "Weight")}
WHOLE = json.dumps({"data": DATA, "evidence": PROOF})


@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        f"  {WHOLE}\n",
        f"```json\n{WHOLE}\n```",
        f"{json.dumps(DATA)}\n{json.dumps(PROOF)}",
        f"```\n{json.dumps({'data': DATA})}\n\n{json.dumps({'evidence': PROOF})}\n```",
    ],
    ids=["object", "spaces", "fence", "two", "two named in a fence"],
)
def test_the_agreed_forms_are_read(text: str) -> None:
    assert read_answer(text, SCHEMA) == (DATA, CITED)


def test_half_a_character_becomes_a_replacement_character() -> None:
    data, _ = read_answer(r'{"data": {"weight": "25 \ud83d", "\udc00": 1}, "evidence": {}}', SCHEMA)
    assert data == {"weight": "25 \ufffd", "\ufffd": 1}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "empty"),
        ("Here it is: {}", "not JSON alone"),
        (WHOLE + " Done.", "not JSON alone"),
        (WHOLE[:-1], "not JSON alone"),
        ('{"data": {"weight": NaN}, "evidence": {}}', "NaN"),
        ('{"data": {"weight": 1e999}, "evidence": {}}', "1e999"),
        (WHOLE * 3, "more than two objects"),
        ("[1]", "no object"),
        ("{}", "no data and no evidence"),
        ('{"data": {}}', "no evidence"),
        ('{"data": [], "evidence": {}}', "must both be objects"),
        ('{"data": {"height": 1}, "evidence": {}}', "none of the schema's keys"),
        ("[" * 100_000, "not JSON alone"),
        ('{"a":' * 100_000, "not JSON alone"),
    ],
    ids=str,
)
def test_anything_else_is_named(text: str, problem: str) -> None:
    with pytest.raises(MalformedAnswerError, match=problem) as error:
        read_answer(text, SCHEMA)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize(
    ("data", "evidence", "quotes"),
    [
        ({"tags": ["x", "y"]}, {"tags": [("h1", "x"), ("h1", "y")]}, {("tags", 0): "x", ("tags", 1): "y"}),
        ({"tags": ["x", "y"]}, {"tags": ("h1", "x, y")}, {("tags", 0): "x, y", ("tags", 1): "x, y"}),
        ({"tags": ["x"]}, {"tags": {"locator": "h1", "snippet": "s", "items": [("h1", "x")]}}, {("tags", 0): "x"}),
        ({"tags": ["x", "y"]}, {"tags": [("h1", "x")]}, {("tags", 0): "x"}),
        ({"parts": [{"name": "x"}]}, {"parts": [{"name": ("h1", "x")}]}, {("parts", 0, "name"): "x"}),
        ({"parts": [{"name": "x"}]}, {"parts": [("h1", "row")]}, {("parts", 0, "name"): "row"}),
        ({"power": {"A": "1"}}, {"power": {"A": ("h1", "1")}}, {("power", "A"): "1"}),
        ({"power": {"A": "1"}}, {"power": ("h1", "row")}, {("power", "A"): "row"}),
        ({"box": {"a": "1", "b": "2"}}, {"box": {"a": ("h1", "1"), "b": ("h1", "2")}}, {("box", "a"): "1"}),
        ({"weight": "1"}, {"weight": "h1"}, {}),
        ({"weight": "1"}, {"weight": {"locator": 1, "snippet": "1"}}, {}),
        ({"weight": None}, {"weight": ("h1", "1")}, {}),
    ],
    ids=[
        *("a list", "a list at once", "items", "a short list", "records", "a row", "by model", "a row of models"),
        *("an unknown key", "no record", "no locator", "null"),
    ],
)
def test_evidence_is_found_at_the_mirrored_place(data: Any, evidence: Any, quotes: Any) -> None:
    _, citations = read_answer(json.dumps({"data": data, "evidence": records(evidence)}), SCHEMA)
    assert {path: citation.quote for path, citation in citations.items()} == quotes


def records(tree: Any) -> Any:
    """Evidence in which `(locator, snippet)` stands for a record."""
    if isinstance(tree, tuple):
        locator, snippet = cast("tuple[str, str]", tree)
        return {"locator": locator, "snippet": snippet}
    if isinstance(tree, dict):
        return {key: records(one) for key, one in cast("dict[str, Any]", tree).items()}
    return [records(one) for one in cast("list[Any]", tree)] if isinstance(tree, list) else tree


keys = st.sampled_from(["weight", "tags", "box", "power", "locator", "snippet"])
plain = st.none() | st.integers() | st.text(max_size=3)
trees = st.dictionaries(
    keys, plain | st.lists(plain, max_size=2) | st.dictionaries(keys, plain, max_size=2), max_size=3
)


@settings(max_examples=30)
@given(data=trees, evidence=trees)
def test_no_answer_is_an_error_of_another_kind(data: Any, evidence: Any) -> None:
    with contextlib.suppress(MalformedAnswerError):
        values, citations = read_answer(json.dumps({"data": data, "evidence": evidence}), SCHEMA)
        assert values == data and all(path[0] in data for path in citations)
