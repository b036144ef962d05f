"""Clauses as people name them."""

import pytest

from pincite.model.search import Clause
from pincite.services.library.clause_names import (
    NamedClause,
    clause,
    enclosing,
    headed_clauses,
    is_headed,
    is_inherited,
    named_clause,
    named_label,
    names_title,
)

DOCUMENTS = [
    (1, "asvs-4.0.3-en Application Security Verification Standard"),
    (2, "sp800-63b Authentication"),
    (3, "en_301549v030201p"),
]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("5.3", Clause("5.3", exact=False)),
        ("§ 5.3.", Clause("5.3", exact=False)),
        ("= Section 5.3", Clause("5.3", exact=True)),
        ("clause A.2", Clause("A.2", exact=False)),
        ("annex B", Clause("B", exact=False)),
        ("V2.1", Clause("V2.1", exact=False)),
    ],
)
def test_a_filter_may_name_a_clause_as_a_text_does(written: str, expected: Clause) -> None:
    assert clause(written) == expected


@pytest.mark.parametrize(
    ("query", "number", "documents"),
    [
        ("V2.1.1", "V2.1.1", None),
        ("ASVS 2.1.1", "2.1.1", {1}),
        ("what does clause 5.1.1.2 say about passwords", "5.1.1.2", None),
        ("§ 5.1.1.2 of sp800-63b", "5.1.1.2", {2}),
        ("A.2", "A.2", None),
        ("7.13b", "7.13b", None),
        ("a.2", "a.2", None),
        ("36", "36", None),
        ("§ 7", "7", None),
        ("Article 17 of sp800-63b", "17", {2}),
        ("Annex B", "B", None),
        ("EN 301 549 5.1.2", "5.1.2", {3}),
        ("EN 301 549 5", "5", {3}),
        ("clause 5 of EN 301 549", "5", {3}),
        ("SP 800-63B 5.1.1", "5.1.1", {2}),
        ("ASVS 4.0.3 2.1.1", "2.1.1", {1}),
        ("ASVS 4.0.3 section 2.1.1", "2.1.1", {1}),
        ("ASVS 14", "14", {1}),
    ],
)
def test_a_query_names_a_clause(query: str, number: str, documents: set[int] | None) -> None:
    among = None if documents is None else frozenset(documents)
    expected = NamedClause(Clause(number, exact=True), among, alone="passwords" not in query)
    assert named_clause(query, DOCUMENTS) == expected


@pytest.mark.parametrize(
    "query",
    [
        "TLS 1.2",
        "difference between 2.1 and 2.2",
        "clause 2.1 and clause 2.2",
        "4.0 2.1",
        "windows 11",
        "passwords of 8 characters",
        "v2",
        "a.b",
        "404 errors",
    ],
)
def test_other_numbers_name_no_clause(query: str) -> None:
    assert named_clause(query, DOCUMENTS) is None


@pytest.mark.parametrize(
    ("number", "headings", "expected"),
    [
        ("II", ("Report", "PART II", "Capital Expenditures"), True),
        ("Part II", ("Report", "PART II", "Item 7", "Liquidity"), True),
        ("Part II", ("Report", "PART II"), False),
        ("5.2", ("Keys", "5 Rotation", "5.2 Emergency"), False),
        ("5.2", ("Keys", "5.2 Emergency", "Rationale"), True),
        ("5.2", ("Keys", "5.2.1 Emergency", "Rationale"), False),  # its paragraphs have the number
        ("V2.1.1", ("ASVS", "V2 Authentication", "V2.1 Passwords"), False),  # its row has the number
        ("", ("Report", "Costs"), False),
        ("3", (), False),
    ],
)
def test_a_number_may_be_that_of_an_outer_heading(number: str, headings: tuple[str, ...], *, expected: bool) -> None:
    assert is_inherited(number, headings) is expected


@pytest.mark.parametrize(
    ("query", "title", "names"),
    [
        ("what changed in version 4.1.0?", "Version 4.1.0", True),
        ("what changed in version 4.1.0?", "Version 4.1", False),
        ("which rules came with version 4.1.0 for python packages", "Version 4.1.0", True),
        ("vote counting", "Vote Counting", True),
        ("how does vote counting work", "Vote counting", True),
        ("quorum", "Quorum", True),
        ("what are the general rules for the removal of keys", "General rules", False),
        ("who counts the quorum", "Quorum", False),
        ("counting vote", "Vote Counting", False),
        ("anything", "", False),
    ],
)
def test_a_query_may_ask_for_a_section_by_its_title(query: str, title: str, *, names: bool) -> None:
    assert names_title(query, title) is names


@pytest.mark.parametrize(
    ("query", "clauses"),
    [
        ("3.1 Claims", {"3.1": ["claims"]}),
        ("3.1. Claims of 3", {"3.1": ["claims", "of", "3"], "3": ["3", "1", "claims", "of"]}),
        ("A.2 Credential\nSubject", {"A.2": ["credential", "subject"]}),
        ("ASVS §2.1.1 Length", {"2.1.1": ["asvs", "length"]}),
        ("RFC 9113 section 6 Frames", {"6": ["rfc", "9113", "frames"]}),
        ("claims of 3.1Claims", {}),
        ("3.1", {}),
        ("2024 report", {}),
        ("Validation", {}),
    ],
)
def test_a_query_may_name_a_clause_by_number_and_heading(query: str, clauses: dict[str, list[str]]) -> None:
    without_of = {number: [word for word in words if word != "of"] for number, words in clauses.items()}
    assert {clause.number: [*words] for clause, words in headed_clauses(query)} == without_of


def test_a_clause_is_headed_by_the_words_of_one_of_its_headings_and_of_its_document() -> None:
    headings = ("Data model", "A.2. Credential Subject")
    assert is_headed(headings, ["credential", "subject"], "") and is_headed(headings, ["subject"], "")
    assert is_headed(headings, ["nist", "800", "63b", "subject"], "NIST SP 800-63B sp800-63b.md")
    assert not is_headed(headings, ["data", "subject"], "") and not is_headed(headings, ["2"], "sp800-63b.md")
    assert not is_headed(headings, ["nist", "800"], "NIST SP 800-63B")


def test_a_clause_is_in_the_one_of_the_shorter_number() -> None:
    assert enclosing(Clause("5.2.2", exact=True)) == Clause("5.2", exact=True)
    assert enclosing(Clause("5.2", exact=True)) is None


@pytest.mark.parametrize("query", ["REQ-12", "What is REQ-12?", "[req-12]", "requirement REQ-12"])
def test_a_query_may_be_the_label_of_a_requirement(query: str) -> None:
    label = named_label(query)
    assert label is not None and label.search("| REQ-12 | The pump shall be red. |")
    assert not label.search("REQ-12.1, REQ-120 and X-REQ-12")


@pytest.mark.parametrize("query", ["REQ-12 and REQ-13", "the pump", "12", "pump REQ-12"])
def test_other_queries_are_no_label(query: str) -> None:
    assert named_label(query) is None
