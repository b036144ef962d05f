import pytest

from support.markdown_read import blocks, document, titles


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<h1>A</h1>", [(1, "A")]),
        ('<h1 align="center">A <b>b</b> &amp; c</h1>', [(1, "A b & c")]),
        ("<H2\nid=x>\n  A\n  B\n</H2 >", [(2, "A B")]),
        ("<div>\n<h1>A</h1>\n<p>x</p>\n<h2>B</h2>\n</div>", [(1, "A"), (2, "B")]),
        ("<h1>A</h1><h2>B</h2>", [(1, "A"), (2, "B")]),
        ('<h1><img src="x.png" alt="Logo"/> <br/>Name</h1>', [(1, "Logo Name")]),
        ("<h1><img alt='Logo'></h1>", [(1, "Logo")]),
        ("<h1><img src=x alt></h1>", [(1, "")]),
        ('<h1 align="center">\n\n  Name\n\n</h1>\n\ntext', [(1, "Name")]),
        ('<a name="x"></a><h2>B</h2>', [(2, "B")]),
        ("<h1>never closed\n\n# Next", [(1, "never closed"), (1, "Next")]),
        ("<h1>A\n<h2>B</h2>", [(1, "A"), (2, "B")]),
        ("<h1", []),
        ("</h1>", []),
        ("<h7>A</h7> <header>B</header> <hr>", []),
        ("<div><!-- <h1>A</h1> --></div>", []),
        ("<div><!-- <h1>A</h1>", []),
        ("<div><pre><h1>A</h1></pre><h2>B</h2></div>", [(2, "B")]),
        ("<div><script><h1>A</h1>", []),
        ("</pre><h2>B</h2>", [(2, "B")]),
        ("<div></pre><h2>B</h2>", [(2, "B")]),
        ("<ul><li><h3>A</h3></ul><table><td><h3>A</h3></table><h2>B</h2>", [(2, "B")]),
        ("Use `<h1>A</h1>` for it", []),
        ("<b>Use</b> `<h1>A</h1>` for it", []),
        ("```html\n<h1>A</h1>\n```", []),
    ],
)
def test_html_headings(source: str, expected: list[tuple[int, str]]) -> None:
    assert titles(source) == expected


def test_an_html_heading_begins_with_its_line() -> None:
    text = "<div>\n  <a></a><h1>A</h1> tail\n  more\n</div>\n\ntext\n"
    assert blocks(text) == [
        ("html", "<div>"),
        ("heading", "  <a></a><h1>A</h1>"),
        ("html", "tail\n  more\n</div>"),
        ("paragraph", "text"),
    ]


def test_headings_of_one_line_begin_where_the_one_before_ends() -> None:
    assert blocks("<h1>A</h1> x <h2>B</h2>") == [("heading", "<h1>A</h1>"), ("heading", " x <h2>B</h2>")]


def test_html_headings_count_as_blocks() -> None:
    assert len(document("<div>\n" + "<h1>A</h1>\n" * 50, max_blocks=10).sections) == 10
