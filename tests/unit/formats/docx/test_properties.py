import pytest

from pincite.model.document import BlockKind
from support.docx_read import all_blocks, read
from support.word import Word, p, styled
from support.word_probes import headings


def test_a_paragraph_may_take_itself_out_of_the_outline() -> None:
    assert headings(read(Word().add(styled("Heading1", "T", '<w:outlineLvl w:val="9"/>')))) == []


def test_a_paragraph_leaves_the_list_of_its_style() -> None:
    word = Word().add(styled("ListBullet", "in"), p("out", '<w:numPr><w:numId w:val="0"/></w:numPr>'))
    assert [block.kind for block in all_blocks(read(word))] == [BlockKind.LIST, BlockKind.PARAGRAPH]


def test_a_paragraph_without_a_list_has_no_bullet_of_its_style_either() -> None:
    word = Word().add(styled("ListBullet", "out", '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="0"/></w:numPr>'))
    assert read(word).text == "out\n"


@pytest.mark.parametrize("place", ["drop", "margin"])
def test_a_drop_cap_is_the_first_letter_of_its_paragraph(place: str) -> None:
    word = Word().add(p("O", f'<w:framePr w:dropCap="{place}" w:lines="3"/>'), p("nce upon a time."), p("The end."))
    assert read(word).text == "Once upon a time.\n\nThe end.\n"
