"""A comparative figure with a true quote is no value of the period that the field or its record names."""

from collections.abc import Mapping
from typing import Any

import pytest

from pincite.evidence.claims import ClaimVerifier
from pincite.model.call import Call
from pincite.model.extraction import Answer, Citation
from pincite.model.schema import Leaf, Path
from pincite.services.extraction.grounding import Grounded, ground
from pincite.services.extraction.periods import answered_years, period_of
from pincite.services.extraction.schemas import read_schema
from support.extraction import material

REPORT = """\
# Annual report, fiscal year 2024

|  | FY 2024 | FY 2023 |
| --- | --- | --- |
| Revenue | 18,420 | 21,077 |
| Ships | 4 | 5 |

Employees: 214 (2023: 231)

Founded in 1987.
"""
VERIFIER = ClaimVerifier(material(REPORT))
YEAR = Citation("h1-c1", "fiscal year 2024")
LATER, EARLIER = Citation("h1-t1", "Revenue | 18,420"), Citation("h1-t1", "Revenue | 18,420 | 21,077")


def grounded(schema: Mapping[str, Any], data: Mapping[str, Any], citations: Mapping[Path, Citation]) -> Grounded:
    return ground(Answer(data, citations), read_schema(schema), VERIFIER, Call())


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("revenue_2024", 18420, True),
        ("revenue_2024", 21077, False),
        ("revenueFY23", 21077, True),
        ("revenue_2022", 21077, False),
        ("revenue", 21077, True),
    ],
)
def test_a_year_in_a_fields_name_is_that_of_its_column(name: str, value: int, kept: bool) -> None:
    result = grounded({name: "number"}, {name: value}, {(name,): EARLIER})
    assert result.data == {name: value if kept else None}
    assert (result.evidence[name]["status"] == "conflict") is not kept


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [("revenue", 18420, True), ("revenue", 21077, False), ("prior_year_revenue", 21077, True)],
)
def test_the_year_that_the_answer_names_is_that_of_its_figures(name: str, value: int, kept: bool) -> None:
    schema = {"fiscal_year": "integer", "figures": {name: "number"}}
    citations: dict[Path, Citation] = {("fiscal_year",): YEAR, ("figures", name): EARLIER}
    result = grounded(schema, {"fiscal_year": 2024, "figures": {name: value}}, citations)
    assert result.data == {"fiscal_year": 2024, "figures": {name: value if kept else None}}
    reasons = [one["reason"] for one in result.evidence["figures"][name].get("candidates", [])]
    assert reasons == ([] if kept else ["the value is of 2023, and the field of 2024"])


def test_a_year_that_the_document_does_not_have_names_no_period() -> None:
    citations: dict[Path, Citation] = {("fiscal_year",): Citation("h1-c1", "fiscal year 2021"), ("revenue",): EARLIER}
    result = grounded(
        {"fiscal_year": "integer", "revenue": "number"}, {"fiscal_year": 2021, "revenue": 21077}, citations
    )
    assert result.data == {"fiscal_year": None, "revenue": 21077}


def test_records_of_a_list_are_of_their_own_years() -> None:
    schema = {"fiscal_year": "integer", "history": [{"year": "integer", "revenue": "number"}]}
    data = {"fiscal_year": 2024, "history": [{"year": 2024, "revenue": 18420}, {"year": 2023, "revenue": 21077}]}
    citations: dict[Path, Citation] = {("fiscal_year",): YEAR}
    for number, year in enumerate((2024, 2023)):
        citations["history", number, "year"] = Citation("h1-t1", f"FY {year}")
        citations["history", number, "revenue"] = EARLIER
    result = grounded(schema, data, citations)
    assert [one["revenue"] for one in result.data["history"]] == [18420, 21077]


def test_a_year_before_a_figure_in_text_is_its_year() -> None:
    quote = Citation("h1-c2", "Employees: 214 (2023: 231)")
    schema = {"fiscal_year": "integer", "employees": "integer"}
    for value, kept in ((214, True), (231, False)):
        found = grounded(
            schema, {"fiscal_year": 2024, "employees": value}, {("fiscal_year",): YEAR, ("employees",): quote}
        )
        assert found.data["employees"] == (value if kept else None)


def test_what_a_table_does_not_distinguish_by_year_is_of_any() -> None:
    described = Leaf(description="revenue, as ISO 2020 defines it")
    assert period_of(("revenue",), described, {}).years == {"2020"}
    assert grounded({"revenue": described.description}, {"revenue": "21,077"}, {("revenue",): EARLIER}).data == {
        "revenue": "21,077"
    }
    assert answered_years({"year": 1987}, {("year",): Citation("h1-c2", "Founded in 1987.")}, VERIFIER, Call()) == {
        (): {"1987"}
    }
