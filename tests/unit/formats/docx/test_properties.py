from pincite.model.document import BlockKind
from support.docx_read import all_blocks, read
from support.word import Word, p, styled
from support.word_probes import headings


def test_a_paragraph_may_take_itself_out_of_the_outline() -> None:
    assert headings(read(Word().add(styled("Heading1", "T", '<w:outlineLvl w:val="9"/>')))) == []


def test_a_paragraph_leaves_the_list_of_its_style() -> None:
    word = Word().add(styled("ListBullet", "in"), p("out", '<w:numPr><w:numId w:val="0"/></w:numPr>'))
    assert [block.kind for block in all_blocks(read(word))] == [BlockKind.LIST, BlockKind.PARAGRAPH]
