"""Titles that tell documents apart."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from pincite.index.titles import PERIOD, TITLES, distinct_titles, with_period
from pincite.model.document import Coverage
from pincite.model.store import StoredDocument

FORM = "EXCHANGE COMMISSION"


def stored(name: str, title: str, *titles: str, period: str = "") -> StoredDocument:
    properties = {PERIOD: period, TITLES: "\n".join(titles)}
    return StoredDocument(
        1, name, f"/in/./{name}.pdf", title, None, 0, "r", "f", 1, 1, Coverage(), "", properties=properties
    )


@pytest.mark.parametrize(
    ("documents", "titles"),
    [
        ([stored("a", "A")], {"a": "A"}),
        ([stored("a", FORM, FORM, "ACME"), stored("b", FORM, FORM, "Bolt")], {"a": "ACME", "b": "Bolt"}),
        (
            [stored("a", FORM, FORM, "ACME", period="year ended May 1, 2023"), stored("b", FORM, FORM, "Bolt 2022")],
            {"a": "ACME, year ended May 1, 2023", "b": "Bolt 2022"},
        ),
        (
            [stored("a", "ACME", "ACME", period="year ended 2022-05-01"), stored("b", "ACME", "ACME", period="2023")],
            {"a": "ACME (year ended 2022-05-01)", "b": "ACME (2023)"},
        ),
        (
            [
                stored("acme-q", "ACME", "ACME", FORM, "acme-q.pdf", period="quarter ended May 1, 2023"),
                stored("acme-8k", "FORM 8-K", "FORM 8-K", "ACME", FORM, "acme-8k.pdf"),
                stored("bolt", FORM, FORM, "bolt.pdf", period="year ended May 1, 2023"),
            ],
            {
                "acme-q": "ACME, quarter ended May 1, 2023",
                "acme-8k": "ACME (acme-8k.pdf)",
                "bolt": "bolt.pdf, year ended May 1, 2023",
            },
        ),
        ([stored("w9", "Form W-9", "Form W-9", "w9.pdf")], {"w9": "Form W-9"}),
        ([stored("a", "Keys"), stored("b", "KEYS")], {"a": "Keys (a.pdf)", "b": "KEYS (b.pdf)"}),
        (
            [stored("x/a", "Keys"), replace(stored("y/a", "Keys"), source_key="/in/./y/a.pdf")],
            {"x/a": "Keys (x/a)", "y/a": "Keys (y/a)"},
        ),
    ],
    ids=["one", "passed over", "with its period", "by period", "after its file", "a form", "by file", "by id"],
)
def test_no_two_documents_have_one_title(documents: list[StoredDocument], titles: Mapping[str, str]) -> None:
    assert distinct_titles(documents) == titles


def test_a_title_has_the_period_unless_it_names_the_year() -> None:
    assert with_period("ACME", "year ended May 1, 2023") == "ACME, year ended May 1, 2023"
    assert with_period("Report 2023", "year ended May 1, 2023") == "Report 2023"
    assert with_period("ACME", "") == "ACME"
