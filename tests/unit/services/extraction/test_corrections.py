"""Corrections: what a person says is never called verified unless the document says it."""

from typing import Any

import pytest

from pincite.errors import InvalidInput
from pincite.model.call import Call
from pincite.model.schema import Path
from pincite.services.extraction.corrections import Correction, Verdict, check_path, checked, value_at, with_added
from pincite.services.extraction.corrections import corrected as as_people_have_it
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
        (("total",), "117.81 EUR", 117.81),
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


@pytest.mark.parametrize(
    ("line", "share", "value"),
    [
        ("Total: 117.81 EUR", 0.1, "117.81 EUR"),
        ("IBAN NL50INGB0683251309", 0.5, "NL50INGB0683251309"),
        ("Order number: A-7 Invoice number: B-8", 0.3, "A-7"),
        ("Order number: A-7 Invoice number: B-8", 0.9, "B-8"),
        ("Coolblue B.V.", 0.5, ""),
        ("12.50", 0.5, ""),
    ],
)
def test_of_a_picked_line_the_value_is_taken_without_its_label(line: str, share: float, value: str) -> None:
    text = f"# Invoice 17\n\nDelivered in May\n\n{line}\n\nDue date: 3 May 2026\n"
    start = text.index(line)
    document, schema = material(text).document, read_schema({"iban": "string", "total": "number"})
    assert value_at(document, schema, (start, start + len(line)), share, Call()) == value


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


def test_a_list_of_values_is_typed_with_signs_between_and_each_is_verified_alone() -> None:
    schema, found = read_schema({"items": ["string"]}), material("# Order\n\nItems: Screws, Nuts\n").document
    value, evidence = checked(Correction(("items",), "Screws; Nuts"), {"items": []}, found, schema, "", Call())
    assert (value, [one["verified"] for one in evidence["items"]]) == (["Screws", "Nuts"], [True, True])
    value, evidence = checked(Correction(("items",), "Screws; Bolts"), {"items": []}, found, schema, "", Call())
    assert value == ["Screws", "Bolts"] and not evidence["verified"]
    numbers = read_schema({"items": ["number"]})
    assert checked(Correction(("items",), "1.5; 2"), {"items": []}, found, numbers, "", Call())[0] == [1.5, 2]


@pytest.mark.parametrize(
    ("described", "text", "right"),
    [
        ("number", "1.234,50", 1234.5), ("number", "1.234", 1.234), ("number", "hello", None), ("number", "", None),
        ("integer", "12", 12), ("integer", "12.5", None), ("boolean", "yes", True), ("boolean", "maybe", None),
        ("date", "3 May 2026", "2026-05-03"), ("date", "2026-05-03", "2026-05-03"), ("date", "hello", None),
        ("quantity with unit", "230 V", "230V"), ("quantity with unit", "hello", None), ("any text", "hello", "hello"),
        (["number"], "1; two", None),
    ],
)  # fmt: skip
def test_a_correction_is_of_the_type_of_its_field_or_refused(described: Any, text: str, right: object) -> None:
    document, schema = material(TEXT).document, read_schema({"field": described})

    def kept() -> object:
        return checked(Correction(("field",), text), {"field": None}, document, schema, "", Call())[0]

    if right is not None:
        assert kept() == right
        return
    with pytest.raises(InvalidInput, match=r"field takes .*, as .*|field takes yes or no"):
        kept()


def test_of_the_values_that_a_field_may_have_one_is_kept_as_the_schema_writes_it() -> None:
    schema = read_schema({"type": "object", "properties": {"paid": {"enum": ["Yes", "No", 7]}}})
    for text, right in {"yes": "Yes", "7": 7}.items():
        assert checked(Correction(("paid",), text), {}, material(TEXT).document, schema, "", Call())[0] == right
    with pytest.raises(InvalidInput, match="paid takes one of Yes, No, 7"):
        checked(Correction(("paid",), "maybe"), {}, material(TEXT).document, schema, "", Call())


def result(**corrections: Any) -> dict[str, Any]:
    verified, absent = ({"locator": "a", "snippet": "a", "status": one} for one in ("verified", "absent"))
    data = {"total": 17, "iban": None, "lines": [{"item": "Screws"}, {"item": "Page 2"}]}
    evidence = {"total": verified, "iban": absent, "lines": [{"item": verified}, {"item": verified}]}
    return {"data": data, "evidence": evidence, "corrections": corrections}


def test_an_added_item_is_one_of_the_list_without_a_value_and_takes_corrections() -> None:
    value, evidence = corrected(("lines", 1), "")
    assert value == {"item": None, "amount": None} and evidence["item"]["status"] == "absent"
    added = {"verdict": "added", "path": ["lines", 2], "value": {"item": None}, "evidence": {"item": evidence["item"]}}
    said = result(**{"lines[2]": added})
    check_path(("lines", 2, "item"), "corrected", with_added(said)[1])
    check_path(("lines", 3), "added", with_added(said)[1])
    verified = {"locator": "a", "snippet": "Nuts", "status": "verified"}
    said["corrections"]["lines[2].item"] = {"verdict": "corrected", "value": "Nuts", "evidence": verified}
    data, tree = as_people_have_it(said)
    assert [one["item"] for one in data["lines"]] == ["Screws", "Page 2", "Nuts"]
    assert tree["lines"][2] == {"item": verified}


def test_a_list_of_which_nothing_was_found_takes_an_item() -> None:
    empty: dict[str, Any] = {
        "data": {"lines": []},
        "evidence": {"lines": {"locator": None, "snippet": None, "status": "absent"}},
    }
    check_path(("lines", 0), "added", empty["evidence"])
    added = {
        "verdict": "added",
        "path": ["lines", 0],
        "value": {"item": "a"},
        "evidence": {"item": {"status": "absent"}},
    }
    assert as_people_have_it({**empty, "corrections": {"lines[0]": added}})[0] == {"lines": [{"item": "a"}]}


def test_a_removed_item_is_left_out_and_what_nobody_knows_of_what_is_expected() -> None:
    said = result(**{"lines[1]": {"verdict": "removed"}, "total": {"verdict": "rejected"}})
    data, evidence = as_people_have_it(said)
    assert data == {"total": None, "iban": None, "lines": [{"item": "Screws"}]}
    assert evidence["total"]["status"] == "absent" and len(evidence["lines"]) == 1
    assert as_people_have_it(said, known_only=True)[0] == {"total": None, "lines": [{"item": "Screws"}]}


@pytest.mark.parametrize(
    ("path", "verdict"),
    [
        (("total", 0), "accepted"), (("lines", 5, "item"), "corrected"), (("nothing",), "accepted"),
        (("lines",), "accepted"),
        (("lines", 1, "item"), "removed"), (("lines",), "removed"), (("lines", 2), "removed"),
        (("lines", 1), "added"), (("lines", 3), "added"), (("lines", 10**9), "added"), (("none", 0), "added"),
    ],
)  # fmt: skip
def test_of_what_the_result_has_not_nothing_is_said(path: Path, verdict: Verdict) -> None:
    with pytest.raises(InvalidInput, match="The result has no"):
        check_path(path, verdict, result()["evidence"])
