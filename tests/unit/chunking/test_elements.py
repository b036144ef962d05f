from pincite.chunking.elements import CharacterCounter, ElementPolicy
from pincite.model.call import Call
from pincite.model.chunk import NO_TAGS, Chunk, ChunkKind, Tags
from pincite.text.embed_text import text_to_embed
from support.cut_documents import Words, document

LONG = "This paragraph has more than fifty characters, so it is a chunk of its own."
OTHER = "Another paragraph with more than fifty characters, after the first one."
TABLE = "| a | b |\n|---|---|\n| 1 | 2 |"


def cut(text: str) -> list[Chunk]:
    return list(ElementPolicy().cut(document(text), Words(), Call()))


def texts(text: str) -> dict[str, str]:
    return {chunk.locator: chunk.text.strip() for chunk in cut(text)}


def test_each_block_is_a_chunk_numbered_under_its_heading() -> None:
    listed = "- the first item of a list\n- the second item of the same list"
    assert texts(f"{LONG}\n\n# A\n\n{LONG}\n\n{listed}\n\n## B\n\n{OTHER}\n") == {
        "h0-c1": LONG,
        "h1-c1": f"# A\n\n{LONG}",
        "h1-c2": listed,
        "h2-c1": f"## B\n\n{OTHER}",
    }


def test_tables_are_numbered_apart_from_texts() -> None:
    chunks = cut(f"# A\n\n{LONG}\n\n{TABLE}\n\n{OTHER}\n\n{TABLE}\n")
    assert [chunk.locator for chunk in chunks] == ["h1-c1", "h1-t1", "h1-c2", "h1-t2"]
    assert [chunk.kind for chunk in chunks] == [ChunkKind.TEXT, ChunkKind.TABLE] * 2
    assert [chunk.tags for chunk in chunks] == [NO_TAGS, Tags(chunk_type="table")] * 2


def test_a_heading_belongs_to_the_first_chunk_even_a_table() -> None:
    assert texts(f"# A\n\n{TABLE}\n\n{LONG}\n") == {"h1-t1": f"# A\n\n{TABLE}", "h1-c1": LONG}


def test_a_heading_with_nothing_under_it_is_a_chunk() -> None:
    assert texts(f"# A\n\n## B\n\n{LONG}\n") == {"h1-c1": "# A", "h2-c1": f"## B\n\n{LONG}"}


def test_a_heading_too_long_for_a_chunk_is_split_like_a_text() -> None:
    chunks = cut("# " + "A heading of some words. " * 100 + f"\n\n{LONG}\n")
    assert [chunk.locator for chunk in chunks] == ["h1-c1", "h1-c2", "h1-c3"]
    assert all(len(chunk.text) <= 1500 for chunk in chunks)


def test_the_ancestry_is_right_where_levels_are_skipped() -> None:
    chunks = cut(f"# A\n\n### B\n\n{LONG}\n\n## C\n\n{LONG}\n")
    assert [chunk.heading_path for chunk in chunks] == [("A",), ("A", "B"), ("A", "C")]


def test_a_short_text_joins_the_next_and_a_last_one_the_one_before() -> None:
    assert texts(f"Note:\n\n{LONG}\n\n{OTHER}\n\nThe end.\n") == {
        "h0-c1": f"Note:\n\n{LONG}",
        "h0-c2": f"{OTHER}\n\nThe end.",
    }
    assert texts("One.\n\nTwo.\n\nThree.\n") == {"h0-c1": "One.\n\nTwo.\n\nThree."}


def test_fifty_characters_are_not_short() -> None:
    assert len(texts("x" * 49 + f"\n\n{LONG}\n")) == 1
    assert len(texts("x" * 50 + f"\n\n{LONG}\n")) == 2


def test_short_texts_join_neither_a_table_nor_another_section() -> None:
    assert texts(f"# A\n\n{TABLE}\n\nNote.\n\n{TABLE}\n\n# B\n\nShort.\n\n# C\n\n{LONG}\n") == {
        "h1-t1": f"# A\n\n{TABLE}",
        "h1-c1": "Note.",
        "h1-t2": TABLE,
        "h2-c1": "# B\n\nShort.",
        "h3-c1": f"# C\n\n{LONG}",
    }


def test_a_text_over_1500_characters_is_split_at_sentences() -> None:
    sentence = "A sentence of some words about nothing in particular. "
    assert len(texts(("x" * 1499) + ".\n")) == 1
    parts = [chunk.text for chunk in cut(sentence * 60)]
    assert len(parts) == 3
    assert all(len(part) <= 1500 and part.strip().endswith(".") for part in parts)


def test_a_sentence_over_1500_characters_is_split_between_words_or_within_one() -> None:
    assert [len(chunk.text) for chunk in cut("x" * 3100 + "\n")] == [1500, 1500, 101]
    assert all(chunk.text.rstrip().endswith("word") for chunk in cut("word " * 700))


def test_a_short_rest_stays_alone_where_the_two_would_be_too_long() -> None:
    assert [len(chunk.text.strip()) for chunk in cut("x" * 1500 + "\n\nThe end.\n")] == [1500, 8]


def test_a_long_table_is_one_chunk() -> None:
    rows = "".join(f"| {n} | {LONG} |\n" for n in range(500))
    (table,) = cut(f"| a | b |\n|---|---|\n{rows}")
    assert (table.locator, table.text.count("\n")) == ("h0-t1", 502)


def test_front_matter_is_in_the_first_chunk_and_not_embedded() -> None:
    (first,) = cut(f"---\ntitle: T\n---\n\n{LONG}\n")
    assert (first.text, text_to_embed(first)) == (f"---\ntitle: T\n---\n\n{LONG}\n", f"T.\n{LONG}\n")
    matter, table = cut(f"---\ntitle: T\n---\n\n{TABLE}\n")
    assert (matter.text, table.text) == ("---\ntitle: T\n---\n\n", f"{TABLE}\n")


def test_the_payload_of_a_data_url_does_not_count() -> None:
    assert len(cut(f"![x](data:image/png;base64,{'A' * 4000}) {LONG}\n")) == 1


def test_characters_add_up_across_white_space() -> None:
    counter = CharacterCounter()
    assert counter.count("ab  c\n") == counter.count("ab") + counter.count("c") == 5
    assert (counter.cut("ab c", 5), counter.cut("abcdef", 4), counter.cut("abc", 1)) == (4, 3, 1)
