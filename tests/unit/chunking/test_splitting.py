import time

import pytest

from support.cut_documents import Words, cut, cut_document, document, texts


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
    parts = cut_document(document(text), 10, Characters())
    assert [part.text for part in parts] == ["x" * 10, "x" * 10, "x" * 5 + "\n"]


def test_a_character_that_is_too_much_alone_is_a_chunk() -> None:
    assert [part.text for part in cut_document(document("abc"), 2, Heavy())] == ["a", "b", "c"]


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_a_tiny_limit_still_ends(limit: int) -> None:
    assert all(part.tokens <= max(2, limit) for part in cut("# A b c\n\none two. three\n\n- x\n", limit))


def test_text_without_tokens_is_cut_by_its_length() -> None:
    text = "a" * 1_000_000
    parts = cut_document(document(text), 100, Words())
    assert "".join(part.text for part in parts) == text
    assert max(len(part.text) for part in parts) <= 6400


def test_blank_lines_are_free() -> None:
    assert len(cut("# A\n\none" + "\n" * 50_000 + "two\n", 10)) <= 2


def test_a_megabyte_is_cut_in_linear_time() -> None:
    text = "".join(f"## S{n}\n\n" + "word " * 60 + "\n\n" for n in range(3000))
    found = document(text)
    started = time.thread_time()
    assert len(cut_document(found, 40, Words())) > 3000
    assert time.thread_time() - started < 5
