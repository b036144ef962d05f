"""The chunks of a standard."""

import itertools

import pytest

from pincite.chunking.clauses import WINDOW_TOKENS, ClausePolicy
from pincite.errors import ConfigError
from pincite.model.call import Call
from pincite.model.chunk import Chunk, ChunkKind
from support.cut_documents import Words, document

STANDARD = """# Doors

## 1 Scope

This standard is about doors. See clause 2 and Annex A.

## 2 Requirements

### 2.1 Locks

Locks hold doors. Every door shall have a lock, as in ISO 1234. A lock should be
green.

The lock shall report:

- its state
- its age

| Nr | Text |
|---|---|
| 2.1.1 | Verify that keys turn. |

## Annex A (informative)

Doors must be oiled.
"""


def cut(text: str, minimum: int = 20, maximum: int = 80, overlap: int = 10) -> list[Chunk]:
    return list(ClausePolicy(minimum, maximum, overlap).cut(document(text), Words(), Call()))


def test_a_chunk_is_a_requirement_a_row_or_the_prose_between() -> None:
    assert [(chunk.tags.clause, chunk.tags.chunk_type, chunk.tags.normative) for chunk in cut(STANDARD)] == [
        ("1", "overview", False),
        ("2.1", "guidance", False),
        ("2.1", "requirement", True),
        ("2.1", "recommendation", False),
        ("2.1", "requirement", True),
        ("2.1.1", "requirement", True),
        ("A", "annex", False),
    ]


def test_a_requirement_in_a_comment_is_withdrawn() -> None:
    text = "# Doors\n\nOf locks.\n\nA lock shall be green.\n\n<!-- It shall be red. Or not. -->\n\nIt shall turn.\n"
    required = [chunk.text.strip() for chunk in cut(text) if chunk.tags.normative]
    assert required == ["A lock shall be green.", "It shall turn."]


def test_a_sentence_that_announces_a_list_keeps_it() -> None:
    assert "The lock shall report:\n\n- its state\n- its age\n\n" in [chunk.text for chunk in cut(STANDARD)]


def test_a_heading_is_shown_with_the_first_chunk_and_embedded_as_its_context_alone() -> None:
    first = next(chunk for chunk in cut(STANDARD) if chunk.tags.clause == "2.1")
    assert first.text.startswith("## 2 Requirements\n\n### 2.1 Locks\n\nLocks hold doors.")
    assert first.text[first.embed_start :].startswith("Locks hold doors.")
    assert first.context.endswith("2.1 Locks")


def test_front_matter_belongs_to_the_chunk_of_the_first_section() -> None:
    first, *_ = cut("---\ntitle: Doors\n---\n# Doors\n\nDoors shall lock.\n")
    assert (first.text.startswith("---"), first.body, first.tags.chunk_type) == (
        True,
        "Doors shall lock.\n",
        "requirement",
    )


def test_a_page_of_front_matter_alone_is_an_overview() -> None:
    (only,) = cut("---\ntitle: Doors\n---\n")
    assert (only.body, only.tags.chunk_type) == ("", "overview")


def test_references_are_those_of_the_chunk() -> None:
    found = {chunk.tags.chunk_type: chunk.tags.references for chunk in cut(STANDARD) if chunk.tags.references}
    assert found == {"overview": ("2", "A"), "requirement": ("ISO 1234",)}


def test_rows_are_table_chunks() -> None:
    kinds = [chunk.kind for chunk in cut(STANDARD) if chunk.tags.clause.startswith("2.1")]
    assert kinds == [ChunkKind.TEXT] * 4 + [ChunkKind.TABLE]


def test_a_requirement_longer_than_the_limit_is_several_of_the_same_tags() -> None:
    chunks = cut("# 1 A\n\nThe door shall " + "open and close " * 40 + "at once.\n")
    assert len(chunks) > 1
    assert {(chunk.tags.chunk_type, chunk.tags.clause) for chunk in chunks} == {("requirement", "1")}


def test_windows_of_prose_overlap_and_none_is_below_the_minimum() -> None:
    text = "# 1 A\n\n" + "".join(f"Sentence {n} is here. " for n in range(60)) + "\n"
    chunks = cut(text, minimum=30, maximum=60, overlap=8)
    sizes = [chunk.tokens for chunk in chunks]
    assert len(chunks) > 3 and min(sizes) >= 30 and max(sizes) <= 60
    for one, other in itertools.pairwise(chunks):
        assert one.end > other.start
        assert Words().count(text[other.start : one.end]) <= 8


def prose(sentences: int) -> str:
    return "# 1 A\n\n" + "".join(f"Sentence {n} is here. " for n in range(sentences)) + "\n"


