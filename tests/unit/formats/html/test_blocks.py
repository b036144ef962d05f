from pathlib import Path

from pincite.model.document import BlockKind
from support.html_pages import kinds, texts


def test_lists_nest() -> None:
    assert texts("<ul><li>a<ol><li>b<li>c<p>d</p></ol><li>e</ul>") == ["- a\n  1. b\n  2. c\n    d\n- e"]


def test_text_after_a_nested_list_is_a_paragraph() -> None:
    assert texts("<ul><li>a<ul><li>b</ul>c<p>d</p><li>e</ul>") == ["- a\n  - b", "c", "d", "- e"]


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


def test_each_definition_of_a_term_stays_with_it(data: Path) -> None:
    page = (data / "found/office/dl.html").read_text()
    assert texts(page)[1:] == ["- **-v**\n  Prints more.\n  May be given twice.\n- **-q**\n  Prints less."]
    assert texts("<dl><dt>a<dd>b<dd>c<dt>d<dt>e<dd>f</dl>") == ["- **a**\n  b\n  c\n- **d**\n  **e**\n  f"]


def test_a_picture_alone_and_a_figure_keep_their_address() -> None:
    assert texts('<p><img src="a b.png" alt="x"></p>') == ["![x](a%20b.png)"]
    assert texts('<figure><img src="a.png" alt="x"><figcaption>y</figcaption></figure>') == ["![y – x](a.png)"]
    assert texts('<p><img src="data:image/png;base64,AAAA" alt="x"></p>') == ["![x]"]


def test_what_a_definition_holds_stays_what_it_is() -> None:
    markup = "<dl><dt>f(x)<dd><pre>y</pre><p>z</p><dl><dt>inner<dd>i</dl></dl>"
    assert texts(markup) == ["- **f(x)**", "```\ny\n```", "z", "- **inner**\n  i"]


def test_quotations_are_marked_and_keep_their_paragraphs() -> None:
    markup = "<blockquote>a<p>b<br>c</p><blockquote>d</blockquote><ul><li>e<p>f<ol><li>g</ol></ul></blockquote><p>h"
    assert texts(markup) == ["> a\n>\n> b\n> c\n>\n> > d\n>\n> - e\n>\n> f\n>\n> 1. g", "h"]
    assert kinds(markup) == [BlockKind.QUOTE, BlockKind.PARAGRAPH]


def test_code_and_headings_in_a_quotation_are_what_they_are() -> None:
    assert texts("<blockquote>a<h2>b</h2><pre>c</pre><dl><dt>d<dd>e</dl></blockquote>") == [
        "> a", "## b", "```\nc\n```", "> **d**\n>\n> e",
    ]  # fmt: skip


def test_lists_and_quotations_are_indented_so_far_and_no_farther() -> None:
    assert max(len(line) for line in texts("<ul><li>a" * 200)[0].splitlines()) < 70
    assert max(len(line) for line in texts("<blockquote>a" * 200)[0].splitlines()) < 70
