import threading
import time

import pytest

from pincite.errors import Cancelled
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.markdown.reader import read
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import Document, Head, Page
from pincite.registry import FORMATS


def document(text: str | bytes, max_blocks: int = 100_000) -> Document:
    data = text if isinstance(text, bytes) else text.encode()
    return read_document(FORMATS[0], Blob("a.md", data), ReadOptions(max_blocks=max_blocks), Call())


def paths(text: str | bytes) -> list[str]:
    return [" > ".join(section.path) for section in document(text).sections]


def blocks(text: str, max_blocks: int = 100_000) -> list[tuple[str, str]]:
    _, page = read(Blob("a.md", text.encode()), ReadOptions(max_blocks=max_blocks), Call())
    assert isinstance(page, Page)
    return [(block.kind.value, page.text[block.start : block.end]) for block in page.blocks]


def titles(text: str) -> list[tuple[int, str]]:
    _, page = read(Blob("a.md", text.encode()), ReadOptions(), Call())
    assert isinstance(page, Page)
    return [(block.level, block.title) for block in page.blocks if block.level]


def test_every_kind_of_block_has_its_exact_span() -> None:
    text = (
        "# Title #\n\n"
        "Some words\nin two lines.\n\n\n"
        "- one\n- two\n\n  more\n\n"
        "1. first\n\n"
        "> quote\n> # no section\n> words\nlazy\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n"
        "```python title=x\n# no heading\n```\n\n"
        "    indented\n\n    code\n\n"
        "Setext\nheading\n---\n"
        "***\n"
        "<div>\n# no heading\n</div>\n\n"
        "[ref]: https://example.org\n"
        "   end  "
    )
    assert blocks(text) == [
        ("heading", "# Title #"),
        ("paragraph", "Some words\nin two lines."),
        ("list", "- one\n- two\n\n  more"),
        ("list", "1. first"),
        ("quote", "> quote\n> # no section\n> words\nlazy"),
        ("table", "| a | b |\n|---|---|\n| 1 | 2 |"),
        ("code", "```python title=x\n# no heading\n```"),
        ("code", "    indented\n\n    code"),
        ("heading", "Setext\nheading\n---"),
        ("other", "***"),
        ("html", "<div>\n# no heading\n</div>"),
        ("other", "[ref]: https://example.org"),
        ("paragraph", "   end"),
    ]


def test_a_code_block_knows_its_language() -> None:
    _, page = read(Blob("a.md", b"```python title=x\n```\n\n~~~\n~~~\n"), ReadOptions(), Call())
    assert isinstance(page, Page)
    assert [block.language for block in page.blocks] == ["python", ""]


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("# Plain", "Plain"),
        ("#\tTab  and   spaces ##", "Tab and spaces"),
        ("# `code` and *em* and **strong** and ~~gone~~", "code and em and strong and gone"),
        ("# [link](https://x.y) ![alt *text*](i.png) <https://z.w>", "link alt text https://z.w"),
        ("# [by name][ref] [ref]\n\n[ref]: /x", "by name ref"),
        ("# [no such][thing]", "[no such][thing]"),
        ("# a &amp; b \\* c", "a & b * c"),
        ("# a<br>b <kbd>c</kbd>", "a b c"),
        ("two\nlines\n===", "two lines"),
        ("two  \nlines\n===", "two lines"),
        ("# snake_case_name and 2 * 3", "snake_case_name and 2 * 3"),
        ("# Pandoc {#my-id}", "Pandoc"),
        ("# Pandoc {#my-id .class key=value} ##", "Pandoc"),
        ("# Pandoc {.class}", "Pandoc"),
        ("# Kramdown {: #id .class}", "Kramdown"),
        ("# Kramdown {:.class}", "Kramdown"),
        ("# MDX {/* #my-id */}", "MDX"),
        ("# Set {a, b}", "Set {a, b}"),
        ("# `{{ .Name }}` and {{.Name}}", "{{ .Name }} and {{.Name}}"),
        ("# `{#code}`", "{#code}"),
        ("# {#only}", ""),
        ("#", ""),
        ("# ![](logo.png)", ""),
        ("# A > B", "A > B"),
        ("# \u00a0Größe 日本語\u2003", "Größe 日本語"),
    ],
)
def test_a_title_is_the_plain_text_of_its_heading(source: str, title: str) -> None:
    assert titles(source)[0][1] == title


@pytest.mark.parametrize(
    "source", ["#no space", "####### seven", "    # code", "\\# escaped", "text\n    # lazy", "[ref]: /x\n==="]
)
def test_what_is_no_heading(source: str) -> None:
    assert titles(source) == []


@pytest.mark.parametrize(
    "container",
    [
        "```\n{}\n```",
        "~~~\n{}\n~~~",
        "<!--\n\n{}\n\n-->",
        "<pre>\n\n{}\n\n</pre>",
        "<script>\n{}\n</script>",
        "> {}",
        "- {}",
        "1. x\n\n   {}",
    ],
)
def test_a_heading_inside_something_else_makes_no_section(container: str) -> None:
    assert titles(container.format("# not this") + "\n\n# this") == [(1, "this")]


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


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_marks_change_no_path(end: str, mark: str) -> None:
    text = "---\ntitle: T\n---\n\nintro\n\n# A\n\n```\n# no\n```\n\nB\n---\n\n<h3>C</h3>\n\n#### D\n"
    assert paths(mark + text.replace("\n", end)) == ["", "A", "A > B", "A > B > C", "A > B > C > D"]
    assert document(mark + text.replace("\n", end)).text == text.replace("\n", end)


