"""Documents made of blocks, cut by counters of words and characters."""

from hypothesis import strategies as st

from pincite.chunking.sections import SectionPolicy
from pincite.chunking.tokens import TokenCounter
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.detect.decode import is_binary
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.chunk import Chunk
from pincite.model.document import Document
from pincite.registry import FORMATS

PIECES = [
    "# ", "## ", "#### ", "===\n", "---\n", "- ", "1. ", "> ", "```\n", "    ", "| a | b |\n", "|---|---|\n",
    "<h2>", "</h2>", "<div>\n", "\n", "\n\n", "\r\n", " ", ". ", "word", "Another word", "unaffable", "x" * 130,
    "日本語。", "e\u0301", "\u0301", "\u200b", "\u00a0", "\x0b", "\x1c", "\u2028", "😀", "title: T\n", "[a]: b\n",
]  # fmt: skip
MARKDOWN = (
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=60)
    .map("".join)
    .filter(lambda text: not is_binary(text.encode()))
)

_WORDS = st.sampled_from(["word", "unaffable", "Another word", "x" * 40, "日本語。", "e.g. this", "1.5"])
_SENTENCE = st.lists(_WORDS, min_size=1, max_size=12).map(lambda words: " ".join(words).capitalize() + ". ")
_PROSE = st.lists(_SENTENCE, min_size=1, max_size=8).map("".join)
_ROWS = st.lists(st.lists(_WORDS, min_size=2, max_size=2).map(" | ".join), min_size=1, max_size=8)
_TABLE = _ROWS.map(lambda rows: "| a | b |\n|---|---|\n" + "\n".join(f"| {row} |" for row in rows))
_HEADING = st.tuples(st.sampled_from(["#", "##", "####"]), _WORDS).map(" ".join)
_ITEMS = st.lists(_SENTENCE, min_size=1, max_size=6).map(lambda items: "\n".join(f"- {item}" for item in items))
_CODE = st.lists(_WORDS, max_size=8).map(lambda lines: "\n".join(["```", *lines, "```"]))
_MATTER = st.sampled_from(["", "", "---\ntitle: T\n---\n", "---\na: b\n---\n\n"])
_BLOCKS = st.lists(st.one_of(_HEADING, _PROSE, _PROSE, _TABLE, _TABLE, _ITEMS, _CODE), max_size=10)
STRUCTURED = st.tuples(_MATTER, _BLOCKS.map("\n\n".join), st.just("\n")).map("".join)
"""Markdown with what policies tell apart: paragraphs of sentences, tables, lists, code, headings, front matter."""

BIG = {
    "one line": "# A\n\n" + "word " * 200_000,
    "one word": "# A\n\n" + "x" * 1_000_000,
    "list": "# A\n\n" + "- some words of an item\n" * 40_000,
    "code": "# A\n\n```\n" + "some words of a program\n" * 40_000 + "```\n",
    "table": "# A\n\n| a | b |\n|---|---|\n" + "| some words | of a row |\n" * 40_000,
    "paragraphs": "# A\n\n" + "some words of a paragraph\n\n" * 40_000,
}
"""A section of a megabyte."""


class Words:
    """Every run between white space is a token; a cut keeps whole words, or one character."""

    def count(self, text: str) -> int:
        return len(text.split())

    def cut(self, text: str, limit: int) -> int:
        position = 0
        for word in text.split()[:limit]:
            position = text.index(word, position) + len(word)
        return max(1, len(text) if self.count(text) <= limit else position)


class Counting(Words):
    """Counts what it is given to count, too."""

    def __init__(self) -> None:
        self.characters = 0

    def count(self, text: str) -> int:
        self.characters += len(text)
        return super().count(text)


def document(text: str) -> Document:
    return read_document(FORMATS[0], Blob("a.md", text.encode()), ReadOptions(), Call())


def cut_document(document: Document, limit: int, tokens: TokenCounter, call: Call | None = None) -> list[Chunk]:
    return list(SectionPolicy(limit).cut(document, tokens, call or Call()))


def cut(text: str, limit: int) -> list[Chunk]:
    chunks = cut_document(document(text), limit, Words())
    assert "".join(part.text for part in chunks) == text
    return chunks


def texts(text: str, limit: int) -> list[str]:
    return [part.text for part in cut(text, limit)]
