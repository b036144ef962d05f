import pytest

from pincite.formats.text import _PARAGRAPH  # pyright: ignore[reportPrivateUsage]
from pincite.formats.text_headings import headings, title


def paragraphs(text: str) -> list[tuple[int, int]]:
    return [(found.start(), found.start() + len(found[0].rstrip())) for found in _PARAGRAPH.finditer(text)]


def outline(text: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in headings(text, paragraphs(text))]


SPHINX = """10. Upgrading checklist
***********************

10.1. About the checklist
=========================

The list below.

10.2. Version 4.6.2
===================

3.8
   Essential packages are only required to do this.

6.5 & 6.6
   The new version is provided.
"""


def test_underlined_lines_are_headings_by_the_kind_of_their_line() -> None:
    assert outline(SPHINX) == [
        (1, "10. Upgrading checklist"),
        (2, "10.1. About the checklist"),
        (2, "10.2. Version 4.6.2"),
    ]
    assert title(SPHINX, paragraphs(SPHINX), headings(SPHINX, paragraphs(SPHINX))) == "10. Upgrading checklist"


def test_a_line_above_and_below_is_another_kind() -> None:
    assert outline("=====\nRules\n=====\n\nText.\n\nScope\n=====\nText.\n") == [(1, "Rules"), (2, "Scope")]


def test_a_title_between_two_lines_may_be_indented() -> None:
    text = (
        "*************************\n   What's new:  doors\n*************************\n\nText.\n\nGates\n=====\nText.\n"
    )
    assert outline(text) == [(1, "What's new: doors"), (2, "Gates")]


ASCIIDOC = """Doors
=====
:toc:

Text.

[preface]
[[gates]]
[preface]
== [[gate]]Gates

----
$ open
----

=== Locks ===

== Windows
Text, and a == b.
"""


def test_lines_of_asciidoc_are_headings_below_their_labels() -> None:
    assert outline(ASCIIDOC) == [(1, "Doors"), (2, "Gates"), (3, "Locks"), (2, "Windows")]


@pytest.mark.parametrize("text", ["[[req_links]]\n\nSome text.\n", "//Old\n\nText.\n", "[NOTE]\n====\nText.\n====\n"])
def test_a_label_or_a_comment_of_asciidoc_is_no_title_of_the_document(text: str) -> None:
    assert title(text, paragraphs(text), []) is None


def test_the_attributes_of_a_listing_in_asciidoc_are_no_title_above_its_hyphens() -> None:
    listing = "[source,java]\n----\nopen();\n----\n\n"
    assert outline(f"= Doors\n\n== Gates\n\n{3 * listing}") == [(1, "Doors"), (2, "Gates")]


@pytest.mark.parametrize("mark", "=~*^\"#+`':._<>-")
def test_a_line_of_any_mark_underlines_a_title_of_its_length(mark: str) -> None:
    assert outline(f"Doors\n{5 * mark}\n\nText.\n") == [(1, "Doors")]
    assert (outline(f"Doors\n{4 * mark}\n\nText.\n") == []) == (mark in "`':._<>")


def test_the_number_of_a_version_is_a_title_and_an_amount_is_none() -> None:
    assert outline("5.2.6\n=====\n:date: 2022\n\n5.2\n===\n\nText.\n") == [(1, "5.2.6"), (1, "5.2")]
    assert outline("12.50\n-----\n24.50\n") == []


def test_a_line_as_wide_as_the_page_underlines_and_frames_titles() -> None:
    wide = 72 * "="
    assert outline(f"{wide}\n  Doors\n{wide}\n\ngates: two of them\n{wide}\n\nText.\n") == [
        (1, "Doors"),
        (2, "gates: two of them"),
    ]
    assert outline(f"Text above a ruler\n{wide}\nand below.\n") == []


def test_names_in_titles_are_without_the_marks_of_restructuredtext() -> None:
    text = ":mod:`shutil` and ``--all``\n==========================\n\n:ref:`Doors <d1>`\n-----------------\n\nText.\n"
    assert outline(text) == [(1, "shutil and --all"), (2, "Doors")]


