"""What every chunking policy must do, over `registry.POLICIES`."""

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.chunking.base import Policy
from pincite.chunking.interruptible import SLICE_CHARS
from pincite.chunking.profiles import PROFILES
from pincite.embedding.wordpiece import WordPiece
from pincite.errors import Cancelled, PinciteError, TimeoutExceeded, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.detect.sniff import detect
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.chunk import Chunk, ChunkKind
from pincite.model.document import BlockKind, Document, Section
from pincite.model.locator import Ref, parse
from pincite.registry import FORMATS, POLICIES, Format, find, load
from pincite.text.embed_text import text_to_embed
from support.calls import StopAfter
from support.cut_documents import BIG, MARKDOWN, STRUCTURED, Counting, document
from support.packages import offered

PARAMETERS: Mapping[str, Callable[[int], dict[str, Any]]] = {
    "sections": lambda limit: {"max_tokens": limit},
    "windows": lambda limit: {"size": limit, "overlap": limit // 4},
    "elements": lambda limit: {"min_chars": limit // 2, "max_chars": 4 * limit},
    # No token has less than a character.
    "passages": lambda limit: {
        "profiles": {name: replace(each, size=limit // 2, overlap=limit // 8) for name, each in PROFILES.items()},
        "context_tokens": limit // 2 - 1,
    },
    "clauses": lambda limit: {"minimum": limit // 2, "maximum": limit, "overlap": limit // 4},
    **offered("policies"),
}
"""Policy → what it is made with so that no chunk has more tokens than a limit; a new one adds its line."""

WHOLE_TEXT = ("passages", "clauses")
"""Policies whose spans may run on into the sections that follow, or begin with the headings above."""

BOUNDED_IN_CHARACTERS = {"elements", "passages"}
"""Policies that count a text in characters (contracts 3 and 4), of which a sign such as `½` has three tokens."""

PROSE, TABLE = "Some words of a sentence. " * 40, "| a | b |\n|---|---|\n| 1 | 2 |"
SAMPLE = "".join(f"# Part {n}\n\n{PROSE}\n\n{TABLE}\n\n{PROSE}\n\n" for n in range(5))

LONG_CHARS = 250_000
"""Enough for a policy that measures a text again and again to exceed any multiple of it."""

MOST_FILES, MOST_BYTES = 4, 300_000
"""Of each format about so many files, from small to large, none of them larger."""

policies = pytest.mark.parametrize("name", [row.name for row in POLICIES])
limits = st.integers(min_value=8, max_value=60)
tokenizer = WordPiece()


def made(name: str, limit: int) -> Policy:
    return load(find(POLICIES, name))(**PARAMETERS[name](limit))


def cut(found: Document, name: str, limit: int) -> list[Chunk]:
    return list(made(name, limit).cut(found, tokenizer, Call()))


def most_tokens(name: str, limit: int) -> float:
    return math.inf if name in BOUNDED_IN_CHARACTERS else limit


def laid_out(found: Document, name: str) -> Document:
    return made(name, 50).lay_out(found)


def check(found: Document, chunks: Sequence[Chunk], limit: float, *, within_sections: bool = True) -> None:
    """All that holds of the chunks of any policy."""
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
    assert len({chunk.locator for chunk in chunks}) == len(chunks)
    end = 0
    for chunk in chunks:
        assert chunk.start <= end, "a character is in no chunk"
        end = max(end, chunk.end)
        check_one(found, chunk, limit)
    assert end == len(found.text)
    assert [chunk.start for chunk in chunks] == sorted(chunk.start for chunk in chunks)
    for section in found.sections:
        of_section = [chunk for chunk in chunks if section.start <= embedded(chunk) < section.end]
        check_section(section, of_section)
        assert not within_sections or (of_section and all(chunk.end <= section.end for chunk in of_section))


def embedded(chunk: Chunk) -> int:
    """Where its embedded text begins."""
    return min(chunk.start + chunk.embed_start, chunk.end - 1)


def check_one(found: Document, chunk: Chunk, limit: float) -> None:
    assert parse(str(Ref("a.md", "00000000", chunk.locator))).locator == chunk.locator
    assert 0 <= chunk.start < chunk.end <= len(found.text)
    assert chunk.text == found.text[chunk.start : chunk.end]
    assert 0 <= chunk.embed_start <= len(chunk.text)
    for placed in chunk.boxes:
        assert placed.page in chunk.pages and 0 <= placed.start <= placed.end <= len(chunk.text)
    if len(chunk.text.strip()) > 1:
        assert chunk.tokens <= limit
        assert tokenizer.count(text_to_embed(chunk)) <= limit


def check_section(section: Section, chunks: Sequence[Chunk]) -> None:
    assert [chunk.part for chunk in chunks] == list(range(1, len(chunks) + 1))
    assert all(chunk.parts == len(chunks) for chunk in chunks)
    for kind, letter in ((ChunkKind.TEXT, "c"), (ChunkKind.TABLE, "t")):
        locators = [chunk.locator for chunk in chunks if chunk.kind is kind]
        assert locators == [f"h{section.number}-{letter}{n}" for n in range(1, len(locators) + 1)]
    for chunk in chunks:
        assert (chunk.heading_path, chunk.level) == (section.path, section.level)


@policies
@given(text=MARKDOWN | STRUCTURED, limit=limits)
def test_chunks_cover_the_text_in_order_and_none_is_too_long(name: str, text: str, limit: int) -> None:
    found = laid_out(document(text), name)
    chunks = cut(found, name, limit)
    check(found, chunks, most_tokens(name, limit), within_sections=name not in WHOLE_TEXT)
    for chunk in chunks:
        assert chunk.tokens == tokenizer.count(f"{chunk.context}\n{chunk.text[chunk.embed_start :]}")


@pytest.mark.parametrize("name", ["sections", "elements"])
@given(text=MARKDOWN | STRUCTURED, limit=limits)
def test_the_chunks_of_sections_and_elements_partition_the_text(name: str, text: str, limit: int) -> None:
    found = document(text)
    assert "".join(chunk.text for chunk in cut(found, name, limit)) == found.text


@given(text=MARKDOWN | STRUCTURED, limit=limits)
def test_an_element_is_a_block_or_part_of_it_and_a_table_stays_whole(text: str, limit: int) -> None:
    found = document(text)
    most = PARAMETERS["elements"](limit)["max_chars"]
    chunks = cut(found, "elements", limit)
    blocks = [block for section in found.sections for block in section.blocks]
    tables = [found.text[block.start : block.end] for block in blocks if block.kind is BlockKind.TABLE]
    inside = [chunk.text for chunk in chunks if chunk.kind is ChunkKind.TABLE]
    assert len(inside) == len(tables) and all(map(str.__contains__, inside, tables))
    headings = {block.start: block.end for block in blocks if block.kind is BlockKind.HEADING}
    for chunk in chunks:
        if chunk.kind is ChunkKind.TEXT:
            body = chunk.start + chunk.embed_start
            below_heading = found.text[headings.get(body, body) : chunk.end]
            assert min(len(" ".join(below_heading.split())), len(chunk.text)) <= most


@given(text=MARKDOWN | STRUCTURED, limit=limits)
def test_windows_repeat_no_more_than_the_overlap(text: str, limit: int) -> None:
    found = document(text)
    for one, other in pairwise(cut(found, "windows", limit)):
        assert one.start < other.start and one.end < other.end
        if one.end > other.start:
            assert one.kind is other.kind is ChunkKind.TEXT
            assert tokenizer.count(found.text[other.start : one.end]) <= PARAMETERS["windows"](limit)["overlap"]


@policies
@pytest.mark.data
@pytest.mark.parametrize("row", FORMATS, ids=lambda row: row.name)
def test_laying_out_adds_lines_between_blocks_and_changes_no_block(name: str, row: Format, data: Path) -> None:
    for found in real_documents(row, data):
        laid = laid_out(found, name)
        assert [section.path for section in laid.sections] == [section.path for section in found.sections]
        assert [(one.end, other.start) for one, other in pairwise(laid.sections) if one.end != other.start] == []
        for one, other in zip(found.sections, laid.sections, strict=True):
            for block, moved in zip(one.blocks, other.blocks, strict=True):
                assert other.start <= moved.start <= moved.end <= other.end
                text = laid.text[moved.start : moved.end]
                assert text == found.text[block.start : block.end] or block.title in text


@policies
@pytest.mark.parametrize("text", ["", "\n", " \n\t\n"])
def test_an_empty_document_has_no_chunks(name: str, text: str) -> None:
    assert cut(document(text), name, 50) == []


@policies
def test_the_same_document_gives_the_same_chunks(name: str) -> None:
    found = document(SAMPLE)
    assert cut(found, name, 50) == cut(found, name, 50)


def test_whatever_moves_a_cut_changes_the_identity() -> None:
    identities: list[str] = []
    for row in POLICIES:
        assert made(row.name, 50).identity == made(row.name, 50).identity
        parameters = PARAMETERS[row.name](50)
        larger = PARAMETERS[row.name](80)
        variants = ({**parameters, parameter: larger[parameter]} for parameter in parameters)
        identities += [load(row)(**given).identity for given in (parameters, *variants)]
    assert len(set(identities)) == len(identities)


@policies
def test_a_call_that_is_over_stops_it(name: str) -> None:
    gone = Call()
    gone.stop.set()
    with pytest.raises(Cancelled):
        list(made(name, 50).cut(document(SAMPLE), tokenizer, gone))
    with pytest.raises(TimeoutExceeded):
        list(made(name, 50).cut(document(SAMPLE), tokenizer, Call(deadline=0.0)))


@policies
@pytest.mark.parametrize("kind", BIG)
def test_a_call_that_ends_within_a_megabyte_stops_soon(name: str, kind: str) -> None:
    found, counting = big_document(kind), Counting()
    with pytest.raises(Cancelled):
        list(made(name, 40).cut(found, counting, Call(stop=StopAfter(5))))
    assert counting.characters < 6 * 2 * SLICE_CHARS


@policies
@pytest.mark.parametrize("kind", BIG)
def test_a_long_section_is_measured_a_few_times_and_no_more(name: str, kind: str) -> None:
    counting = Counting()
    found = big_document(kind, LONG_CHARS)
    list(made(name, 40).cut(found, counting, Call()))
    assert counting.characters < 8 * len(found.text)


@cache
def big_document(kind: str, chars: int | None = None) -> Document:
    """Read a text of a megabyte, or its first characters, once for all policies."""
    return document(BIG[kind][:chars])


@pytest.mark.slow
@pytest.mark.data
@policies
@pytest.mark.parametrize("row", FORMATS, ids=lambda row: row.name)
def test_chunks_of_real_files_cover_them(name: str, row: Format, data: Path) -> None:
    for found in real_documents(row, data):
        for limit in (48, 256):
            laid = laid_out(found, name)
            check(laid, cut(laid, name, limit), most_tokens(name, limit), within_sections=name not in WHOLE_TEXT)


@cache
def real_documents(row: Format, data: Path) -> Sequence[Document]:
    """Some files of a format, as read; the test is skipped where there is none."""
    try:
        load(row)
    except Unsupported as missing:
        pytest.skip(missing.message)
    files = [path for path in data.rglob("*") if path.suffix in row.extensions and "hostile" not in path.parts]
    sizes = sorted((path.stat().st_size, path) for path in files)
    allowed = [path for size, path in sizes if size <= MOST_BYTES and detect(path.name, path.read_bytes()) is row]
    documents: list[Document] = []
    for path in allowed[:: max(1, len(allowed) // MOST_FILES)]:
        with suppress(PinciteError):  # a file without text
            documents.append(read_document(row, Blob(path.name, path.read_bytes()), ReadOptions(), Call()))
    if not documents:
        pytest.skip(f"the shared data has no {row.name} file that can be read")
    return documents
