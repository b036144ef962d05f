"""Clause numbers in titles."""

import pytest

from pincite.chunking.tagging.numbers import Numbering, extend, follows

ANNEXES = ["Annex A", "A.1 General", "Appendix B"]


@pytest.mark.parametrize(
    ("title", "number", "rest"),
    [
        ("5.3.1.2 Fuel lines", "5.3.1.2", "Fuel lines"),
        ("4.  Body", "4", "Body"),
        ("1.Introduction", "1", "Introduction"),
        ("3) Terms", "3", "Terms"),
        ("Section 3.1.2 Storage", "3.1.2", "Storage"),
        ("§ 4.2 Notice", "4.2", "Notice"),
        ("§12a Duties", "12a", "Duties"),
        ("Clause 7: Marking", "7", "Marking"),
        ("Article 17 Right to erasure", "17", "Right to erasure"),
        ("Art. 5 Principles", "5", "Principles"),
        ("Annex B (informative) Guidance", "B", "(informative) Guidance"),
        ("Appendix A.  Collected ABNF", "A", "Collected ABNF"),
        ("Appendix A—Definitions", "A", "Definitions"),
        ("ANNEX II", "II", ""),
        ("Annex 3 Forms", "Annex 3", "Forms"),
        ("A.2.1 Test rigs", "A.2.1", "Test rigs"),
        ("V2.1 Password Security", "V2.1", "Password Security"),
        ("**4.1** Scope", "4.1", "Scope"),
        ("15.5.5. 404 Not Found", "15.5.5", "404 Not Found"),
    ],
)
def test_the_number_of_a_title_is_told_from_its_words(title: str, number: str, rest: str) -> None:
    titles = [*ANNEXES, "V1 Architecture", "V2 Authentication", "V3 Sessions", title]
    assert Numbering(titles).split(title) == (number, rest)


@pytest.mark.parametrize(
    "title",
    [
        "404 Not Found",
        "2019 update",
        "IPv6 addressing",
        "X.509 certificates",
        "Introduction",
        "3D printing",
        "802.1x-like",
    ],
)
def test_other_titles_that_begin_with_digits_have_none(title: str) -> None:
    assert Numbering(["IPv4 addressing", "IPv6 addressing", *ANNEXES, title]).split(title)[0] == ""


def test_a_number_with_a_letter_is_one_put_in_behind_another() -> None:
    titles = ["7.13 Variables", "7.13b Shared variables", "1.5m cables", "3d printing"]
    assert [Numbering(titles).split(title)[0] for title in titles] == ["7.13", "7.13b", "", ""]


def test_identifiers_count_once_a_document_has_a_series_of_them() -> None:
    titles = ["cES1000 Housekeeping", "cES1001 No operation", "cES1001.1 Counter"]
    assert Numbering(titles).split("cES1001.1 Counter") == ("cES1001.1", "Counter")
    assert Numbering(titles[:2]).split("cES1000 Housekeeping")[0] == ""


def test_two_identifiers_are_clauses_if_one_is_under_the_other() -> None:
    assert Numbering(["V11 Logic", "V11.1 Security"]).split("V11.1 Security")[0] == "V11.1"


def test_chapters_keep_their_word_where_articles_are_numbered_beside_them() -> None:
    law = Numbering(["Chapter 1 General", "Article 1 Aim", "Article 2 Scope"])
    assert law.split("Chapter 1 General") == ("Chapter 1", "General")
    assert Numbering(["Chapter 1 General", "Chapter 2 More"]).split("Chapter 1 General")[0] == "1"


@pytest.mark.parametrize(
    ("number", "last"),
    [
        ("4.2.1", "4.2"),
        ("4.3", "4.2"),
        ("5", "4.2.1"),
        ("4.2", "4.1.7"),
        ("A", "9.3"),
        ("B", "A.4"),
        ("1", ""),
        ("3.0", "3"),
        ("2.0", "1.0"),
        ("4.0", "3.2"),
        ("4.1", "4.0"),
    ],
)
def test_a_clause_may_be_followed_by_the_next(number: str, last: str) -> None:
    assert follows(number, last)


@pytest.mark.parametrize(
    ("number", "last"), [("7.1", "4.2"), ("4.2", "4.2"), ("3", "4"), ("2.1", ""), ("4.2.1.1", "4.2")]
)
def test_a_number_out_of_sequence_is_no_clause(number: str, last: str) -> None:
    assert not follows(number, last)


def test_the_number_of_a_row_takes_the_letters_of_its_clause() -> None:
    assert extend("2.1.3", "V2.1") == "V2.1.3"
    assert extend("2.1.3", "2.1") == "2.1.3"
    assert extend("5.1.1.2", "2.1") == ""
    assert extend("2.1.3", "") == ""
