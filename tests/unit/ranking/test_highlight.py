import pytest

from pincite.ranking.highlight import matches


def marked(text: str, query: str) -> list[str]:
    return [text[start:end] for start, end in matches(text, query)]


def test_words_are_marked_as_they_are_found_stemmed_and_without_accents() -> None:
    assert marked("The CAFÉ indexes itself while indexing.", "how does a cafe index") == ["CAFÉ", "indexes", "indexing"]


def test_a_name_in_code_is_marked_as_a_whole() -> None:
    assert marked("Set max_size, not size or max.", "max_size") == ["max_size"]


@pytest.mark.parametrize("query", ["", "nothing here", '"', "a\0b", "\ud800", 'NEAR("x" y)'])
def test_what_matches_nothing_marks_nothing(query: str) -> None:
    assert matches("Plain words.", query) == []


def test_hostile_text_keeps_its_positions() -> None:
    assert marked("\x02\x00 key \x03 \ud800 keys", "key") == ["key", "keys"]
