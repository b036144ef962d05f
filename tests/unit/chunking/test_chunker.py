import threading
import time

import pytest

from pincite.chunking.chunker import chunk
from pincite.chunking.interruptible import SLICE_CHARS, InterruptibleCounter
from pincite.chunking.policy import docs
from pincite.errors import Cancelled
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.formats.writing.builder import build
from pincite.model.call import Call
from pincite.model.chunk import Chunk, PlacedText, SourceText
from pincite.model.document import Block, BlockKind, Box, Cell, Document, Head, Page, Table
from pincite.registry import FORMATS
from pincite.text.embed_text import text_to_embed


class Words:
    """Every run between white space is a token; a cut keeps whole words, or one character."""

    def count(self, text: str) -> int:
        return len(text.split())

    def cut(self, text: str, limit: int) -> int:
        position = 0
        for word in text.split()[:limit]:
            position = text.index(word, position) + len(word)
        return max(1, len(text) if self.count(text) <= limit else position)


class Characters:
    """Every character but white space is a token."""

    def count(self, text: str) -> int:
        return len("".join(text.split()))

    def cut(self, text: str, limit: int) -> int:
        return next((i for i in range(1, len(text)) if self.count(text[: i + 1]) > limit), len(text))


class Heavy:
    """Every character is three tokens."""

    def count(self, text: str) -> int:
        return 3 * len(text)

    def cut(self, text: str, limit: int) -> int:
        return min(len(text), max(1, limit // 3))


def document(text: str) -> Document:
    return read_document(FORMATS[0], Blob("a.md", text.encode()), ReadOptions(), Call())


def cut(text: str, limit: int) -> list[Chunk]:
    chunks = chunk(document(text), docs(limit), Words())
    assert "".join(part.text for part in chunks) == text
    return chunks


def texts(text: str, limit: int) -> list[str]:
    return [part.text for part in cut(text, limit)]


def test_one_chunk_a_section_with_all_that_is_said_of_it() -> None:
    text = "\nintro\n\n# A\n\ntext\n\n### B\n\nmore words\n"
    intro, a, b = cut(text, 50)
    assert [part.ordinal for part in (intro, a, b)] == [0, 1, 2]
    assert [part.locator for part in (intro, a, b)] == ["h0-c1", "h1-c1", "h2-c1"]
    assert [part.breadcrumb for part in (intro, a, b)] == ["", "A", "A > B"]
    assert [part.level for part in (intro, a, b)] == [0, 1, 3]
    assert [part.context for part in (intro, a, b)] == ["A", "A", "A > B"]
    assert [part.text for part in (intro, a, b)] == ["\nintro\n\n", "# A\n\ntext\n\n", "### B\n\nmore words\n"]
    assert (b.part, b.parts, b.heading) == (1, 1, "B")
    assert b.tokens == Words().count(f"{b.context}\n{b.text}") == 7
    assert text[b.start : b.end] == b.text


@pytest.mark.parametrize("text", ["", "\n", " \n\t\n"])
def test_an_empty_document_has_no_chunks(text: str) -> None:
    assert chunk(document(text), docs(50), Words()) == []


def test_a_heading_without_text_is_a_chunk_of_its_own() -> None:
    assert texts("# A\n## B\n\n## C\n", 50) == ["# A\n", "## B\n\n", "## C\n"]


def test_an_empty_heading_is_left_out_of_breadcrumb_and_context() -> None:
    chunks = cut("# A\n\n##\n\ntext\n\n### C\n", 50)
    assert [part.heading_path for part in chunks] == [("A",), ("A", ""), ("A", "", "C")]
    assert [part.breadcrumb for part in chunks] == ["A", "A", "A > C"]
    assert [part.heading for part in chunks] == ["A", "", "C"]
    assert chunks[2].context == "A > C"


@pytest.mark.parametrize(
    ("text", "contexts"),
    [
        ("---\ntitle: T\n---\n# A\n\n## B\n", ["T", "T > A", "T > A > B"]),
        ("---\ntitle: A\n---\n# A\n\n## B\n", ["A", "A", "A > B"]),
        ("# A\n\n# B\n", ["A", "A > B"]),
        ("## B\n", ["B"]),
        ("words\n", [""]),
    ],
)
def test_the_title_stands_before_the_path_unless_it_begins_it(text: str, contexts: list[str]) -> None:
    assert [part.context for part in cut(text, 50)] == contexts


def test_front_matter_belongs_to_the_first_chunk_and_is_not_embedded() -> None:
    matter = "---\n" + "".join(f"key{n}: some words\n" for n in range(50)) + "---\n"
    first, second = cut(matter + "\nintro\n\n# A\n", 20)
    assert first.text == matter + "\nintro\n\n"
    assert text_to_embed(first) == "A.\nintro\n\n"
    assert (first.tokens, first.parts) == (2, 1)
    assert (second.embed_start, second.text) == (0, "# A\n")


def test_front_matter_alone_embeds_its_title_alone() -> None:
    (only,) = cut("---\ntitle: The guide\n---\n", 20)
    assert (text_to_embed(only), only.tokens, only.locator) == ("The guide.\n", 2, "h0-c1")


def test_front_matter_of_a_split_section_stays_with_its_first_part() -> None:
    chunks = cut("---\na: b\n---\n\n" + "one two three four.\n\n" * 5, 10)
    assert [part.embed_start for part in chunks] == [14, 0, 0]
    assert [part.parts for part in chunks] == [3, 3, 3]


def test_a_long_section_is_packed_block_by_block() -> None:
    text = "# A\n\none two three\n\nfour five six\n\n\nseven eight nine\n"
    chunks = cut(text, 8)
    assert [part.text for part in chunks] == [
        "# A\n\none two three\n\n",
        "four five six\n\n\nseven eight nine\n",
    ]
    assert [(part.locator, part.part, part.parts) for part in chunks] == [("h1-c1", 1, 2), ("h1-c2", 2, 2)]
    assert [part.tokens for part in chunks] == [6, 7]


def test_a_heading_stays_with_what_follows_it() -> None:
    chunks = texts("# A\n\none two three. Four five six seven.\n", 8)
    assert chunks == ["# A\n\none two three. ", "Four five six seven.\n"]


def test_a_heading_that_takes_most_of_a_chunk_stands_alone() -> None:
    assert texts("# A a a a a a\n\none two three four five\n", 16) == ["# A a a a a a\n\n", "one two three four five\n"]


@pytest.mark.parametrize(
    ("block", "parts"),
    [
        ("```\na b c\nd e f\n\ng h i\n```\n", ["```\na b c\n", "d e f\n\n", "g h i\n```\n"]),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n", ["| a | b |\n", "|---|---|\n", "| 1 | 2 |\n"]),
        ("- a b\n  c\n- d e\n- f\n", ["- a b\n  c\n", "- d e\n- f\n"]),
        ("1. a b c d e f\n   g\n2. h\n", ["1. a b c d ", "e f\n   g\n2. h\n"]),
        ("> a b c.\n> d e f.\n", ["> a b c.\n", "> d e f.\n"]),
        ("One two. Three four.\nFive six seven.\n", ["One two. Three four.\n", "Five six seven.\n"]),
        ("a b c d e f g h\n", ["a b c d e ", "f g h\n"]),
        ("<div>\na b c d\ne f\n</div>\n", ["<div>\na b c d\n", "e f\n</div>\n"]),
    ],
)
def test_a_long_block_is_cut_where_it_hurts_least(block: str, parts: list[str]) -> None:
    assert texts(block, 5) == parts


def test_a_word_that_is_too_long_is_cut_between_characters() -> None:
    text = "x" * 25 + "\n"
    parts = chunk(document(text), docs(10), Characters())
    assert [part.text for part in parts] == ["x" * 10, "x" * 10, "x" * 5 + "\n"]


def test_a_character_that_is_too_much_alone_is_a_chunk() -> None:
    assert [part.text for part in chunk(document("abc"), docs(2), Heavy())] == ["a", "b", "c"]


def test_a_long_context_never_takes_more_than_half() -> None:
    deep = "".join(f"{'#' * level} one two three {level}\n\n" for level in range(1, 7))
    for part in cut(deep + "text\n", 16):
        assert Words().count(part.context) <= 8 and part.tokens <= 16
    assert cut(deep, 16)[5].context == "one two three 6"
    (only,) = cut("# " + "many " * 40 + "\n", 100)[:1]
    assert only.context == ("many " * 40).strip()
    assert cut("# " + "many " * 40 + "\n", 10)[0].context == ("many " * 5).strip()


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_a_tiny_limit_still_ends(limit: int) -> None:
    assert all(part.tokens <= max(2, limit) for part in cut("# A b c\n\none two. three\n\n- x\n", limit))


def test_text_without_tokens_is_cut_by_its_length() -> None:
    text = "a" * 1_000_000
    parts = chunk(document(text), docs(100), Words())
    assert "".join(part.text for part in parts) == text
    assert max(len(part.text) for part in parts) <= 6400


def test_blank_lines_are_free() -> None:
    assert len(cut("# A\n\none" + "\n" * 50_000 + "two\n", 10)) <= 2


def test_pages_and_boxes_come_from_the_blocks() -> None:
    boxes = [Box(0, n, 1, n + 1) for n in range(4)]
    paragraph = BlockKind.PARAGRAPH
    pages = [
        Page(1, "a b\nc d\n", (Block(paragraph, 0, 3, boxes=(boxes[0],)), Block(paragraph, 4, 7, boxes=(boxes[1],)))),
        Page(2, "e f\ng h\n", (Block(paragraph, 0, 3, boxes=(boxes[2],)), Block(paragraph, 4, 7, boxes=(boxes[3],)))),
    ]
    found = build("a.pdf", "", "", [Head(pages=2), *pages])
    (whole,) = chunk(found, docs(50), Words())
    assert whole.pages == (1, 2)
    assert whole.boxes == tuple(PlacedText(n // 2 + 1, boxes[n], 4 * n, 4 * n + 3) for n in range(4))
    parts = chunk(found, docs(3), Words())
    assert [(part.pages, part.boxes) for part in parts] == [
        ((n // 2 + 1,), (PlacedText(n // 2 + 1, boxes[n], 0, 3),)) for n in range(4)
    ]


def test_a_block_that_is_cut_gives_each_chunk_the_boxes_of_its_part() -> None:
    lines = [Box(0, n, 1, n + 1) for n in range(3)]
    block = Block(BlockKind.PARAGRAPH, 0, 23, boxes=tuple(lines), box_starts=(0, 8, 16))
    found = build("a.pdf", "", "", [Head(pages=1), Page(1, "a b c. \nd e f. \ng h i. \n", (block,))])
    parts = chunk(found, docs(4), Words())
    assert [part.text for part in parts] == ["a b c. \n", "d e f. \n", "g h i. \n"]
    assert [[placed.box for placed in part.boxes] for part in parts] == [[line] for line in lines]


def test_boxes_that_begin_together_share_their_text() -> None:
    boxes = (Box(0, 0, 1, 1), Box(1, 0, 2, 1))
    block = Block(BlockKind.PARAGRAPH, 0, 3, boxes=boxes, box_starts=(0, 0))
    (whole,) = chunk(build("a.pdf", "", "", [Head(pages=1), Page(1, "a b\n", (block,))]), docs(9), Words())
    assert whole.boxes == tuple(PlacedText(1, box, 0, 3) for box in boxes)


def test_a_table_s_own_order_goes_with_the_chunk_that_it_begins_in() -> None:
    table = Table(1, 1, (Cell(0, 0, "x"),), source="y x")
    text = "p\n\n| |\n| --- |\n| x |\n"
    blocks = (Block(BlockKind.PARAGRAPH, 0, 1), Block(BlockKind.TABLE, 3, 22, table=table))
    found = build("a.pdf", "", "", [Head(), Page(None, text, blocks)])
    (whole,) = chunk(found, docs(50), Words())
    assert whole.sources == (SourceText(3, 22, "y x"),)
    parts = chunk(found, docs(3), Words())
    assert len(parts) > 1 and [part.sources for part in parts] == [whole.sources, *[()] * (len(parts) - 1)]


def test_a_megabyte_is_cut_in_linear_time() -> None:
    text = "".join(f"## S{n}\n\n" + "word " * 60 + "\n\n" for n in range(3000))
    found = document(text)
    started = time.thread_time()
    assert len(chunk(found, docs(40), Words())) > 3000
    assert time.thread_time() - started < 5


def test_a_cancelled_call_stops() -> None:
    call = Call()
    call.stop.set()
    with pytest.raises(Cancelled):
        chunk(document("# A\n"), docs(50), Words(), call)


def test_a_picture_in_a_data_url_takes_no_room_and_is_never_cut() -> None:
    picture = f"![logo](data:image/png;base64,{'iVBORw0KGgo+' * 20_000})"
    text = f"# Title\n\nOne two.\n\n{picture}\n\nThree four.\n\n{picture}\n\n{'many words ' * 30}\n"
    chunks = chunk(document(text), docs(20), Words())
    assert "".join(found.text for found in chunks) == text
    assert sum(found.text.count(picture) for found in chunks) == 2
    assert len(chunks) < 10
    assert all("iVBOR" not in text_to_embed(found) for found in chunks)


class Ending(threading.Event):
    """A caller who goes away once he was asked so often."""

    def __init__(self, asked: int) -> None:
        super().__init__()
        self.left = asked

    def is_set(self) -> bool:
        self.left -= 1
        return self.left < 0


class Counting(Words):
    """Counts what it is given to count, too."""

    def __init__(self) -> None:
        self.characters = 0

    def count(self, text: str) -> int:
        self.characters += len(text)
        return super().count(text)


BIG = {
    "one line": "# A\n\n" + "word " * 200_000,
    "one word": "# A\n\n" + "x" * 1_000_000,
    "list": "# A\n\n" + "- some words of an item\n" * 40_000,
    "code": "# A\n\n```\n" + "some words of a program\n" * 40_000 + "```\n",
    "paragraphs": "# A\n\n" + "some words of a paragraph\n\n" * 40_000,
}


@pytest.mark.parametrize("text", BIG.values(), ids=BIG)
def test_a_call_that_ends_within_a_megabyte_stops_soon(text: str) -> None:
    found, counting = document(text), Counting()
    with pytest.raises(Cancelled):
        chunk(found, docs(40), counting, Call(stop=Ending(5)))
    assert counting.characters < 6 * 2 * SLICE_CHARS


@pytest.mark.parametrize("text", ["word " * 50_000, "x" * 300_000, "word\t" * 13_107 + "y" * 70_000 + " z"])
def test_a_long_text_counts_as_its_parts_do(text: str) -> None:
    assert InterruptibleCounter(Words(), Call()).count(text) == pytest.approx(Words().count(text), abs=5)
    assert InterruptibleCounter(Words(), Call()).count(text[:1000]) == Words().count(text[:1000])
