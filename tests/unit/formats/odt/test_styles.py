import pytest
from lxml import etree

from pincite.formats.odt.styles import BACKGROUND_COLOUR, Styles
from pincite.model.document import BlockKind
from support.archives import opendocument


def styles(*definitions: str) -> Styles:
    return Styles([etree.fromstring(opendocument("".join(definitions)).encode())])


def style(name: str, parent: str = "", properties: str = "", family: str = "paragraph", more: str = "") -> str:
    return (
        f'<style:style style:name="{name}" style:family="{family}" style:parent-style-name="{parent}" {more}>'
        f"<style:text-properties {properties}/></style:style>"
    )


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("P1", BlockKind.CODE),
        ("P_code", BlockKind.CODE),
        ("My_20_Listing_20_2", BlockKind.CODE),
        ("Postcode_20_field", BlockKind.PARAGRAPH),
        ("Quotations", BlockKind.QUOTE),
        ("P2", BlockKind.HEADING),
        ("Text_20_body", BlockKind.PARAGRAPH),
        ("", BlockKind.PARAGRAPH),
    ],
)
def test_the_names_of_a_style_and_its_parents_tell_what_it_makes(name: str, kind: BlockKind) -> None:
    known = styles(style("P1", "Preformatted_20_Text"), style("P2", "Title"), style("Text_20_body", "Standard"))
    assert known.kind(name) is kind


def test_captions_and_lists_are_known_through_parents() -> None:
    known = styles(style("P1", "Table"), style("Table", "Caption"), style("N", more='style:list-style-name="L1"'))
    assert known.is_caption("P1") and not known.is_caption("N")
    assert (known.list_style("N"), known.list_style("P1")) == ("L1", "")


def test_raised_and_lowered_text_is_known() -> None:
    known = styles(
        *(
            style(name, "", f'style:text-position="{position}"', "text")
            for name, position in (("a", "super 58%"), ("b", "-33% 58%"), ("c", "0% 100%"))
        )
    )
    assert [known.script(name) for name in "abcd"] == ["super", "sub", "", ""]


@pytest.mark.parametrize(
    ("properties", "reason"),
    [
        ('text:display="none"', "hidden text"),
        ('fo:font-size="1pt"', "type smaller than 2 points"),
        ('fo:color="#ffffff"', BACKGROUND_COLOUR),
        ('fo:color="#ffffff" fo:background-color="#000080"', ""),
        ('fo:color="#c0c0c0" fo:font-size="2pt"', ""),
    ],
)
def test_what_nobody_sees_is_told_with_its_reason(properties: str, reason: str) -> None:
    known = styles(style("a", "", properties, "text"), style("b", "a", "", "text"))
    assert known.reason("text", "b") == known.reason("text", "a") == reason


def test_styles_that_are_their_own_parents_end() -> None:
    known = styles(style("a", "b"), style("b", "a"))
    assert known.kind("a") is BlockKind.PARAGRAPH
    assert known.list_style("a") == ""
