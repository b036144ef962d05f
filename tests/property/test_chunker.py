import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.chunking.chunker import chunk
from pincite.chunking.policy import docs
from pincite.chunking.sentences import sentence_ends
from pincite.embedding.wordpiece import WordPiece
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.detect.decode import is_binary
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.chunk import Chunk
from pincite.model.document import Document
from pincite.model.locator import Ref, parse
from pincite.registry import FORMATS
from pincite.text.embed_text import text_to_embed

PIECES = [
    "# ", "## ", "#### ", "===\n", "---\n", "- ", "1. ", "> ", "```\n", "    ", "| a | b |\n", "|---|---|\n",
    "<h2>", "</h2>", "<div>\n", "\n", "\n\n", "\r\n", " ", ". ", "word", "Another word", "unaffable", "x" * 130,
    "日本語。", "e\u0301", "\u0301", "\u200b", "\u00a0", "\x0b", "\x1c", "\u2028", "😀", "title: T\n", "[a]: b\n",
]  # fmt: skip
markdown = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=60).map("".join)
markdown = markdown.filter(lambda text: not is_binary(text.encode()))
limits = st.integers(min_value=8, max_value=60)
tokenizer = WordPiece()


def document(text: str) -> Document:
    return read_document(FORMATS[0], Blob("a.md", text.encode()), ReadOptions(), Call())


def check(found: Document, chunks: list[Chunk], limit: int) -> None:
    assert "".join(part.text for part in chunks) == found.text
    assert [part.ordinal for part in chunks] == list(range(len(chunks)))
    locators = [part.locator for part in chunks]
    assert len(set(locators)) == len(locators)
    for part in chunks:
        assert parse(str(Ref("a.md", "00000000", part.locator))).locator == part.locator
        assert found.text[part.start : part.end] == part.text
        text = part.text[part.embed_start :]
        assert part.tokens == tokenizer.count(f"{part.context}\n{text}") <= limit
        assert tokenizer.count(text_to_embed(part)) <= limit
        assert 1 <= part.part <= part.parts


@given(markdown, limits)
def test_chunks_partition_the_text_and_none_is_too_long(text: str, limit: int) -> None:
    found = document(text)
    check(found, chunk(found, docs(limit), tokenizer), limit)


@given(markdown)
def test_sections_are_whole_chunks_where_nothing_is_too_long(text: str) -> None:
    found = document(text)
    chunks = chunk(found, docs(100_000), tokenizer)
    assert [(part.start, part.end) for part in chunks] == [(section.start, section.end) for section in found.sections]


@given(st.lists(st.sampled_from([*PIECES, "a", "b.", "c "]), max_size=20), st.sampled_from(" \t\r\n"))
def test_tokens_add_up_across_white_space(pieces: list[str], space: str) -> None:
    middle = len(pieces) // 2
    one, other = "".join(pieces[:middle]), "".join(pieces[middle:])
    assert tokenizer.count(one + space + other) == tokenizer.count(one) + tokenizer.count(other)


@given(st.text())
def test_sentences_rise_to_the_end(text: str) -> None:
    ends = list(sentence_ends(text, 0, len(text)))
    assert ends == sorted(set(ends))
    assert ends[-1:] == ([len(text)] if text else [])


@pytest.mark.data
def test_chunks_of_real_pages_partition_them(data: Path) -> None:
    for folder in ("docs-prometheus", "nist-800-63-3", "asvs-4.0.3/md"):
        for path in sorted((data / folder).rglob("*.md")):
            found = read_document(FORMATS[0], Blob(path.name, path.read_bytes()), ReadOptions(), Call())
            check(found, chunk(found, docs(256), tokenizer), 256)


def test_the_numbers_of_parts_are_no_more_than_needed_by_far() -> None:
    text = "word " * 1000
    assert len(chunk(document(text), docs(100), tokenizer)) <= math.ceil(1000 / 100) + 1
