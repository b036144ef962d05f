import pytest

from pincite.index.spans import partition, section_of, section_spans, span_of
from support.overlapping import TEXT, VAULT, WINDOWS, chunk, stored


def test_the_section_of_a_locator() -> None:
    assert [section_of(locator) for locator in ("h3-c2", "h3-t1", "h3", "h0-c1")] == ["h3", "h3", "h3", "h0"]


def test_a_span_reaches_from_the_first_to_the_last_character_of_its_chunks() -> None:
    assert span_of(stored()) == (0, len(TEXT))
    assert span_of(reversed(stored()[:2])) == (0, VAULT)
    assert span_of([]) == (0, 0)


def test_each_section_has_one_span_however_its_chunks_overlap() -> None:
    assert section_spans(stored()) == [(0, VAULT), (VAULT, len(TEXT))]
    assert section_spans(stored()[3:]) == [(VAULT + 10, len(TEXT))]


def test_overlapping_chunks_are_cut_where_the_one_before_ends() -> None:
    spans = partition(stored(), len(TEXT))
    assert len(spans) == len(WINDOWS)
    assert "".join(TEXT[start:end] for start, end in spans) == TEXT
    assert [TEXT[start:end] for start, end in spans[:2]] == ["# Keys\n\nOne two three", " four five six.\n\n"]
    assert spans[-1] == (len(TEXT), len(TEXT))


@pytest.mark.parametrize("borders", [[(0, 9), (9, VAULT), (VAULT, len(TEXT))], [(0, 9), (12, 20), (21, len(TEXT) - 3)]])
def test_chunks_that_do_not_overlap_keep_their_ends(borders: list[tuple[int, int]]) -> None:
    chunks = stored([chunk(n, f"h1-c{n + 1}", start, end) for n, (start, end) in enumerate(borders)])
    spans = partition(chunks, len(TEXT))
    assert [end for _, end in spans] == [end for _, end in borders[:-1]] + [len(TEXT)]
    assert "".join(TEXT[start:end] for start, end in spans) == TEXT


def test_a_document_without_chunks_has_no_spans() -> None:
    assert partition([], 0) == []
