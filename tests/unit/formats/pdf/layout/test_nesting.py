import pytest

from pincite.formats.pdf.layout.headings import Look
from pincite.formats.pdf.layout.nesting import apart_from_text, by_nesting

CHAPTER = Look(14, bold=True, italic=False, colour=0, capitals=False)
BOLD = CHAPTER._replace(size=10)
SLANTED = BOLD._replace(italic=True)
LOOKS = {"C": CHAPTER, "b": BOLD, "s": SLANTED}


def order(titles: str, ranked: str = "Cbs", *, may_change: bool = True) -> str:
    found = by_nesting([LOOKS[one] for one in ranked], [LOOKS[one] for one in titles], lambda _one, _other: may_change)
    return "".join(name for look in found for name, other in LOOKS.items() if look == other)


@pytest.mark.parametrize(("titles", "expected"), [
    ("CbsbCbsCb", "Cbs"),
    ("CsbbCsbsCs", "Csb"),
    ("CsbCsbCbsCsbb", "Csb"),
])  # fmt: skip
def test_a_look_is_above_another_whose_titles_follow_its_own_in_a_section(titles: str, expected: str) -> None:
    assert order(titles) == expected


@pytest.mark.parametrize("titles", [
    pytest.param("CsbCs", id="in one section alone"),
    pytest.param("CsCsCsCb", id="in no section with it"),
    pytest.param("CsbCsbCbsCb", id="in half of the sections"),
    pytest.param("ssbsbCb", id="before the first section"),
])  # fmt: skip
def test_titles_that_seldom_follow_those_of_another_look_are_not_below_it(titles: str) -> None:
    assert order(titles) == "Cbs"


def test_looks_of_other_sizes_and_those_with_numbers_keep_their_order() -> None:
    assert order("CsbCsb", may_change=False) == "Cbs"
    assert order("bCbCbC", ranked="bC") == "bC"


@pytest.mark.parametrize(("titles", "are_same"), [
    ("CsCbCs", True),
    ("CsCbCb", False),
    ("CsCbsCs", False),
    ("CsCssbCs", False),
])  # fmt: skip
def test_titles_alone_and_before_text_are_on_one_level_if_no_section_has_both(titles: str, *, are_same: bool) -> None:
    looks = LOOKS | {"s": BOLD._replace(run_in=True)}
    pairs = apart_from_text([looks[one] for one in "Cbs"], [looks[one] for one in titles])
    assert pairs == ({looks["s"]: BOLD} if are_same else {})
