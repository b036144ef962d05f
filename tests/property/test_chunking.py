import math
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.chunking.passages import passages
from pincite.chunking.profiles import Profile
from pincite.chunking.sentences import sentence_ends
from pincite.embedding.wordpiece import WordPiece
from pincite.model.call import Call
from support.cut_documents import MARKDOWN, PIECES, STRUCTURED, cut_document, document

tokenizer = WordPiece()


@given(MARKDOWN)
def test_sections_are_whole_chunks_where_nothing_is_too_long(text: str) -> None:
    found = document(text)
    chunks = cut_document(found, 100_000, tokenizer)
    assert [(part.start, part.end) for part in chunks] == [(section.start, section.end) for section in found.sections]


@given(st.lists(st.sampled_from([*PIECES, "a", "b.", "c "]), max_size=20), st.sampled_from(" \t\r\n"))
def test_tokens_add_up_across_white_space(pieces: list[str], space: str) -> None:
    middle = len(pieces) // 2
    one, other = "".join(pieces[:middle]), "".join(pieces[middle:])
    assert tokenizer.count(one + space + other) == tokenizer.count(one) + tokenizer.count(other)


@given(st.text())
def test_sentences_rise_to_the_end(text: str) -> None:
    ends = list(sentence_ends(text, 0, len(text)))
    assert ends == sorted(set(ends))
    assert ends[-1:] == ([len(text)] if text else [])


def test_the_numbers_of_parts_are_no_more_than_needed_by_far() -> None:
    text = "word " * 1000
    assert len(cut_document(document(text), 100, tokenizer)) <= math.ceil(1000 / 100) + 1


@settings(max_examples=30)
@given(STRUCTURED, st.integers(4, 80), st.integers(0, 3))
def test_passages_are_no_longer_than_their_size_and_repeat_no_more_than_the_overlap(
    text: str, size: int, quarters: int
) -> None:
    overlap = size * quarters // 4
    if text.strip():
        spans = list(passages(text, Profile(size, overlap), Call()))
        shown = [text[start:end].strip() for start, end in spans]
        assert all(0 < len(passage) <= size for passage in shown)
        for (start, end), (following, _) in pairwise(spans):
            assert start < following <= end
            assert len(text[following:end].strip()) <= overlap
