"""What the reader of web pages makes of each construct."""

import pytest

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import Block, BlockKind, Cell, Document, Table
from pincite.registry import FORMATS

ROW = next(row for row in FORMATS if row.name == "html")


def read(markup: str | bytes, max_blocks: int = 100_000) -> Document:
    data = markup.encode() if isinstance(markup, str) else markup
    return read_document(ROW, Blob("a.html", data), ReadOptions(max_blocks=max_blocks), Call())


def blocks(document: Document) -> list[Block]:
    return [block for section in document.sections for block in section.blocks]


def texts(markup: str) -> list[str]:
    document = read(markup)
    return [document.text[block.start : block.end] for block in blocks(document)]


def kinds(markup: str) -> list[BlockKind]:
    return [block.kind for block in blocks(read(markup))]


def only_table(markup: str) -> Table:
    (found,) = (block.table for block in blocks(read(markup)) if block.table)
    return found


# Text


def test_white_space_is_as_a_browser_shows_it() -> None:
    assert texts("<p> a\n  b\t<b>c</b> d&nbsp;e </p>") == ["a b c d e"]


def test_inline_elements_join_and_blocks_part() -> None:
    assert texts("<div>a<span>b</span><p>c</p>d<section>e</section></div>") == ["ab", "c", "d", "e"]


def test_a_break_is_a_line_and_two_are_a_paragraph() -> None:
    assert texts("<p>a<br>b<br> <br>c<hr>d") == ["a\nb", "c", "d"]


def test_powers_stay_powers_and_ordinals_stay_words() -> None:
    assert texts("<p>10<sup>5</sup> x<sup>-n</sup> 1<sup>st</sup> H<sub>2</sub>O 5<sub>10</sub> <sup>a</sup>") == [
        "10^5 x^-n 1st H2O 5_10 a"
    ]


def test_what_was_struck_out_says_so_and_a_quotation_has_its_marks() -> None:
    assert texts("<p><del>9</del> <s>8</s> <ins>7</ins> <q>so</q></p>") == ["~~9~~ ~~8~~ 7 “so”"]


def test_soft_hyphens_and_single_characters_without_width_are_left_out() -> None:
    assert texts("<p>im&shy;por\u200btant\ufeff</p>") == ["important"]


def test_a_formula_is_its_alternative_text_its_tex_or_its_letters() -> None:
    tex = '<math><mi>z</mi><annotation encoding="application/x-tex">z^2</annotation></math>'
    markup = f'<p><math alttext="a/b"><mi>a</mi></math>, {tex}, <math><mi>x</mi> <mi>y</mi></math>'
    assert texts(markup + '<script type="math/tex">w_1</script></p>') == ["a/b, z^2, x y w_1"]


def test_comments_scripts_and_templates_say_nothing() -> None:
    dropped = "<!-- c --><script>s</script><style>t</style><noscript>n</noscript><template>e</template><svg>v</svg>"
    assert texts(f"<p>a{dropped}b</p><button>c</button><select><option>o</select>") == ["ab"]


def test_a_check_box_shows_whether_it_is_checked() -> None:
    assert texts("<ul><li><input type=checkbox checked>a<li><input type=checkbox>b<li><input>c</ul>") == [
        "- [x] a\n- [ ] b\n- c"
    ]


def test_what_details_hold_is_shown() -> None:
    assert texts("<details><summary>More</summary>all of it</details>") == ["More", "all of it"]


# Links


def test_links_are_written_with_their_target_as_it_is() -> None:
    assert texts('<p>See <a href="../b.html#c"> b <i>c</i> </a>and <a href="#d">d</a>.') == [
        "See [b c](../b.html#c) and [d](#d)."
    ]


def test_links_start_at_the_base_where_the_page_has_one() -> None:
    assert texts('<base href="https://x.org/a/"><p><a href="b">b</a> <a href="//[">c</a>') == [
        "[b](https://x.org/a/b) [c](//[)"
    ]


@pytest.mark.parametrize("href", ["", "javascript:go()", "data:text/html,x"])
def test_a_link_to_nowhere_is_its_text(href: str) -> None:
    assert texts(f'<p><a href="{href}">a</a>') == ["a"]


