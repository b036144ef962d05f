from pathlib import Path

import pytest

from pincite.chunking.windows import WindowPolicy
from pincite.errors import ConfigError
from pincite.formats.writing.builder import build
from pincite.model.call import Call
from pincite.model.chunk import NO_TAGS, Chunk, ChunkKind, SourceText, Tags
from pincite.model.document import Block, BlockKind, Cell, Head, Page, Table
from pincite.text.embed_text import text_to_embed
from support.cut_documents import Words, document


def cut(text: str, size: int, overlap: int) -> list[Chunk]:
    return list(WindowPolicy(size, overlap).cut(document(text), Words(), Call()))


def texts(text: str, size: int, overlap: int) -> list[str]:
    return [chunk.text for chunk in cut(text, size, overlap)]


SENTENCES = "A one two. B three. C four. D five six. E seven.\n"


def test_a_window_repeats_the_last_sentences_of_the_one_before() -> None:
    assert texts(SENTENCES, 8, 4) == [
        "A one two. B three. C four. ",
        "B three. C four. D five six. ",
        "D five six. E seven.\n",
    ]


def test_a_sentence_longer_than_the_overlap_is_not_repeated() -> None:
    assert texts("A one two three four. B three. C d e f g h.\n", 8, 3) == [
        "A one two three four. B three. ",
        "B three. C d e f g h.\n",
    ]
    assert texts("A b c d e five. G h i j k six.\n", 8, 4) == ["A b c d e five. ", "G h i j k six.\n"]


def test_without_overlap_windows_follow_each_other() -> None:
    assert "".join(texts(SENTENCES, 6, 0)) == SENTENCES
    assert texts("A one two. B three.\n\nC four. D five.\n", 6, 0) == ["A one two. B three.\n\n", "C four. D five.\n"]


def test_an_overlap_of_more_than_half_a_window_is_used_to_half() -> None:
    words = " ".join(f"W{n}." for n in range(40)) + "\n"
    assert texts(words, 8, 7) == texts(words, 8, 4)
    assert len(texts(words, 8, 7)) == 9


def test_items_and_lines_are_repeated_whole() -> None:
    assert texts("- a b\n- c d\n- e f\n- g h\n", 7, 3) == ["- a b\n- c d\n", "- c d\n- e f\n", "- e f\n- g h\n"]
    assert texts("```\na b\nc d\ne f\n```\n", 6, 2) == ["```\na b\nc d\n", "c d\ne f\n```\n"]


def test_no_window_crosses_a_heading() -> None:
    assert texts("# A\n\none. Two.\n\n# B\n\nthree\n", 20, 5) == ["# A\n\none. Two.\n\n", "# B\n\nthree\n"]


TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n"


def test_a_table_is_a_chunk_of_its_own() -> None:
    chunks = cut(f"# A\n\none two\n\n{TABLE}\nthree\n\n{TABLE}", 50, 10)
    assert [chunk.text for chunk in chunks] == ["# A\n\none two\n\n", f"{TABLE}\n", "three\n\n", TABLE]
    assert [chunk.locator for chunk in chunks] == ["h1-c1", "h1-t1", "h1-c2", "h1-t2"]
    assert [chunk.kind for chunk in chunks] == [ChunkKind.TEXT, ChunkKind.TABLE] * 2
    assert [chunk.tags for chunk in chunks] == [NO_TAGS, Tags(chunk_type="table")] * 2
    assert [(chunk.part, chunk.parts) for chunk in chunks] == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_tables_that_follow_each_other_are_chunks_apart() -> None:
    chunks = cut(f"{TABLE}\n{TABLE}", 50, 10)
    assert [chunk.locator for chunk in chunks] == ["h0-t1", "h0-t2"]


def test_a_long_table_is_split_between_rows_and_the_next_one_continues_its_numbers() -> None:
    rows = "".join(f"| {n} | x |\n" for n in range(5))
    chunks = cut(f"| a | b |\n|---|---|\n{rows}\n{TABLE}", 12, 4)
    assert [chunk.text for chunk in chunks] == [
        "| a | b |\n|---|---|\n| 0 | x |\n",
        "| 1 | x |\n| 2 | x |\n",
        "| 3 | x |\n| 4 | x |\n\n",
        TABLE,
    ]
    assert [chunk.locator for chunk in chunks] == ["h0-t1", "h0-t2", "h0-t3", "h0-t4"]


def test_the_order_of_a_table_in_its_file_goes_with_its_chunk() -> None:
    text = "p\n\n| |\n| --- |\n| x |\n"
    table = Block(BlockKind.TABLE, 3, 22, table=Table(1, 1, (Cell(0, 0, "x"),), source="y x"))
    found = build("a.pdf", "", "", [Head(), Page(None, text, (Block(BlockKind.PARAGRAPH, 0, 1), table))])
    chunks = list(WindowPolicy(50, 10).cut(found, Words(), Call()))
    assert [chunk.sources for chunk in chunks] == [(), (SourceText(0, 19, "y x"),)]


def test_front_matter_before_a_table_is_a_chunk_without_embedded_text() -> None:
    matter, table = cut(f"---\ntitle: T\n---\n\n{TABLE}", 50, 10)
    assert (matter.text, text_to_embed(matter)) == ("---\ntitle: T\n---\n\n", "T.\n")
    assert (table.text, table.embed_start) == (TABLE, 0)


@pytest.mark.parametrize(("size", "overlap"), [(256, 256), (256, 300), (256, -1), (0, 0)])
def test_an_overlap_that_leaves_no_room_is_refused(size: int, overlap: int) -> None:
    with pytest.raises(ConfigError, match=rf"overlap of chunks \({overlap} tokens\).*less than their size \({size} "):
        WindowPolicy(size, overlap)


@pytest.mark.data
def test_a_document_of_clauses_has_few_more_chunks_than_its_text_needs(data: Path) -> None:
    text = (data / "asvs-4.0.3" / "md" / "0x11-V2-Authentication.md").read_text("utf-8")
    chunks = cut(text, 200, 50)
    assert {chunk.kind for chunk in chunks} == {ChunkKind.TEXT, ChunkKind.TABLE}
    assert sum(len(chunk.text) for chunk in chunks) < 1.4 * len(text)