def test_prose_is_cut_into_windows_that_one_vector_describes() -> None:
    limit = max(WINDOW_TOKENS, 2 * 200 - 100)
    assert len(cut(prose(limit // 5), minimum=200, maximum=800, overlap=100)) == 1
    sizes = [chunk.tokens for chunk in cut(prose(300), minimum=200, maximum=800, overlap=100)]
    assert len(sizes) > 4 and min(sizes) >= 200 and max(sizes) <= limit + 5


def test_windows_are_longer_where_the_minimum_asks_for_it() -> None:
    sizes = [chunk.tokens for chunk in cut(prose(600), minimum=500, maximum=2000, overlap=50)]
    assert len(sizes) > 2 and min(sizes) >= 500 and max(sizes) <= 2 * 500 - 50


@pytest.mark.parametrize("sizes", [(50, 40, 10), (10, 40, 10), (10, 40, -1)])
def test_sizes_that_contradict_each_other_are_refused(sizes: tuple[int, int, int]) -> None:
    with pytest.raises(ConfigError, match="must rise from overlap"):
        ClausePolicy(*sizes)


SIBLINGS = """# 4 Doors

## 4.1 Wood

Wood is heavy.

## 4.2 Glass

Glass lets light in. See 4.1 and ISO 1234.

## 4.3 Steel

Steel doors shall be painted.

## 4.4 Locks

Locks hold.

### 4.4.1 Keys

Keys turn.

## 4.5 Hinges (informative)

Hinges squeak.

## 4.6 Bolts

Bolts slide.
"""


def test_short_neighbours_under_one_section_are_one_chunk_that_names_all_clauses() -> None:
    first, second, *others = cut(SIBLINGS)
    assert first.text.startswith("# 4 Doors\n\n## 4.1 Wood\n\n") and "## 4.2 Glass\n\nGlass" in first.text
    assert (first.tags.clause, first.tags.clauses, first.tags.headings) == ("4.1", ("4", "4.1", "4.2"), ("4.2 Glass",))
    assert (first.heading, first.part, first.parts, first.locator) == ("4.1 Wood", 1, 1, "h2-c1")
    assert first.tags.references == ("ISO 1234",)
    assert (second.tags.clause, second.tags.chunk_type, second.tags.clauses) == ("4.3", "requirement", ())
    # Neither parents and children, nor what informs and what binds, are one chunk.
    assert [(each.tags.clause, each.tags.clauses) for each in others] == [
        ("4.4", ()), ("4.4.1", ()), ("4.5", ()), ("4.6", ())
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("paragraphs", "numbers"),
    [
        ("4.1 Pumps are common.\n\n4.2 Valves are common.\n", [("4.1", ("4", "4.1", "4.2"))]),
        ("4.1 A pump shall start.\n\n4.2 Valves are common.\n", [("4.1", ("4", "4.1")), ("4.2", ())]),
        ("Pumps are common.\n", [("4", ())]),
    ],
    ids=["prose", "requirement", "not numbered"],
)
def test_a_first_chunk_has_the_number_of_its_heading_and_that_of_its_paragraph(
    paragraphs: str, numbers: list[tuple[str, tuple[str, ...]]]
) -> None:
    chunks = cut(f"# Plants\n\n## 3 Scope\n\nPlants.\n\n## 4 Pumps\n\n{paragraphs}")
    assert [(each.tags.clause, each.tags.clauses) for each in chunks if each.heading == "4 Pumps"] == numbers


def test_no_two_neighbours_that_may_be_joined_stay_apart_while_one_is_short() -> None:
    text = "# 4 Doors\n\n" + "".join(f"## 4.{n} Kind\n\n{'It is a door. ' * (n % 7)}\n\n" for n in range(1, 40))
    chunks = cut(text, minimum=40, maximum=200)
    assert all(Words().count(chunk.body) >= 40 for chunk in chunks) and max(chunk.tokens for chunk in chunks) <= 200
    numbers = [number for chunk in chunks for number in chunk.tags.numbers]
    assert numbers == ["4", *(f"4.{n}" for n in range(1, 40))]


def test_what_does_not_fit_stays_apart() -> None:
    chunks = cut("## 4.1 A\n\n" + "word " * 75 + "\n\n## 4.2 B\n\nfew words\n")
    assert [chunk.tags.clause for chunk in chunks] == ["4.1", "4.2"]


def test_a_heading_without_text_is_no_chunk_of_its_own() -> None:
    chunks = cut("# 4 Doors\n\n## 4.1 Reserved\n\n# 5 Locks\n\nLocks must hold.\n\n# 6 Void\n")
    assert [(chunk.text.strip(), chunk.tags.numbers) for chunk in chunks] == [
        ("# 4 Doors\n\n## 4.1 Reserved\n\n# 5 Locks\n\nLocks must hold.", ("4", "4.1", "5")),
        ("# 6 Void", ("6",)),
    ]


def test_a_heading_with_a_word_of_requirements_is_no_chunk_of_its_own() -> None:
    document = "# Data\n\n## Required samples file\n\n| Name | Kind |\n| --- | --- |\n| id | It must be a string. |\n"
    assert [chunk.text.startswith("# Data\n\n## Required samples file\n\n| Name") for chunk in cut(document)] == [True]


def test_a_keyword_of_a_title_binds_nobody_unless_the_title_is_a_sentence() -> None:
    titles = ("REQUIRED Attributes", "4.1 MUST support", "Required fields", "You MUST collect these metrics")
    documents = [f"# Data\n\n## {title}\n\n{text}" for title in titles for text in ("Names and colours.\n", "")]
    binding = [any(chunk.tags.normative for chunk in cut(document)) for document in documents]
    assert binding == [False] * 6 + [True] * 2


def test_a_row_carries_the_header_of_its_table() -> None:
    rows = cut("# 1 A\n\n| Nr | Text |\n|---|---|\n| 1.1 | Verify keys now. |\n| 1.2 | Verify locks now. |\n")
    assert [(chunk.body, chunk.tags.table_header) for chunk in rows] == [
        ("| 1.1 | Verify keys now. |\n", "| Nr | Text |"), ("| 1.2 | Verify locks now. |\n", "| Nr | Text |")
    ]  # fmt: skip
