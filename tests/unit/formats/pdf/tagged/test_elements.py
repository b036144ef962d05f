"""Types of structure elements."""

import pytest

from pincite.formats.pdf.tagged.elements import descendants, flatten, has_blocks, has_child, heading_kind, is_inline
from pincite.formats.pdf.tagged.structure import Element


@pytest.mark.parametrize(("kind", "level"), [("H2", 2), ("Heading 3", 3), ("Title", 1), ("H", 1), ("P", 0), ("TH", 0)])
def test_the_level_of_a_heading_is_that_of_its_type(kind: str, level: int) -> None:
    assert heading_kind(kind) == level


def test_an_inline_element_with_a_block_in_it_is_a_block() -> None:
    span, code = Element("Span", (1,)), Element("Code", (Element("P", (2,)),))
    assert is_inline(span) and not is_inline(code)
    assert has_blocks(code) and not has_blocks(Element("P", (span,)))
    assert has_child(code, "P") and not has_child(code, "Span")


def test_what_is_in_an_item_replaces_its_wrappers_but_for_those_that_are_whole() -> None:
    block = Element("Div", (2,))
    item = Element("LI", (Element("LBody", (1, block)),))
    assert list(flatten(item)) == [1, 2]
    assert list(flatten(item, {id(block)})) == [1, block]
    assert list(descendants(item)) == [item.children[0], block]