def test_a_target_cannot_end_its_link() -> None:
    assert texts('<p><a href="a b(c)">x</a> <a href="d)">y</a> <a href="e\n">z</a>') == [
        "[x](a%20b(c)) [y](d%29) [z](e)"
    ]


def test_a_link_over_blocks_is_written_in_each() -> None:
    assert texts("<a href=x><h2>Title</h2><p>text</p></a>") == ["## Title", "[text](x)"]


def test_a_picture_in_a_link_is_named() -> None:
    assert texts('<p><a href="x"><img alt="Logo"></a>') == ["[![Logo]](x)"]


# Headings and anchors


def test_headings_keep_their_level_and_lose_their_markup() -> None:
    document = read(
        '<h1>A <a href="x">link</a> <code>c</code><a class="headerlink" href="#a">¶</a></h1><h3>B<br>b</h3>'
    )
    assert [(block.level, block.title) for block in blocks(document)] == [(1, "A link c"), (3, "B b")]
    assert document.sections[1].path == ("A link c", "B b")


def test_a_role_makes_a_heading() -> None:
    markup = '<div role="heading" aria-level="3">a</div><p role="heading">b<div role=heading aria-level=77>c</div>'
    assert [block.level for block in blocks(read(markup))] == [3, 2, 6]


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


# Code


def test_code_is_verbatim_and_knows_its_language() -> None:
    document = read('<pre><code class="language-c++">\n  <b>int</b> a;\n\n\tb &lt; c;\n</code></pre>')
    (block,) = blocks(document)
    assert (block.kind, block.language) == (BlockKind.CODE, "c++")
    assert document.text == "```c++\n\n  int a;\n\n\tb < c;\n```\n"


@pytest.mark.parametrize(
    ("markup", "language"),
    [
        ('<div class="highlight-python3 notranslate"><div class="highlight"><pre>x</pre></div></div>', "python3"),
        ('<div class="highlight highlight-source-shell"><pre>x</pre></div>', "shell"),
        ('<pre class="brush: java">x</pre>', "java"),
        ('<div class="sourceCode"><pre class="sourceCode rust"><code>x</code></pre></div>', "rust"),
        ('<div class="language-yaml highlighter-rouge"><pre>x</pre></div>', "yaml"),
        ('<pre data-lang="go">x</pre>', "go"),
        ('<div class="highlight-default"><pre>x</pre></div>', ""),
        ('<pre class="language-none">x</pre>', ""),
        ("<pre>x</pre>", ""),
    ],
)
def test_a_language_is_named_in_many_ways(markup: str, language: str) -> None:
    assert [block.language for block in blocks(read(markup))] == [language]


def test_code_of_lines_has_line_ends_and_no_line_numbers() -> None:
    lines = '<div class="line">a</div><div class="line">b</div>c<br>d<button>Copy</button>'
    assert texts(f'<pre><span class="lineno">1</span>{lines}<i hidden>no</i></pre>') == ["```\na\nb\nc\nd\n```"]


def test_numbered_code_in_a_table_is_code() -> None:
    cells = '<td class="linenos"><pre>1\n2</pre></td><td class="code"><pre>a\nb</pre></td>'
    assert texts(f"<table class=highlighttable><tr>{cells}</table>") == ["```\na\nb\n```"]


def test_code_in_a_heading_a_term_or_a_caption_is_text() -> None:
    markup = "<h2>a<pre>b\nc</pre></h2><table><caption>d<pre>e</pre></caption><tr><th>f<th>g</table>"
    assert texts(markup)[0] == "## a b c"
    assert texts("<dl><dt>a<pre id=x>b</pre><dd>c</dl>") == ["- **a b**\n  c"]


# Lists


def test_lists_nest() -> None:
    assert texts("<ul><li>a<ol><li>b<li>c<p>d</p></ol><li>e</ul>") == ["- a\n  1. b\n  2. c\n    d\n- e"]


def test_text_after_a_nested_list_is_a_paragraph() -> None:
    assert texts("<ul><li>a<ul><li>b</ul>c<p>d</p><li>e</ul>") == ["- a\n  - b", "c", "d", "- e"]


