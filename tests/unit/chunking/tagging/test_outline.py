"""The clauses of a document."""

from pathlib import Path

from pincite.chunking.tagging.outline import Outline, outline
from pincite.chunking.tagging.topics import Topic
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.registry import FORMATS

NUMBERED = "# 1 Scope\n\nText.\n\n# 2 Terms and definitions\n\nText.\n\n# 3 Body\n\nText.\n\n"


def read(text: str, name: str = "a.md") -> Outline:
    row = next(row for row in FORMATS if Path(name).suffix in row.extensions)
    return outline(read_document(row, Blob(name, text.encode()), ReadOptions(), Call()), Call())


def scopes(text: str, name: str = "a.md") -> list[tuple[str, str, bool]]:
    return [(scope.clause, scope.title, scope.binding) for scope in read(text, name).scopes]


def test_a_heading_without_a_number_keeps_that_of_the_clause_around_it() -> None:
    text = NUMBERED + "## 3.1 Doors\n\nText.\n\n### Locks\n\nText.\n\n# Index\n\nText.\n"
    assert [scope.clause for scope in read(text).scopes] == ["1", "2", "3", "3.1", "3.1", ""]


def test_a_number_of_its_own_is_before_that_of_the_heading_above() -> None:
    text = NUMBERED + "# Annex A\n\n## A.1 General\n\nText.\n\n## A.2 Two\n\nText.\n"
    assert [scope.clause for scope in read(text).scopes[-3:]] == ["A", "A.1", "A.2"]


def test_informative_annexes_are_inherited_by_number_whatever_the_levels_say() -> None:
    text = NUMBERED + "# Annex I Notes (informative)\n\n# I.1 More\n\nText.\n\n# I.2 Limits (normative)\n\nText.\n"
    assert [scope[2] for scope in scopes(text)[-3:]] == [False, False, True]
    assert all(scope.annex for scope in read(text).scopes[-3:])


def test_a_clause_whose_number_is_under_none_is_in_the_section_around_it() -> None:
    text = "# Chapter 1. Scope\n\nText.\n\n# Section 3 of the Act\n\nText.\n\n"
    text += "# Chapter 2. Examples of use\n\n## 2.1 Sending\n\nText.\n"
    assert scopes(text)[-2:] == [("Chapter 2", "Examples of use", False), ("2.1", "Sending", False)]


def test_chapters_of_a_policy_may_be_numbered_from_one_point_zero() -> None:
    titles = ("1.0 Purpose", "2.0 Rules", "2.1 Keys", "3.0 Enforcement")
    text = "Key Policy\n\n" + "".join(f"{title}\n\nKeys shall be locked.\n\n" for title in titles)
    assert [(clause, binding) for clause, _, binding in scopes(text)] == [
        ("", False),
        *((title.partition(" ")[0], True) for title in titles),
    ]


def test_a_section_says_of_itself_that_it_is_informative_or_not() -> None:
    text = (
        "## 4 Model\n\n*This section is informative.*\n\nText.\n\n"
        "### 4.1 Roles\n\nText.\n\n### 4.2 Duties\n\n_This section is normative._\n"
    )
    assert scopes(text) == [("4", "Model", False), ("4.1", "Roles", False), ("4.2", "Duties", True)]


def test_a_sentence_says_it_for_sections() -> None:
    assert [scope[2] for scope in scopes(NUMBERED + "Clauses 1 and 3 are informative.\n")] == [False, True, False]


def test_an_entry_of_the_contents_has_no_number() -> None:
    entries = "# Contents\n\n### 1 About doors 3\n\n1.1 Scope . . . 3\n\n### 2 CONTENTS\n\n### Index 9\n\n"
    text = f"{entries}# 1 About doors\n\nText.\n\n## 1.1 Scope\n\nText.\n\n# 2 Level 2\n\nText.\n"
    found = read(text).scopes
    assert [scope.clause for scope in found] == ["", "", "", "", "1", "1.1", "2"]
    assert [scope.topic for scope in found[:5]] == [Topic.CONTENTS] * 4 + [Topic.BODY]


def test_clauses_under_a_heading_of_contents_keep_their_numbers() -> None:
    text = "# Contents\n\n## 1 Doors\n\nText.\n\n## 2 Level 2\n\nText.\n\n## 3 Walls\n\nText.\n"
    assert [scope.clause for scope in read(text).scopes] == ["", "1", "2", "3"]


