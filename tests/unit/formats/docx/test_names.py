import pytest
from lxml import etree

from pincite.formats.docx.names import MAX_NUMBER, VAL, number, toggle, value, w
from pincite.formats.ooxml.package import Element

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def element(xml: str) -> Element:
    return next(iter(etree.fromstring(f'<x xmlns:w="{W}">{xml}</x>'.encode())))


def test_the_value_at_the_end_of_a_path_of_tags() -> None:
    root = element('<w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr></w:p>')
    assert f"{{{W}}}val" == VAL
    assert value(root, w("pPr"), w("pStyle")) == "Title"
    assert value(root, w("pPr"), w("jc")) is None
    assert value(root, w("rPr"), w("b")) is None


@pytest.mark.parametrize(("text", "expected"), [("7", 7), ("-7", 0), ("99999", MAX_NUMBER), ("x", 5), (None, 5)])
def test_a_number_is_one_that_word_keeps(text: str | None, expected: int) -> None:
    assert number(text, 5) == expected


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("", None),
        ("<w:b/>", True),
        ('<w:b w:val="1"/>', True),
        ('<w:b w:val="0"/>', False),
        ('<w:b w:val="off"/>', False),
    ],
)
def test_a_property_that_is_there_is_on_unless_it_says_otherwise(inside: str, expected: bool | None) -> None:
    assert toggle(element(f"<w:rPr>{inside}</w:rPr>"), w("b")) is expected
