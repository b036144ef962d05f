from pincite.model.chunk import Chunk, ChunkKind, last_heading, text_hash


def chunk(*path: str) -> Chunk:
    return Chunk(0, "h1-c1", ChunkKind.TEXT, path, len(path), 1, 1, 0, 4, "text", "")


def test_a_breadcrumb_leaves_headings_without_text_out() -> None:
    assert chunk("Guide", "", "Cost").breadcrumb == "Guide > Cost"
    assert [last_heading(one) for one in ("Guide > Cost", "Guide", "")] == ["Cost", "Guide", ""]
    assert (chunk("Guide", "Cost").heading, chunk().heading, chunk().breadcrumb) == ("Cost", "", "")


def test_any_text_has_a_hash_of_16_bytes() -> None:
    assert len(text_hash("half \ud800 a character")) == 16
    assert text_hash("a") == text_hash("a") != text_hash("b")
