from pincite.model.document import BlockKind
from support.docx_read import read
from support.word import Word, p, picture, styled, tbl, tr
from support.word_probes import blocks, text


def test_a_continued_item_stays_one() -> None:
    word = Word().add(styled("ListBullet", "one"), styled("ListContinue", "more"), styled("ListBullet", "two"))
    assert read(word).text == "- one\n  more\n- two\n"


def test_code_is_one_verbatim_block() -> None:
    word = Word().style("c", "Source Code").add(styled("c", "if x:"), styled("c", "    y()"), "text")
    assert read(word).text == "```\nif x:\n    y()\n```\n\ntext\n"


def test_a_quote_is_marked() -> None:
    word = Word().add(styled("Quote", "one"), styled("IntenseQuote", "two"))
    assert text(read(word), BlockKind.QUOTE) == "> one\n>\n> two"


def test_a_caption_goes_to_what_it_names() -> None:
    table = tbl(tr("a"), tr("b"))
    caption = styled("Caption", "{}")
    word = Word().add(table, caption.format("Table 1"), "text", p("", inside=picture("Cat")), caption.format("Table 2"))
    word.add(table, p("", inside=picture("Dog")), caption.format("Figure 2"), table, "end", caption.format("Alone"))
    document = read(word)
    tables = [block.table.caption for block in blocks(document, BlockKind.TABLE) if block.table]
    assert tables == ["Table 1", "Table 2", ""]
    assert text(document, BlockKind.FIGURE) == "![Cat]\n![Figure 2 – Dog]"
    assert document.text.endswith("end\n\nAlone\n")
