"""What an extraction found, compared with what a document has."""

from pathlib import Path
from typing import Any

import pytest

from pincite.errors import ReadingFailed
from pincite.model.call import Call
from pincite.services.evaluation.field_scores import ALL, Extract, LabelledScores, Tally, evaluate, is_same
from pincite.services.evaluation.labelled import Labelled, LabelledSet
from pincite.services.extraction.schemas import read_schema

SCHEMA = read_schema(
    {
        "total": "number",
        "seller": {"name": "string"},
        "tags": ["string"],
        "lines": [{"article": "string", "price": "number"}],
        "power_per_model": "number with unit",
    }
)
YES, NO = {"verified": True}, {"verified": False}


def _answers(found: Any, evidence: Any) -> Extract:
    def extract(file: Path, call: Call) -> tuple[Any, Any]:
        del file, call
        return found, evidence

    return extract


def compared(expected: Any, found: Any, evidence: Any) -> LabelledScores:
    labelled = LabelledSet("set", SCHEMA, (Labelled(Path("a.md"), expected),))
    return evaluate(labelled, _answers(found, evidence), Call())


def counts(tally: Tally) -> tuple[int, int, int, int]:
    return tally.expected, tally.answered, tally.right, tally.wrong_verified


def test_values_are_counted_by_field() -> None:
    expected = {"total": 5, "seller": {"name": "Acme"}}
    found = {"total": 5.0, "seller": {"name": "Apex"}, "tags": ["x"]}
    scores = compared(expected, found, {"total": YES, "seller": {"name": YES}})
    assert {name: counts(row) for name, row in scores.rows().items()} == {
        "total": (1, 1, 1, 0),
        "seller.name": (1, 1, 0, 1),
        ALL: (2, 2, 1, 1),
    }
    assert (scores.rows()[ALL].precision, scores.rows()[ALL].recall) == (0.5, 0.5)
    (miss,) = scores.misses
    assert (miss.document, miss.field, miss.expected, miss.found, miss.verified) == (
        "a.md", "seller.name", "Acme", "Apex", True
    )  # fmt: skip


def test_a_null_is_to_stay_empty_and_an_unknown_value_is_not_counted() -> None:
    scores = compared({"total": None, "seller": {"name": None}}, {"total": 5, "seller": {"name": None}}, {"total": NO})
    assert counts(scores.rows()["total"]) == (0, 1, 0, 0)
    assert counts(scores.rows()["seller.name"]) == (0, 0, 0, 0)
    assert (scores.rows()["seller.name"].precision, scores.rows()["seller.name"].recall) == (1.0, 1.0)
    assert compared({}, {"total": 5}, {}).rows() == {ALL: Tally()}


def test_elements_of_lists_are_compared_with_the_one_they_agree_with() -> None:
    expected = {"tags": ["a", "b"], "lines": [{"article": "x", "price": 1}, {"article": "y", "price": 2}]}
    found = {"tags": ["b"], "lines": [{"article": "y", "price": 2}, {"article": "z"}, {"article": "x", "price": 3}]}
    trees = [{"article": YES, "price": YES}, {"article": YES}, {"article": YES, "price": YES}]
    scores = compared(expected, found, {"tags": {**YES, "items": [YES]}, "lines": trees})
    assert counts(scores.rows()["tags[]"]) == (2, 1, 1, 0)
    assert counts(scores.rows()["lines[].article"]) == (2, 3, 2, 1)
    assert counts(scores.rows()["lines[].price"]) == (2, 2, 1, 1)


def test_values_by_model_are_compared_key_by_key() -> None:
    expected = {"power_per_model": {"A": "5 kW", "B": "8 kW"}}
    found = {"power_per_model": {"A": "5kW", "C": "9kW"}}
    scores = compared(expected, found, {"power_per_model": {"A": YES, "C": NO}})
    assert counts(scores.rows()["power_per_model"]) == (2, 2, 1, 0)


def test_a_document_that_cannot_be_read_has_found_nothing() -> None:
    def failing(file: Path, call: Call) -> tuple[dict[str, Any], dict[str, Any]]:
        call.check()
        raise ReadingFailed(f"{file.name} is damaged.")

    scores = evaluate(LabelledSet("set", SCHEMA, (Labelled(Path("a.md"), {"total": 5}),)), failing, Call())
    assert scores.failures == {"a.md": "a.md is damaged."}
    assert counts(scores.rows()["total"]) == (1, 0, 0, 0)


@pytest.mark.parametrize(
    ("expected", "found", "same"),
    [
        (117.81, 117.81, True),
        (117.81, "117,81", True),
        (117.81, "117,81 €", False),
        (5, 5.0, True),
        (1, True, False),
        (True, True, True),
        ("007", "7", False),
        ("10.50 €", "10.50€", True),
        ("Acme  GmbH", "ACME GmbH", True),
        ("2024-05-03", "03.05.2024", True),
        ("2024-05-03", "03.06.2024", False),
        ("A", "B", False),
    ],
)
def test_sameness(expected: Any, found: Any, *, same: bool) -> None:
    assert is_same(expected, found) is same