@pytest.mark.parametrize(
    ("markup", "labels"),
    [
        ("<ol start=3><li>x<li>x", "3. 4."),
        ("<ol type=a start=26><li>x<li>x<li value=2>x", "z. aa. b."),
        ("<ol type=A><li>x<li type=i>x", "A. ii."),
        ("<ol type=I start=4><li>x<li>x<li value=4000>x", "IV. V. 4000."),
        ("<ol reversed><li>x<li>x", "2. 1."),
        ("<ol start=many><li>x<li value=-1>x<li>x", "1. -1. 0."),
        ("<ol type=a start=0><li>x", "0."),
    ],
)
def test_labels_are_those_that_a_browser_shows(markup: str, labels: str) -> None:
    (text,) = texts(markup)
    assert [line.removeprefix("- ").split()[0] for line in text.splitlines()] == labels.split()


def test_an_item_without_a_list_is_an_item() -> None:
    assert texts("<li>a<li>b") == ["- a\n- b"]


def test_code_parts_a_list_and_its_numbers_go_on() -> None:
    assert texts("<ol><li>a<pre>b</pre>c<li>d</ol>") == ["1. a", "```\nb\n```", "c", "2. d"]


def test_the_outermost_item_of_a_block_is_not_indented() -> None:
    assert texts("<ul><li>a<pre>b</pre><ul><li>c<ul><li>d</ul></ul></ul>")[2] == "- c\n  - d"


def test_terms_stand_out_and_have_their_definition() -> None:
    markup = "<dl><dt>a<dt>b<dd>c<p>d</p><div><dt>e</dt><dd>f</dd></div><dt>g</dl>"
    assert texts(markup) == ["- **a**\n  **b**\n  c", "d", "- **e**\n  f\n- **g**"]


def test_a_definition_without_a_term_is_an_item() -> None:
    assert texts("<dl><dd>a<dd>b</dl>") == ["- a\n- b"]


def test_what_a_definition_holds_stays_what_it_is() -> None:
    markup = "<dl><dt>f(x)<dd><pre>y</pre><p>z</p><dl><dt>inner<dd>i</dl></dl>"
    assert texts(markup) == ["- **f(x)**", "```\ny\n```", "z", "- **inner**\n  i"]


def test_a_heading_may_be_a_term() -> None:
    assert texts("<dl><dt>a <h3>B</h3> c<dd>d</dl>") == ["- **a**", "### B", "- **c**\n  d"]


def test_a_list_of_contents_is_one() -> None:
    assert kinds('<div class="toc"><p>Contents</p><ul><li><a href="#a">a</a></ul><dl><dt>b</dl></div><p>c') == [
        BlockKind.PARAGRAPH, BlockKind.CONTENTS, BlockKind.CONTENTS, BlockKind.PARAGRAPH,
    ]  # fmt: skip


# Quotations, figures, notes


def test_quotations_are_marked_and_keep_their_paragraphs() -> None:
    markup = "<blockquote>a<p>b<br>c</p><blockquote>d</blockquote><ul><li>e<p>f<ol><li>g</ol></ul></blockquote><p>h"
    assert texts(markup) == ["> a\n>\n> b\n> c\n>\n> > d\n>\n> - e\n>\n> f\n>\n> 1. g", "h"]
    assert kinds(markup) == [BlockKind.QUOTE, BlockKind.PARAGRAPH]


def test_code_and_headings_in_a_quotation_are_what_they_are() -> None:
    assert texts("<blockquote>a<h2>b</h2><pre>c</pre><dl><dt>d<dd>e</dl></blockquote>") == [
        "> a", "## b", "```\nc\n```", "> **d**\n>\n> e",
    ]  # fmt: skip


def test_a_figure_has_its_caption_and_its_alternative_text() -> None:
    markup = '<figure><img alt="A  chart"><figcaption>Sales <b>2025</b></figcaption></figure>'
    assert (texts(markup), kinds(markup)) == (["![Sales 2025 – A chart]"], [BlockKind.FIGURE])


def test_a_figure_around_code_or_a_table_is_no_picture() -> None:
    assert texts("<figure><pre>a</pre><figcaption>b</figcaption></figure>") == ["```\na\n```", "b"]
    assert texts("<figure><figcaption>only</figcaption></figure><figure></figure>") == ["![only]"]


