from pincite.model.chunk import Chunk, ChunkKind, parents, text_hash


def chunk(*path: str) -> Chunk:
    return Chunk(0, "h1-c1", ChunkKind.TEXT, path, len(path), 1, 1, 0, 4, "text", "")


def test_a_breadcrumb_leaves_headings_without_text_out() -> None:
    assert chunk("Guide", "", "Cost").breadcrumb == "Guide > Cost"
    assert (chunk("Guide", "Cost").heading, chunk().heading, chunk().breadcrumb) == ("Cost", "", "")


def test_any_text_has_a_hash_of_16_bytes() -> None:
    assert len(text_hash("half \ud800 a character")) == 16
    assert text_hash("a") == text_hash("a") != text_hash("b")


def test_the_parent_is_the_first_chunk_of_the_enclosing_section() -> None:
    sections = [(0, 1), (1, 1), (1, 2), (2, 1), (3, 1), (2, 1), (1, 1)]
    chunks = [
        Chunk(ordinal, "h0-c1", ChunkKind.TEXT, (), level, part, 2, 0, 1, "x", "")
        for ordinal, (level, part) in enumerate(sections)
    ]
    assert parents(chunks) == [None, None, 1, 1, 3, 1, None]