def test_front_and_back_matter_binds_nobody() -> None:
    text = (
        "# Notices\n\nText.\n\n# Cover\n\nText.\n\n"
        + NUMBERED
        + "# References\n\nText.\n\n# Acknowledgements\n\nText.\n"
    )
    found = read(text).scopes
    assert [scope.topic for scope in found] == [
        Topic.FRONT, Topic.FRONT, Topic.OVERVIEW, Topic.TERMS, Topic.BODY, Topic.REFERENCES, Topic.BACK,
    ]  # fmt: skip
    assert [scope.binding for scope in found] == [False, False, True, True, True, False, False]


def test_the_title_of_the_document_is_no_front_matter() -> None:
    assert scopes("# Rules\n\nAll shall obey.\n\n## 1 A\n\nx\n\n## 2 B\n\nx\n\n## 3 C\n\nx\n")[0] == ("", "Rules", True)


def test_few_numbers_late_in_a_document_make_no_front_matter_of_what_is_before_them() -> None:
    text = "".join(f"# {name}\n\nDoors shall close.\n\n" for name in ("Doors", "Locks", "Walls", "Roofs"))
    found = read(text + NUMBERED).scopes
    assert [scope.binding for scope in found] == [True] * 7


def test_a_clause_named_after_back_matter_specifies_something() -> None:
    text = NUMBERED + "## 3.1 Acknowledgements\n\nThe element shall occur once.\n"
    assert scopes(text)[-1] == ("3.1", "Acknowledgements", True)


def test_the_changes_that_an_annex_lists_bind_nobody() -> None:
    text = (
        NUMBERED + "## 3.1 Changes to sources\n\nx\n\n# A. News\n\nx\n\n## A.1 Changes since 2020\n\nIt must be blue.\n"
    )
    assert scopes(text)[-3] == ("3.1", "Changes to sources", True)
    assert scopes(text)[-1] == ("A.1", "Changes since 2020", False)


def test_a_document_without_numbers_binds_throughout() -> None:
    assert scopes("Staff shall lock doors.\n\n# Visitors\n\nThey must sign.\n") == [
        ("", "", True),
        ("", "Visitors", True),
    ]


def test_plain_text_has_clauses_where_paragraphs_look_like_titles() -> None:
    text = (
        "Network Working Group                         A. Author\n\nAbstract\n\n   This must be read.\n\n"
        "Table of Contents\n\n   1.  Introduction\n   2.  Body\n\n"
        "1.  Introduction\n\n   A client MUST wait:\n\n   1.  this\n\n   2.  that\n\n"
        "1.1.  Terms\n\n   Key:  A thing.\n\n2.  Body\n\n   A server MUST answer.\n\n"
        "Appendix A.  Detecting\n\n   Text.\n\n"
        "Authors' Addresses\n\n   They must write.\n"
    )
    found = [(scope.clause, scope.title, scope.binding) for scope in read(text, "a.txt").scopes]
    assert found == [
        ("", "", False), ("", "Abstract", False), ("", "Table of Contents", False), ("1", "Introduction", True),
        ("1.1", "Terms", True), ("2", "Body", True), ("A", "Detecting", True), ("", "Authors' Addresses", False),
    ]  # fmt: skip


def test_a_paragraph_may_have_a_clause_number_of_its_own() -> None:
    text = NUMBERED + "3.1 The door shall open.\n\nIt shall close.\n\n3.2 The lock shall hold.\n\n7.4 is cited here.\n"
    found = read(text)
    assert [scope.clause for scope in found.scopes[3:]] == ["3.1", "3.2"]
    assert found.at(text.index("It shall close")).clause == "3.1"
    assert "3.2" in found.clauses


def test_a_list_of_sub_sections_is_none() -> None:
    text = NUMBERED + "3.1 Doors\n\n3.2 Locks\n\n## 3.1 Doors\n\nText.\n\n## 3.2 Locks\n\nText.\n"
    assert [scope.clause for scope in read(text).scopes] == ["1", "2", "3", "3.1", "3.2"]


def test_the_number_of_a_chapter_may_be_in_the_line_above_its_title() -> None:
    text = (
        "# Introduction\n\nText.\n\n## 1.1 Scope\n\nText.\nChapter 2\n\n# Frames\n\nText.\n\n## 2.1 Head\n\nText.\n\n"
    )
    text += "Appendix A\n\n# VP3\n\nText.\n\n## A.1 Names\n\nText.\n\nSee chapter 4\n\n# Colophon\n\nText.\n"
    assert [(scope.clause, scope.title, scope.annex) for scope in read(text).scopes if scope.title] == [
        ("", "Introduction", False),
        ("1.1", "Scope", False),
        ("2", "Frames", False),
        ("2.1", "Head", False),
        ("A", "VP3", True),
        ("A.1", "Names", True),
        ("", "Colophon", False),
    ]
