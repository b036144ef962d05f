from itertools import pairwise

import pytest

from pincite.chunking.passages import LengthCounter, PassagePolicy, passages
from pincite.chunking.profiles import Profile, Separator
from pincite.errors import Cancelled
from pincite.model.call import Call
from pincite.model.chunk import Chunk, Tags
from support.calls import StopAfter
from support.cut_documents import Words, document

SENTENCES = "One two three. Four five six. Seven eight nine. Ten eleven twelve. "


def cut(text: str) -> list[Chunk]:
    return list(PassagePolicy().cut(document(text), Words(), Call()))


def texts(text: str, size: int, overlap: int, *separators: Separator) -> list[str]:
    profile = Profile(size, overlap, separators) if separators else Profile(size, overlap)
    return [text[start:end] for start, end in passages(text, profile, Call())]


def test_paragraphs_are_packed_and_separated_before_anything_else_is() -> None:
    assert texts("one two.\n\nthree\nfour.\n\nfive six.\n\nseven", 22, 0) == [
        "one two.\n\nthree\nfour.\n\n",
        "five six.\n\nseven",
    ]


def test_what_is_too_long_is_split_at_the_next_separator() -> None:
    assert texts("one two three\nfour five six\n", 16, 0) == ["one two three\n", "four five six\n"]
    assert texts("One two. Three four. Five", 12, 0) == ["One two. ", "Three four. ", "Five"]
    assert texts("one two three four", 9, 0) == ["one two ", "three ", "four"]
    assert texts("x" * 25, 10, 0) == ["x" * 10, "x" * 10, "x" * 5]


def test_a_passage_repeats_the_end_of_the_one_before_from_a_sentence_on() -> None:
    assert texts(SENTENCES, 40, 20) == [
        "One two three. Four five six. ",
        "Four five six. Seven eight nine. ",
        "Seven eight nine. Ten eleven twelve. ",
    ]


def test_without_a_sentence_in_the_overlap_it_repeats_whole_words() -> None:
    assert texts("alpha beta gamma delta epsilon zeta eta theta", 30, 10) == [
        "alpha beta gamma ",
        "beta gamma delta epsilon zeta ",
        "zeta eta theta",
    ]


def test_slides_and_sheets_are_the_first_separators() -> None:
    assert texts("a b c\n\nd\n\n---\n\ne f", 12, 0, Separator.SLIDE, Separator.PARAGRAPH) == [
        "a b c\n\nd\n\n",
        "---\n\ne f",
    ]
    sheets = "=== A ===\n\n---\n\na\n\n---\n\nbbbbbb\n\n=== B ===\n\nc"
    assert texts(sheets, 24, 0, Separator.SHEET, Separator.BLOCK) == [
        "=== A ===\n\n---\n\na\n\n",
        "---\n\nbbbbbb\n\n",
        "=== B ===\n\nc",
    ]


def test_white_space_is_no_passage_of_its_own() -> None:
    assert texts(" " * 50 + "one" + "\n" * 50 + "two" + "\n" * 50, 10, 2) == [
        " " * 50 + "one" + "\n" * 50,
        "two" + "\n" * 50,
    ]


def test_a_passage_may_run_over_headings_and_belongs_to_the_section_that_it_begins_in() -> None:
    found = cut("# A\n\none\n\n# B\n\ntwo\n\n# C\n\n" + "word " * 200 + "\n\n# D\n\nend\n")
    assert [chunk.locator for chunk in found] == ["h1-c1", "h3-c1", "h3-c2"]
    assert found[0].text.startswith("# A\n\none\n\n# B")
    assert [chunk.breadcrumb for chunk in found] == ["A", "C", "C"]
    assert [(chunk.part, chunk.parts) for chunk in found] == [(1, 1), (1, 2), (2, 2)]


def test_tags_say_what_it_has_and_how_much_it_matters() -> None:
    (chunk,) = cut("# A\n\nThe key result is 5%, as was found by all who looked for it.\n")
    assert chunk.tags == Tags(chunk_type="heading", importance=0.95)


def test_front_matter_is_in_the_text_and_not_embedded() -> None:
    matter = "---\n" + "".join(f"key{n}: some words\n" for n in range(60)) + "---\n"
    found = cut(matter + "\nintro\n")
    assert len(found) > 2
    assert found[0].embed_start == len(found[0].text)
    assert found[-1].text[found[-1].embed_start :] == "intro\n"


def test_passages_overlap_by_no_more_than_the_profile_says() -> None:
    text = SENTENCES * 100
    found = cut(text)
    assert all(len(chunk.text.strip()) <= 1200 for chunk in found)
    assert all(0 < one.end - other.start <= 251 for one, other in pairwise(found))


def test_a_call_that_is_over_stops_it() -> None:
    with pytest.raises(Cancelled):
        list(passages("word " * 100_000, Profile(100, 10), Call(stop=StopAfter(5))))


def test_characters_are_counted_one_by_one() -> None:
    assert (LengthCounter().count("日本"), LengthCounter().cut("日本", 1)) == (2, 1)
