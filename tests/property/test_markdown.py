import io
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.markdown import front_matter
from pincite.formats.markdown.outline import MAX_NESTING, Outline
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import BlockKind, Document
from pincite.registry import FORMATS

PIECES = [
    "> ", "- ", "1. ", "2) ", "# ", "## ", "```", "~~~", "\n", "\n", "\n\n", "    ", "\t", " ", "  ", "|a|b", "|-|-|",
    "-|-", "text", "a", "<div>", "</div>", "<!--", "-->", "<b>", "[a]: b", "[a]", "'t", "'t'", "***", "===", "---",
    "-", "=", "+ ", "*", "|", ":", "`", "\\", "_ _ _", "\n> ", "\n- ", "\n  ", "<h1>", "</h1>", "<h3>b</h3>", "\r\n",
    "\r", "\u2028", "\x0c", "+++\n", "title: x\n",
]  # fmt: skip
markdown = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
words = st.sampled_from(["Alpha", "beta", "Gamma ray", "d", "Ünïcode 日本"])


def plain_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING, "inline_definitions": True})
    return parser.enable(["table", "strikethrough"])


def document(text: str | bytes) -> Document:
    data = text.encode() if isinstance(text, str) else text
    return read_document(FORMATS[0], Blob("a.md", data), ReadOptions(), Call())


@settings(max_examples=150)
@given(markdown)
@example("[a\n|a|b|\n|-|-|\n")
@example("> [a\n|a|b|\n|-|-|\n")
def test_the_outline_is_the_top_level_of_markdown_its_own_tokens(text: str) -> None:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    tokens = plain_parser().parse(text)
    expected = [
        (token.type, *(token.map or ()), tokens[i + 1].content if token.type == "heading_open" else token.info)
        for i, token in enumerate(tokens)
        if token.level == 0 and token.nesting >= 0
    ]
    found = [(block.kind, block.first, block.end, block.content) for block in Outline(text, 1000, Call()).blocks()]
    assert found == expected


@example("\u2028\n# A separator of lines is a paragraph to the parser")
@given(markdown)
def test_sections_partition_the_text_and_blocks_lie_in_order(text: str) -> None:
    found = document(text)
    assert found.text == (text if text.strip() else "")
    assert "".join(found.text[section.start : section.end] for section in found.sections) == found.text
    position = 0
    for section in found.sections:
        assert section.number == 0 or section.blocks[0].kind is BlockKind.HEADING
        for block in section.blocks:
            assert max(position, section.start) <= block.start < block.end <= section.end
            position = block.end


@given(markdown)
def test_carriage_returns_change_no_heading(text: str) -> None:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    expected = [(section.level, section.path) for section in document(text).sections]
    for end in ("\r\n", "\r"):
        found = document(text.replace("\n", end))
        assert [(section.level, section.path) for section in found.sections] == expected


@given(markdown)
def test_a_byte_order_mark_changes_nothing(text: str) -> None:
    bare, marked = document(text), document(b"\xef\xbb\xbf" + text.encode())
    assert (bare.text, bare.sections) == (marked.text, marked.sections)


headings = st.tuples(st.integers(1, 6), words, st.sampled_from(["atx", "closed", "setext", "html", "id"]))


@given(
    st.lists(
        st.tuples(headings, st.sampled_from(["", "text", "```\n# no\n```", "- # no", "> # no\n", "<!-- # no -->"]))
    )
)
def test_breadcrumbs_are_those_of_a_naive_reading(pages: list[tuple[tuple[int, str, str], str]]) -> None:
    text = ""
    expected: list[tuple[str, ...]] = []
    seen: list[tuple[int, str]] = []
    for (deep, title, style), body in pages:
        level = min(deep, 2) if style == "setext" else deep
        text += _heading(level, title, style) + "\n\n" + body + "\n\n"
        path = [title]
        lowest = level
        for above, name in reversed(seen):
            if above < lowest:
                path.insert(0, name)
                lowest = above
        expected.append(tuple(path))
        seen.append((level, title))
    assert [section.path for section in document(text).sections] == expected


def _heading(level: int, title: str, style: str) -> str:
    if style == "setext":
        return f"{title}\n{'=-'[level - 1] * 3}"
    if style == "html":
        return f"<h{level}>{title}</h{level}>"
    return f"{'#' * level} {title}" + {"closed": " ##", "id": " {#an-id}"}.get(style, "")


def _pages(data: Path) -> Iterator[tuple[str, bytes]]:
    for folder in ("docs-prometheus", "nist-800-63-3", "asvs-4.0.3/md"):
        for path in sorted((data / folder).rglob("*.md")):
            yield str(path), path.read_bytes()
    with tarfile.open(data / "docs-tldr.tar.xz") as archive:
        for number, member in enumerate(archive):
            file = archive.extractfile(member) if number % 20 == 0 and member.name.endswith(".md") else None
            if file is not None:
                yield member.name, io.BytesIO(file.read()).read()


@pytest.mark.data
def test_real_pages_have_the_headings_that_a_full_parse_finds(data: Path) -> None:
    parser = plain_parser()
    pages = 0
    for name, content in _pages(data):
        found = document(content)
        text = content.decode("utf-8-sig", "replace")
        assert "".join(found.text[section.start : section.end] for section in found.sections) == text, name
        matter = front_matter.find(text)
        tokens = parser.parse(text[matter.end :] if matter else text)
        levels = [int(token.tag[1]) for token in tokens if token.type == "heading_open" and token.level == 0]
        html = sum(token.content.lower().count("</h") for token in tokens if token.type in ("html_block", "inline"))
        blocks = [block for section in found.sections for block in section.blocks if block.level]
        if html:
            assert len(levels) <= len(blocks) <= len(levels) + html, name
        else:
            assert [block.level for block in blocks] == levels, name
        pages += 1
    assert pages > 800
