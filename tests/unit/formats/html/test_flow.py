from pincite.model.document import BlockKind
from support.html_pages import blocks, kinds, only_table, read, texts


def test_a_link_over_blocks_is_written_in_each() -> None:
    assert texts("<a href=x><h2>Title</h2><p>text</p></a>") == ["## Title", "[text](x)"]


def test_headings_keep_their_level_and_lose_their_markup() -> None:
    document = read(
        '<h1>A <a href="x">link</a> <code>c</code><a class="headerlink" href="#a">¶</a></h1><h3>B<br>b</h3>'
    )
    assert [(block.level, block.title) for block in blocks(document)] == [(1, "A link c"), (3, "B b")]
    assert document.sections[1].path == ("A link c", "B b")


def test_anchors_reach_the_next_block() -> None:
    markup = (
        '<section id="s"><h2 id="h">A</h2><a name="n"></a><p id="p">b<span id="i">c</span></p></section>'
        '<ul id="u"><li id="l">x</ul><div id="empty"></div><pre id="c"><a id="line-1"></a>y</pre><i id="last"></i>'
    )
    assert [block.anchors for block in blocks(read(markup))] == [
        ("s", "h"), ("n", "p", "i"), ("u", "l"), ("empty", "c", "line-1", "last"),
    ]  # fmt: skip


def test_anchors_of_tables_terms_and_figures_are_kept() -> None:
    markup = (
        '<dl><dt id="a">A<dd>1<dt id="b">B<dd>2</dl><table id="t"><tr><td id="c">1<td>2</table>'
        '<figure id="f"><img id="m" alt="x"></figure>'
    )
    assert [block.anchors for block in blocks(read(markup))] == [("a",), ("b",), ("t", "c"), ("f", "m")]


def test_anchors_of_hidden_text_reach_what_stands_there() -> None:
    (block,) = blocks(read('<div hidden id="tab"><a name="n"></a><p id="p">x</p></div><p>y</p>'))
    assert set(block.anchors) == {"tab", "n", "p"}


def test_a_mark_that_links_to_a_heading_is_no_part_of_its_title() -> None:
    page = read('<h2>Logging <a class="permalink" href="#logging">&para;</a></h2><p>a<h2>¶</h2><p>b')
    assert [section.path for section in page.sections] == [("Logging",), ("¶",)]
    assert page.text.startswith("## Logging\n")


def test_code_in_a_heading_a_term_or_a_caption_is_text() -> None:
    markup = "<h2>a<pre>b\nc</pre></h2><table><caption>d<pre>e</pre></caption><tr><th>f<th>g</table>"
    assert texts(markup)[0] == "## a b c"
    assert texts("<dl><dt>a<pre id=x>b</pre><dd>c</dl>") == ["- **a b**\n  c"]


def test_a_list_of_contents_is_one() -> None:
    assert kinds('<div class="toc"><p>Contents</p><ul><li><a href="#a">a</a></ul><dl><dt>b</dl></div><p>c') == [
        BlockKind.PARAGRAPH, BlockKind.CONTENTS, BlockKind.CONTENTS, BlockKind.PARAGRAPH,
    ]  # fmt: skip


def test_a_figure_has_its_caption_and_its_alternative_text() -> None:
    markup = '<figure><img alt="A  chart"><figcaption>Sales <b>2025</b></figcaption></figure>'
    assert (texts(markup), kinds(markup)) == (["![Sales 2025 – A chart]"], [BlockKind.FIGURE])


def test_a_figure_around_code_or_a_table_is_no_picture() -> None:
    assert texts("<figure><pre>a</pre><figcaption>b</figcaption></figure>") == ["```\na\n```", "b"]
    assert texts("<figure><figcaption>only</figcaption></figure><figure></figure>") == ["![only]"]


def test_notes_are_notes_and_where_they_are_called_says_so() -> None:
    markup = (
        '<p>a<sup><a href="#fn1">1</a></sup> b<a href="#n2">*</a></p><section role="doc-endnotes"><ol>'
        '<li id="fn1">one <a role="doc-backlink" href="#r">back</a><pre>x</pre></li></ol></section>'
        '<aside id="n2" role="doc-footnote"><span class="label">[*]</span><p>two</p><ul><li>three</ul></aside>'
    )
    assert texts(markup) == ["a[^1] b[^*]", "[^1]: one", "```\nx\n```", "[^*]: two\nthree"]
    assert [block.anchors for block in blocks(read(markup))] == [(), ("fn1",), (), ("n2",)]


def test_a_note_without_a_mark_is_called_by_its_id() -> None:
    assert texts('<div class="footnote" id="x">a</div><div class="footnote">b</div>') == ["[^x]: a", "b"]


def test_lists_and_paragraphs_of_a_cell_are_its_lines() -> None:
    table = only_table(
        "<table><tr><td><p>a</p><ul><li>b<li>c</ul><td><dl><dt>d<dd>e</dl><h1></h1></table>".replace("<h1></h1>", "")
    )
    assert [cell.text for cell in table.cells] == ["a\nb\nc", "d\ne"]


def test_a_row_without_a_table_is_text() -> None:
    assert texts("<div><td>a</div>") == ["a"]
    assert texts("<dl><dt>t<table><tr><td>a<td>b</table><dd>c</dl>") == ["- **t a b**\n  c"]


def test_a_heading_in_a_list_in_a_heading_is_part_of_it() -> None:
    assert texts("<h1>a<ul><h1>b</h1></ul>c</h1><p>d") == ["# a b c", "d"]


def test_a_table_that_is_called_a_heading_stays_a_table() -> None:
    assert only_table("<table role=heading><tr><td>a<td>b</table>").columns == 2


def test_blocks_have_the_role_of_the_box_around_them() -> None:
    markup = (
        "<p>a</p><ul><li>b<div class=note><p>c</p></div></li></ul><div class='admonitionblock note'><table><tr><td>d"
        "</table></div><p class=example>e</p><section class=informative><h2>f</h2><ul><li>g</ul></section><p>h</p>"
    )
    assert [block.role for block in blocks(read(markup))] == [
        "", "", "note", "example", "informative", "informative", "",
    ]  # fmt: skip