def test_other_line_ends_of_unicode_are_none() -> None:
    text = "a\x0b# b\x0c# c\x1c# d\x85# e\u2028# f\u2029# g\n# H\n"
    assert paths(text) == ["", "H"]
    assert document(text).sections[1].start == text.index("# H")


def test_bytes_that_are_no_utf8_keep_the_headings() -> None:
    assert paths("# Größe\n\n## Maß\n".encode("latin-1")) == ["Gr\ufffd\ufffde", "Gr\ufffd\ufffde > Ma\ufffd"]


@pytest.mark.parametrize(
    ("text", "head", "first"),
    [
        (
            "---\ntitle: The guide\nlang: de\n---\n# A\n",
            Head("The guide", {"title": "The guide", "lang": "de"}, "de"),
            "---\ntitle: The guide\nlang: de\n---",
        ),
        ('+++\ntitle = "The guide"\n+++\n', Head("The guide", {"title": "The guide"}), '+++\ntitle = "The guide"\n+++'),
    ],
)
def test_front_matter_is_the_head_and_the_first_block(text: str, head: Head, first: str) -> None:
    found, _ = read(Blob("a.md", text.encode()), ReadOptions(), Call())
    assert found == head
    assert blocks(text)[0] == ("front_matter", first)


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    assert paths("---\n\n# A\n\nwords\n\n---\n") == ["", "A"]


def test_mdx_is_read_as_text_around_the_headings() -> None:
    text = (
        "import Tabs from '@theme/Tabs';\nexport const x = {\n  a: 1,\n};\n\n# Title {/* #t */}\n\n"
        "<Tabs>\n  <Tab label={`a > b`}>\n\n## Inside\n\n  </Tab>\n</Tabs>\n\n{/* comment */}\n"
    )
    assert paths(text) == ["", "Title", "Title > Inside"]


def test_more_blocks_than_wanted_are_one_and_said() -> None:
    text = "# A\n\n" * 5 + "tail\n"
    found = document(text, max_blocks=3)
    assert [section.path for section in found.sections] == [("A",)] * 3
    assert found.sections[-1].end == len(text)
    assert "after the first 3 blocks" in found.coverage.failed[0].reason


def test_a_list_of_too_many_items_ends_the_outline_and_is_said() -> None:
    found = document("- a\n" * 100 + "\n# A\n", max_blocks=5)
    assert [section.path for section in found.sections] == [()]
    assert not found.coverage.complete


def test_html_headings_count_as_blocks() -> None:
    assert len(document("<div>\n" + "<h1>A</h1>\n" * 50, max_blocks=10).sections) == 10


def test_deep_nesting_loses_no_text() -> None:
    text = "> " * 200 + "a\n\n# A\n"
    assert paths(text) == ["", "A"]


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "> " * 50_000,
        "- " * 50_000,
        "[a](" * 25_000,
        "# " + "*a **a " * 15_000,
        "# " + "[" * 100_000,
        "# " + "![" * 50_000,
        "<div>" + "<!--" * 25_000,
        "<div>" + '<h1 a="' * 15_000,
        "<a" + " x" * 50_000,
        "[a]: b 'x\n" + "x\n" * 50_000,
        "|a" * 20_000 + "\n" + "|-" * 20_000 + "\n" + "|\n" * 20_000,
        "a\n" * 50_000,
        "- a\n" * 25_000,
        "`" * 100_000,
        "---\n" + "a: b\n" * 20_000,
    ],
    ids=lambda text: text[:12],
)
def test_a_hundred_kilobytes_of_malice_take_seconds_at_most(text: str) -> None:
    started = time.thread_time()
    assert document(text).text == text
    assert time.thread_time() - started < 5


def test_a_cancelled_call_stops_between_blocks() -> None:
    call = Call()
    stream = read(Blob("a.md", b"# A\n"), ReadOptions(), call)
    next(stream)
    call.stop.set()
    with pytest.raises(Cancelled):
        next(stream)


def test_invisible_characters_stay_in_the_text_and_are_said() -> None:
    run = "".join(chr(0xE0000 + ord(letter)) for letter in "obey me")
    text = f"# Setup{run}\r\n\nOne {run}two.\n"
    found = document(text)
    assert found.text == text and found.sections[0].path == ("Setup",)
    assert [(aside.text, aside.place) for aside in found.asides] == [("obey me", "line 1"), ("obey me", "line 3")]
    assert found.coverage.hidden_spans == 2
    assert found.coverage.shortfall and "2 runs of invisible characters" in found.coverage.shortfall


@pytest.mark.parametrize(
    ("head", "line"),
    [("", "a line\n"), ("| a | b |\n|---|---|\n", "| a | b |\n"), ("", "- an item\n"), ("", "a paragraph\n\n")],
    ids=repr,
)
def test_a_call_that_ends_within_a_long_block_stops_there(head: str, line: str) -> None:
    text = head + line * 100_000
    asked = Asked()
    stream = read(Blob("a.md", text.encode()), ReadOptions(), Call(stop=asked))
    next(stream)
    asked.left = 40  # the lines of the text are found by then
    with pytest.raises(Cancelled):
        next(stream)


class Asked(threading.Event):
    """A caller who goes away once he was asked so often."""

    left = 0

    def is_set(self) -> bool:
        self.left -= 1
        return self.left < 0
