import pytest

from support.cut_documents import Words, cut, cut_document, document, texts


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
    assert cut_document(document(text), 50, Words()) == []


def test_a_heading_without_text_is_a_chunk_of_its_own() -> None:
    assert texts("# A\n## B\n\n## C\n", 50) == ["# A\n", "## B\n\n", "## C\n"]


def test_a_heading_that_takes_most_of_a_chunk_stands_alone() -> None:
    assert texts("# A a a a a a\n\none two three four five\n", 16) == ["# A a a a a a\n\n", "one two three four five\n"]
