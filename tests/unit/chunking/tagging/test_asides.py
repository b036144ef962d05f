"""Notes, examples and captions."""

import pytest

from pincite.chunking.tagging.asides import aside, caption, inner_aside, is_marker


@pytest.mark.parametrize(
    "text",
    [
        "NOTE 1 The pump must be primed.",
        "NOTE: Both shall be read.",
        "Note 1 to entry: A valve shall be counted once.",
        "**Note:** you must not do this.",
        "> Note — see the annex.",
        "*Rationale*: The ground must know.",
        "Rationale: it must be known.",
        "Non-normative comment:",
        "Editor's note: this must be resolved.",
        "Discussion: the tester must decide.",
        "Informative note: users must beware.",
        "Non-normative: the tank must be warm.",
    ],
)
def test_notes_and_rationale_are_guidance(text: str) -> None:
    assert aside(text) == "guidance"


@pytest.mark.parametrize("text", ["EXAMPLE 2 A client must wait.", "Example: `x`", "For example:\n", "Examples:"])
def test_examples_are_examples(text: str) -> None:
    assert aside(text) == "example"


@pytest.mark.parametrize(
    "text",
    [
        "Notes shall be kept for two years.",
        "Note that the server shall answer.",
        "NOTE THAT the valve must be open.",
        "Examples of suitable functions are listed.",
        "Comments must be ignored.",
        "The note shall be attached.",
    ],
)
def test_sentences_about_notes_are_none(text: str) -> None:
    assert aside(text) == ""


def test_a_marker_alone_announces_the_next_paragraph() -> None:
    assert is_marker("Note") and is_marker("Non-normative comment:") and is_marker("**Example 3**")
    assert not is_marker("Note that this is so")


def test_a_rationale_within_a_row_ends_the_requirement() -> None:
    row = "| The pump shall start. Rationale: it must be fast. | Yes |"
    assert row[: inner_aside(row, 0, len(row))] == "| The pump shall start. "
    assert inner_aside("The footnote: none", 0, 18) == 18
    assert inner_aside("It shall run. (Note: it must be oiled.)", 0, 39) == 14


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Figure 2-1 System context", "figure"),
        ("Fig. 3: Flow", "figure"),
        ("**Figure A.1 — Rig**", "figure"),
        ("![A diagram](img/a.png)", "figure"),
        ("**Table 2 — Metadata**", "table"),
        ("Table B-4. Limits", "table"),
        ("Figure 2-1 illustrates the context.", ""),
        ("Table 3 lists the limits.", ""),
        ("Figure 1 is a figure. " + "It is long. " * 40, ""),
    ],
)
def test_captions(text: str, kind: str) -> None:
    assert caption(text) == kind


def test_the_title_of_a_note_announces_its_text() -> None:
    assert is_marker("Note: On pumps") and is_marker("NOTE 2 — Valves and pumps")
    assert not is_marker("Note: It must be done.")


def test_a_long_line_that_begins_as_a_note_is_told_at_once() -> None:
    assert not is_marker("Note: " + "a" * 50 + "!!")
