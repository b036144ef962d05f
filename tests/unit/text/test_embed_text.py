"""What of a chunk is embedded."""

from dataclasses import replace

import pytest

from pincite.model.chunk import text_hash
from pincite.text.embed_text import embed_hash, embed_text
from support.overlapping import chunk


def test_title_and_own_heading_come_first_as_sentences() -> None:
    assert embed_text("Guide > Part > Cost", "### Cost\n\nIt is **free**.") == "Guide. Cost.\nCost\n\nIt is free."


@pytest.mark.parametrize(
    ("heading", "seen"),
    [
        ("5.1.1.2 Memorized Secret Verifiers", "Memorized Secret Verifiers"),
        ("8.4. Redress", "Redress"),
        ("Appendix A—Definitions", "Definitions"),
        ("Section 3: Scope", "Scope"),
        ("A.2 Length", "Length"),
        ("A guide", "A guide"),
        ("UI settings", "UI settings"),
        ("404 errors", "404 errors"),
        ("2.1.1", "2.1.1"),
        ("Appendix A", "Appendix A"),
    ],
)
def test_the_number_of_a_heading_means_nothing(heading: str, seen: str) -> None:
    assert embed_text(f"Standard > {heading}", "text") == f"Standard. {seen}.\ntext"


def test_before_the_first_heading_below_it_the_title_comes_alone() -> None:
    assert embed_text("tar", "# tar\n\n> Archives.") == "tar.\n# tar\n\n> Archives."
    assert embed_text("", "text") == "text"


def test_front_matter_is_left_out() -> None:
    assert embed_text("Guide > Part", "---\na: b\n---\ntext"[13:]) == "Guide. Part.\ntext"


def test_the_hash_is_that_of_what_is_embedded() -> None:
    front = chunk(0, "h1-c1", 0, 20)
    assert embed_hash(front) == text_hash(embed_text("", front.text))
    assert embed_hash(replace(front, context="Keys")) == text_hash(embed_text("Keys", front.text))
    assert embed_hash(replace(front, embed_start=8)) == text_hash(embed_text("", front.text[8:]))
