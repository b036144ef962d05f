from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import BlockKind, Document
from pincite.registry import FORMATS

ROW = next(row for row in FORMATS if row.name == "html")
TAGS = (
    "div", "p", "span", "section", "main", "article", "h1", "h3", "ul", "ol", "li", "dl", "dt", "dd", "table",
    "caption", "thead", "tbody", "tr", "td", "th", "pre", "code", "blockquote", "figure", "figcaption", "a",
    "b", "sup", "sub", "q", "del", "img", "br", "hr", "form", "aside", "nav", "svg", "math", "details",
    "summary", "select", "option", "frameset", "template", "title", "script", "style", "body", "html", "x-y",
    "plaintext",
)  # fmt: skip
ATTRIBUTES = (
    "", "", "", ' id="i"', ' href="#i"', ' class="toc"', ' class="footnote"', ' role="main"', ' role="doc-endnotes"',
    " hidden", ' style="color:white"', " colspan=3 rowspan=2", ' alt="w"', ' role="heading"', " start=5 reversed",
)  # fmt: skip
opening = st.builds("<{}{}>".format, st.sampled_from(TAGS), st.sampled_from(ATTRIBUTES))
pieces = st.one_of(
    opening,
    st.builds("</{}>".format, st.sampled_from(TAGS)),
    st.sampled_from(
        ["word", " ", "\n", "&amp;", "&#0;", "<!--", "-->", "<", "![CDATA[", "\u200b" * 5, "|", "```\n", "ü"]
    ),
)
soup = st.lists(pieces, max_size=60).map("".join)


def read(markup: str) -> Document:
    return read_document(ROW, Blob("a.html", markup.encode()), ReadOptions(), Call())


@settings(max_examples=150)
@given(soup)
def test_any_markup_is_a_document_whose_blocks_lie_in_order(markup: str) -> None:
    found = read(markup)
    assert "".join(found.text[section.start : section.end] for section in found.sections) == found.text
    position = 0
    for section in found.sections:
        assert section.number == 0 or section.blocks[0].kind is BlockKind.HEADING
        for block in section.blocks:
            assert max(position, section.start) <= block.start < block.end <= section.end
            position = block.end
            if block.table:
                assert all(cell.row + cell.row_span <= block.table.rows for cell in block.table.cells)
                assert all(cell.column + cell.column_span <= block.table.columns for cell in block.table.cells)


words = st.text("abcdefghijklmnop", min_size=1, max_size=8)


def element(name: str, inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return inner.map(lambda text: f"<{name}>{text}</{name.partition(' ')[0]}>")


def spaced(part: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(part, min_size=1, max_size=4).map(" ".join)


def marked(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(*(element(name, spaced(inner)) for name in ("b", "i", "code", "span", "a href=x", "kbd")))


running = spaced(st.recursive(words, marked, max_leaves=4))


def many(part: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(part, min_size=1, max_size=4).map("".join)


simple = st.one_of(
    element("p", running), element("h2", running), element("div", running),
    element("blockquote", element("p", running)),
    element("ul", many(element("li", running))), element("ol", many(element("li", running))),
    element("dl", many(st.builds("<dt>{}</dt><dd>{}</dd>".format, running, running))),
    element("table", many(element("tr", st.builds("<td>{}</td><td>{}</td>".format, running, running)))),
    element("pre", words),
)  # fmt: skip
content = st.recursive(
    simple,
    lambda inner: st.one_of(
        element("section", many(inner)), element("blockquote", many(inner)),
        element("ul", many(element("li", many(inner)))),
        element("dl", many(st.builds("<dt>{}</dt><dd>{}</dd>".format, running, inner))),
        element("table", element("tr", st.builds("<td>{}</td><td>{}</td>".format, inner, inner))),
    ),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=40)
@given(many(content))
def test_every_word_of_a_page_stands_in_its_text_in_order(markup: str) -> None:
    text = read(markup).text
    position = 0
    for word in words_of(markup):
        position = text.find(word, position)
        assert position >= 0, word
        position += len(word)


def words_of(markup: str) -> list[str]:
    """The words between tags."""
    pieces_of = (piece.rpartition(">")[2] for piece in markup.split("<"))
    return [word for piece in pieces_of for word in piece.split()]
