import pytest

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.markdown.reader import read
from pincite.model.call import Call
from pincite.model.document import Head, Page
from support.markdown_read import blocks, document, paths, titles


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
        ("## Bikeshed ## {#my-id}", "Bikeshed"),
        ("# C# {#my-id}", "C#"),
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


def test_an_old_encoding_is_decoded_and_named() -> None:
    read_page = document("# Größe\n\n## Maß\n".encode("latin-1"))
    assert [section.path[-1] for section in read_page.sections] == ["Größe", "Maß"]
    assert read_page.coverage.reasons == "it is not UTF-8 and names no encoding, so cp1252 is a guess"


@pytest.mark.parametrize(("data", "reason"), [(b"", "empty"), (b" \n\n", "blank")])
def test_a_page_without_text_says_so(data: bytes, reason: str) -> None:
    assert document(data).coverage.shortfall == f"Not all of this document was read: it is {reason}."


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


def test_invisible_characters_stay_in_the_text_and_are_said() -> None:
    run = "".join(chr(0xE0000 + ord(letter)) for letter in "obey me")
    text = f"# Setup{run}\r\n\nOne {run}two.\n"
    found = document(text)
    assert found.text == text and found.sections[0].path == ("Setup",)
    assert [(aside.text, aside.place) for aside in found.asides] == [("obey me", "line 1"), ("obey me", "line 3")]
    assert found.coverage.hidden_spans == 2
    assert found.coverage.shortfall and "2 runs of invisible characters" in found.coverage.shortfall
