"""Corrections: what a person says is never called verified unless the document says it."""

from typing import Any

import pytest

from pincite.errors import InvalidInput
from pincite.model.call import Call
from pincite.model.schema import Path
from pincite.services.extraction.corrections import Correction, checked, has
from pincite.services.extraction.schemas import read_schema
from support.extraction import material

TEXT = "# Invoice 17\n\nTotal: 117.81 EUR\n\nPaid: no\n\n| Item | Amount |\n| --- | --- |\n| Screws | 12.50 |\n"
SCHEMA = {"total": "number", "iban": "string", "paid": "boolean", "lines": [{"item": "string", "amount": "number"}]}
DATA: dict[str, Any] = {"total": 17, "iban": None, "paid": None, "lines": [{"item": "Screws", "amount": 12}]}


def corrected(path: Path, value: str, span: tuple[int, int] | None = None) -> tuple[Any, Any]:
    correction = Correction(path, value, span)
    return checked(correction, DATA, material(TEXT).document, read_schema(SCHEMA), "", Call())


@pytest.mark.parametrize(
    ("path", "value", "right"),
    [
        (("total",), "117.81", 117.81),
        (("lines", 0, "amount"), "12.50", 12.5),
        (("lines", 0, "item"), "Screws", "Screws"),
    ],
)
def test_a_value_that_the_document_says_is_verified(path: Path, value: str, right: object) -> None:
    found, evidence = corrected(path, value)
    assert (found, evidence["status"], evidence["verified"]) == (right, "verified", True)


def test_a_picked_place_is_the_evidence() -> None:
    start = TEXT.index("Total")
    found, evidence = corrected(("total",), "117.81", (start, start + 17))
    assert (found, evidence["snippet"], evidence["raw"]) == (117.81, "Total: 117.81 EUR", "117.81")


@pytest.mark.parametrize("value", ["118.00", "about a hundred", "Total ("])
def test_a_value_that_is_not_in_the_document_is_kept_and_not_verified(value: str) -> None:
    found, evidence = corrected(("iban",), value)
    assert (found, evidence["status"], evidence["verified"]) == (value, "ungrounded", False)


def test_a_value_that_is_not_at_the_picked_place_is_not_verified() -> None:
    start = TEXT.index("Paid")
    assert not corrected(("total",), "999.00", (start, start + 8))[1]["verified"]


def test_a_value_that_the_schema_has_not_is_refused() -> None:
    for path in (("nothing",), ("lines",), ("total", 0)):
        with pytest.raises(InvalidInput, match="The schema has no value"):
            corrected(path, "1")


def test_a_path_is_known_by_its_record() -> None:
    record = {"status": "verified"}
    tree = {"a": {"b": [record]}, "c": record}
    assert has(tree, ("a", "b", 0)) and has(tree, ("c",))
    assert not any(has(tree, path) for path in (("a",), ("a", "b", 1), ("a", "x"), ("c", "status"), ("c", 0)))
