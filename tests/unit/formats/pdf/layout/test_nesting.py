import pytest

from pincite.formats.pdf.layout.headings import Look
from pincite.formats.pdf.layout.nesting import apart_from_text

CHAPTER = Look(14, bold=True, italic=False, colour=0, capitals=False)
BOLD = CHAPTER._replace(size=10)
LOOKS = {"C": CHAPTER, "b": BOLD, "s": BOLD._replace(run_in=True)}


@pytest.mark.parametrize(("titles", "are_same"), [
    ("CsCbCs", True),
    ("CsCbCb", False),
    ("CsCbsCs", False),
    ("CsCssbCs", False),
])  # fmt: skip
def test_titles_alone_and_before_text_are_on_one_level_if_no_section_has_both(titles: str, *, are_same: bool) -> None:
    pairs = apart_from_text([LOOKS[look] for look in "Cbs"], [LOOKS[look] for look in titles])
    assert pairs == ({LOOKS["s"]: BOLD} if are_same else {})
