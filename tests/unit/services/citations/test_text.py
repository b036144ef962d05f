"""Citations that a person pastes into a report."""

import pytest

from pincite.services.citations.text import citation_text


def test_it_names_title_clause_section_and_pages() -> None:
    assert citation_text("ASVS 4.0.3", "2.1.3", "V2.1 Password Security", (21,)) == (
        "ASVS 4.0.3, clause 2.1.3, V2.1 Password Security, p. 21"
    )


def test_of_several_sections_it_names_the_first_and_the_last() -> None:
    assert citation_text("Guide", "5.3", "5.3 Locks", (12,), "5.5", "5.5 Keys") == (
        "Guide, clause 5.3–5.5, Locks – Keys, p. 12"
    )
    assert citation_text("Guide", "", "Locks", (), "", "Keys") == "Guide, Locks – Keys"
    assert citation_text("Guide", "5.3", "5.3 Locks", (), "5.3", "") == "Guide, clause 5.3, Locks"


def test_what_is_not_known_is_left_out() -> None:
    assert citation_text("Guide", "", "", ()) == "Guide"
    assert citation_text("Guide", "", "Guide", ()) == "Guide"


@pytest.mark.parametrize(
    ("section", "shown"),
    [
        ("5.3 Keys", "G, clause 5.3, Keys"),
        ("5.3. Keys", "G, clause 5.3, Keys"),
        ("5.3.1 Keys", "G, clause 5.3, 5.3.1 Keys"),
        ("5.30 Keys", "G, clause 5.3, 5.30 Keys"),
        ("5.3", "G, clause 5.3"),
        ("Keys", "G, clause 5.3, Keys"),
        ("Section 5.3. Keys", "G, clause 5.3, Keys"),
        ("Section 5.31 Keys", "G, clause 5.3, Section 5.31 Keys"),
    ],
)
def test_a_clause_number_is_named_once(section: str, shown: str) -> None:
    assert citation_text("G", "5.3", section, ()) == shown


@pytest.mark.parametrize(
    ("pages", "shown"),
    [((4, 3), "G, pp. 3–4"), ((3, 7, 8, 8), "G, pp. 3, 7–8"), ((9,), "G, p. 9")],
)
def test_neighbouring_pages_are_a_range(pages: tuple[int, ...], shown: str) -> None:
    assert citation_text("G", "", "", pages) == shown
