import pytest

from pincite.formats.pdf.page.markers import (
    is_bracketed,
    is_bullet,
    is_caption,
    is_field,
    is_label,
    is_note_label,
    is_rule,
    last_number,
    leader_page,
    section_depth,
    section_number,
    without_section_number,
)


def test_a_number_behind_its_word_may_have_a_letter() -> None:
    texts = ["Item 1A. Risk Factors", "Item 7A—Rates", "Item 1—Business", "Section 4a Fees", "3M Company", "1—Sales"]
    assert [section_number(text) for text in texts] == ["1A", "7A", "1", "4a", "", ""]


def test_the_depth_of_a_section_number() -> None:
    texts = (
        "1 Scope",
        "1.2 Terms",
        "A.1.2 Note",
        "Item 1A. Risk",
        "PART II Foo",
        "II. Foo",
        "Scope",
        "A house",
        "2022",
        "XXI.3.3 Notes",
    )
    assert [section_depth(text) for text in texts] == [1, 2, 3, 1, 0, 1, 0, 0, 0, 3]


def test_marks_of_items() -> None:
    assert all(map(is_bullet, "•▪–\uf0b7\ufffd"))
    assert all(map(is_label, ("1.", "[12]", "(a)", "iv)", "12)", "2.1", "(3)")))
    assert not any(map(is_label, ("2022.", "word", "(see", "and.")))
    assert is_rule("__________") and not is_rule("____")


def test_page_numbers_at_the_end_of_entries() -> None:
    assert [leader_page(text) for text in ("Scope ..... 12", "Scope . . . . . iv", "Scope ... 12")] == ["12", "iv", ""]
    assert [last_number(text) for text in ("Scope 12", "12 13", "Scope")] == [12, None, None]


def test_a_title_without_its_number() -> None:
    texts = ("5.4 F1", "Annex A.1 Terms", "Scope", "2 x + y", "2.1", "4.31.2 eta")
    assert [without_section_number(text) for text in texts] == ["F1", "Terms", "Scope", "2 x + y", "2.1", "eta"]
    assert [without_section_number(text) for text in ("§ 4 Scope", "1 שנה", "1 2")] == ["Scope", "שנה", "1 2"]


def test_labels_of_notes() -> None:
    assert all(map(is_note_label, ("Note", "WARNING:", "Achtung!", "Nota bene", "注意")))
    assert not any(map(is_note_label, ("Notes", "Note 1", "Warning signs", "Tips")))


def test_captions_have_the_number_of_their_table_or_figure() -> None:
    captions = (
        "Table 6.1: Size of the market",
        "Figure 2.—Among graduates",
        "Fig. 3",
        "TABLE A-1. Coverage",
        "Abb. 4a Aufbau",
        "Cuadro 3 Aprobación",
        "Quadro 2. Taxas",
        "Afbeelding 7: Bos",
        "Рисунок 4 — Схема",
    )
    assert all(
        map(
            is_caption,
            (*captions, "Source: Eurostat", "Note: rounded", "Table: 5 Outlay", "Quellen: Destatis", "TABLE. Rates"),
        )
    )
    titles = (
        "Table of contents",
        "Table service",
        "Figures",
        "Sources",
        "Note 5: Leases",
        "Map reading",
        "Table 5th Avenue",
    )
    assert not any(map(is_caption, titles))


def test_a_text_is_in_brackets_as_a_whole() -> None:
    assert is_bracketed("(in millions)")
    assert not is_bracketed("Scope (old)") and not is_bracketed("(a) Scope")


@pytest.mark.parametrize("text", ["Due date:", "Due date: 12 May 2026", "Zahlungstyp (codiert): 58", "Käufer: X"])
def test_a_field_begins_with_a_label(text: str) -> None:
    assert is_field(text)


@pytest.mark.parametrize(
    "text",
    [
        "and load. Define: x",
        "Spread and load. Define: x",
        "Systems]: Process",
        "in: Proceedings",
        "At 12:30",
        "f = x: y",
    ],
)
def test_other_lines_with_a_colon_are_no_fields(text: str) -> None:
    assert not is_field(text)