def test_pictures_are_named_where_they_have_a_name() -> None:
    assert texts('<p><img alt="alone"></p><p>a <img alt="b"> <img alt=""><img></p><h2><img alt="c"></h2>') == [
        "![alone]", "a ![b]", "## c",
    ]  # fmt: skip


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


# Tables


def test_a_table_keeps_its_spans_header_rows_and_caption() -> None:
    markup = (
        "<table><caption>Sales <i>total</i></caption><thead><tr><th colspan=2>Year<th rowspan=2>Sum</thead>"
        "<tbody><tr><th>a<td>b<tr><td rowspan=0>c<td>d<br>e<td>f</tbody></table>"
    )
    assert only_table(markup) == Table(
        3,
        3,
        (
            Cell(0, 0, "Year", 1, 2, header=True),
            Cell(0, 2, "Sum", 2, 1, header=True),
            Cell(1, 0, "a", header=True),
            Cell(1, 1, "b"),
            Cell(2, 0, "c"),
            Cell(2, 1, "d\ne"),
            Cell(2, 2, "f"),
        ),
        1,
        "Sales total",
    )


def test_rows_of_header_cells_at_the_top_are_header_rows() -> None:
    assert only_table("<table><tr><th>a<th>b<tr><th>c<th>d<tr><th>e<td>f</table>").header_rows == 2


def test_columns_that_no_cell_begins_and_rows_without_cells_are_left_out() -> None:
    table = only_table("<table><tr><td colspan=3>a<td>b<tr><tr><td colspan=99999>c<tr></table>")
    assert (table.rows, table.columns) == (2, 2)
    assert [(cell.row, cell.column, cell.column_span) for cell in table.cells] == [(0, 0, 1), (0, 1, 1), (1, 0, 2)]


@pytest.mark.parametrize("span", ["-1", "x", "", "1e9", "²"])
def test_a_span_that_is_no_number_is_one(span: str) -> None:
    assert [cell.column for cell in only_table(f"<table><tr><td colspan='{span}'>a<td>b</table>").cells] == [0, 1]


def test_lists_and_paragraphs_of_a_cell_are_its_lines() -> None:
    table = only_table(
        "<table><tr><td><p>a</p><ul><li>b<li>c</ul><td><dl><dt>d<dd>e</dl><h1></h1></table>".replace("<h1></h1>", "")
    )
    assert [cell.text for cell in table.cells] == ["a\nb\nc", "d\ne"]


@pytest.mark.parametrize(
    "markup",
    [
        "<table><tr><td>a<td><table><tr><td>x<td>y</table></table>",
        "<table><tr><td>a<td><h2>x</h2></table>",
        "<table role=presentation><caption>c</caption><tr><td>a<td>x</table>",
        "<table><tr><td>a</table>",
    ],
)
def test_a_table_that_lays_out_the_page_is_none(markup: str) -> None:
    assert "a" in texts(markup)


def test_a_row_without_a_table_is_text() -> None:
    assert texts("<div><td>a</div>") == ["a"]
    assert texts("<dl><dt>t<table><tr><td>a<td>b</table><dd>c</dl>") == ["- **t a b**\n  c"]


def test_a_table_wider_than_any_says_so_and_keeps_its_text() -> None:
    document = read("<table><tr><td colspan=2000>a<td>b<td>c</table>")
    assert document.coverage.limits_hit == ("max_columns",)
    assert document.text.endswith("b\nc\n")


def test_a_table_of_almost_nothing_is_written_as_lines() -> None:
    document = read("<table><caption>c</caption><tr>" + "<td>a" * 300 + "<tr><td>b" * 200 + "</table>")
    assert document.coverage.limits_hit == ("max_table_area",)
    assert document.text.startswith("c\n\na | a | a")
    assert document.text.endswith("a\n\n" + "b\n\n" * 199 + "b\n")


# Broken structure


def test_a_heading_in_a_list_in_a_heading_is_part_of_it() -> None:
    assert texts("<h1>a<ul><h1>b</h1></ul>c</h1><p>d") == ["# a b c", "d"]


def test_a_table_that_is_called_a_heading_stays_a_table() -> None:
    assert only_table("<table role=heading><tr><td>a<td>b</table>").columns == 2