@pytest.mark.parametrize(
    "text",
    [
        "Name      Value\n---------------\na         1\n",
        "| a |\n-----\n",
        "Text above a ruler.\n------------------------------------------------------------------------\n",
        "---\na: b\n---\n",
        "=====\n-----\n",
        "=====\nName\n=====\na\nb\n=====\n",
        "-------------\ngit switch -c\n-------------\n",
    ],
)
def test_heads_of_tables_rulers_and_front_matter_are_no_headings(text: str) -> None:
    assert outline(text) == []


RFC = """Internet Engineering Task Force (IETF)                   A. Author, Ed.
Request for Comments: 1                                             ACME


                    Signatures of
                      Messages

Date: 2020-07-27

Abstract

   This document says how.  It is short,
   and it has contents.

Table of Contents

   1.  Introduction
     1.1.  Terms
   2.  Rules

1.  Introduction

   Text of one line and
   of another.

1.1.  Terms and a Title That Is Continued on
      the Next Line

   Text.

2.  Rules

   1. Do this

   2. Do that

2.1.  Void

2.2.  More

   Text of one line and
   of another.

Author's Address

   A. Author
"""


def test_numbered_titles_and_what_is_as_far_left_are_headings_of_an_rfc() -> None:
    assert outline(RFC) == [
        (1, "Abstract"),
        (1, "Table of Contents"),
        (1, "1. Introduction"),
        (2, "1.1. Terms and a Title That Is Continued on the Next Line"),
        (1, "2. Rules"),
        (2, "2.1. Void"),
        (2, "2.2. More"),
        (1, "Author's Address"),
    ]
    assert title(RFC, paragraphs(RFC), headings(RFC, paragraphs(RFC))) == "Signatures of Messages"


BYLAWS = """                   Constitution of the Project (v1.9)

1. Introduction

   The project is an association.

2. Bodies

   Decisions are made by:
    1. The developers, by resolution;

  2.1. General rules

    1. Nothing in this constitution imposes an obligation on anyone

    2. A person may hold several posts

A. Procedure

  A.0. Proposal

   Text.
"""


def test_items_do_not_continue_the_numbers_of_sections() -> None:
    assert outline(BYLAWS) == [
        (1, "1. Introduction"),
        (1, "2. Bodies"),
        (2, "2.1. General rules"),
        (1, "A. Procedure"),
        (2, "A.0. Proposal"),
    ]
    found = headings(BYLAWS, paragraphs(BYLAWS))
    assert title(BYLAWS, paragraphs(BYLAWS), found) == "Constitution of the Project (v1.9)"


def test_contents_whose_entries_are_paragraphs_are_no_headings() -> None:
    contents = "1. About\n\n2. Packaging\n\n        2.1. Versions\n\n        2.2. Package\n\n3. Use"
    body = "Chapter 1. About\n\nText.\n\n              Chapter 2. Packaging\n\n2.1. Versions\n\n2.2. Package\n\n"
    text = f"{contents}\n\nText.\n\n{body}2.1. Versions\n\nText.\n\n2.2. Package\n\nText.\n\nChapter 3. Use\n\nText.\n"
    assert outline(text) == [
        (1, "Chapter 1. About"),
        (1, "Chapter 2. Packaging"),
        (2, "2.1. Versions"),
        (2, "2.2. Package"),
        (1, "Chapter 3. Use"),
    ]


def test_a_chapter_on_its_own_begins_with_its_number() -> None:
    text = "              9   Tasks\n\n1   A task is.\n\n9.1 Units\n\n10  Over time,\n\n9.2 Bodies\n\n1 Examples:\n"
    assert outline(text) == [(1, "9 Tasks"), (2, "9.1 Units"), (2, "9.2 Bodies")]


@pytest.mark.parametrize(
    "text",
    [
        "1. Install\n\n2. Run\n\nText.\n",
        "1. Open the door.\n\n2. Close it.\n\n3. Lock it.\n",
        "1990 Report\n\nText\n\n2024 Report\n",
        "Text.\n\nA. Encodings\n\nText.\n",
        "12 men\n\n14 women\n\n15 children\n",
    ],
)
def test_items_and_amounts_are_no_headings(text: str) -> None:
    assert outline(text) == []
