"""Lists of terms and of chunks as bytes."""

import struct

import numpy as np
import pytest

from pincite.errors import WritingFailed
from pincite.model.search import KeywordScore
from pincite.store.bm25 import Entries, Occurrences, QueryTerm, score, score_forward_lists
from pincite.store.forward import MAX_FREQUENCY
from pincite.store.postgres import packed
from pincite.store.postgres.packed import ENTRY, Recent, Sequences


def sequences(chunks: dict[int, list[int]]) -> Sequences:
    rows = [
        (chunk_id, sum(term > 0 for term in terms), np.array(terms, "<u4").tobytes())
        for chunk_id, terms in chunks.items()
    ]
    return packed.to_sequences(rows)


def listed(terms: list[int], entries: packed.Entries) -> list[tuple[int, int, int, int]]:
    return [(term, *entry) for term, entry in zip(terms, entries.tolist(), strict=True)]


def test_tokens_are_packed_in_order_with_a_gap_between_context_and_text() -> None:
    occurrences = Occurrences(
        ["cat", "dog"], np.array([0, 1, 1, 0]), np.array([0, 0, 0, 2]), np.array([False, True, True, True])
    )
    rows = packed.pack(occurrences, 3, {"cat": 7, "dog": 9})
    assert [(length, np.frombuffer(terms, "<u4").tolist()) for length, terms in rows] == [
        (3, [7, 0, 9, 9]),
        (0, [0]),
        (1, [0, 7]),
    ]


def test_a_phrase_is_its_terms_side_by_side_in_one_column_of_one_chunk() -> None:
    found = sequences({5: [0, 1, 2, 1, 2], 6: [1, 0, 2], 7: [0, 2, 1], 8: [2, 0], 9: []})
    assert found.phrase_frequencies([1, 2]).tolist() == [2, 0, 0, 0, 0]
    assert found.phrase_frequencies([2, 1, 2]).tolist() == [1, 0, 0, 0, 0]
    assert found.phrase_frequencies([2]).tolist() == found.frequencies(2).tolist() == [2, 1, 1, 1, 0]
    assert sequences({}).phrase_frequencies([1, 2]).tolist() == []


def test_a_term_that_is_twice_in_a_phrase_has_to_be_there_twice() -> None:
    assert sequences({1: [0, 4, 4], 2: [0, 4]}).phrase_frequencies([4, 4]).tolist() == [1, 0]


def test_lists_have_each_chunk_once_with_its_frequency_and_length() -> None:
    terms, entries = packed.invert(sequences({5: [1, 0, 2, 1], 6: [0, 2]}))
    assert listed(terms.tolist(), entries) == [(1, 5, 2, 3), (2, 5, 1, 3), (2, 6, 1, 1)]
    assert sequences({5: [1, 0, 2, 1], 6: [0, 2]}).document_frequencies() == {1: 1, 2: 2}


def test_merged_lists_are_those_of_all_chunks_but_the_deleted_ones() -> None:
    chunks = {5: [1, 0, 2, 1], 6: [0, 2], 8: [0, 1], 9: [0, 3]}
    rows: list[tuple[int, bytes]] = []
    for part in ({5: chunks[5], 6: chunks[6]}, {8: chunks[8], 9: chunks[9]}):
        terms, entries = packed.invert(sequences(part))
        rows += [(term, entry.tobytes()) for term, entry in zip(terms.tolist(), entries, strict=True)]
    rows.sort(key=lambda row: row[0])
    for dead in ([], [5], [9], [5, 6, 8, 9]):
        expected = packed.invert(sequences({number: terms for number, terms in chunks.items() if number not in dead}))
        merged = packed.merge(rows, dead)
        assert listed(merged[0].tolist(), merged[1]) == listed(expected[0].tolist(), expected[1])


def test_a_term_has_its_live_and_its_fresh_chunks() -> None:
    recent = packed.to_recent([(9, 2, np.array([0, 1, 1], "<u4").tobytes()), (5, 0, None)])
    _, entries = packed.invert(sequences({5: [0, 1], 6: [0, 1, 2]}))
    found = recent.entries(1, [entries[:1].tobytes(), entries[1:2].tobytes()])
    assert found.tolist() == [(6, 1, 2), (9, 2, 2)]
    assert recent.entries(4, []).tolist() == []
    assert Recent(sequences({}), np.zeros(0, np.uint32)).entries(1, [entries[:1].tobytes()]).tolist() == [(5, 1, 1)]


def test_rows_of_lists_are_in_the_binary_format_of_copy() -> None:
    terms, entries = packed.invert(sequences({5: [0, 1, 2], 6: [0, 2]}))
    data = packed.posting_rows(3, terms, entries)
    one = struct.pack(">hiiiqi", 3, 4, 1, 8, 3, 10) + struct.pack("<IHI", 5, 1, 2)
    other = struct.pack(">hiiiqi", 3, 4, 2, 8, 3, 20) + struct.pack("<IHIIHI", 5, 1, 2, 6, 1, 1)
    assert data == b"PGCOPY\n\xff\r\n\0" + bytes(8) + one + other + struct.pack(">h", -1)
    assert ENTRY.itemsize == 10  # as the statement `count_terms` counts


def test_rows_of_terms_are_in_the_binary_format_of_copy() -> None:
    row = struct.pack(">hiqiii", 3, 8, 5, 4, 1, 4) + b"abcd"
    assert packed.forward_rows([(5, 1, b"abcd")]) == b"PGCOPY\n\xff\r\n\0" + bytes(8) + row + struct.pack(">h", -1)


def test_a_frequency_is_capped_and_an_id_that_does_not_fit_is_refused() -> None:
    one = np.array([1])
    assert packed.to_entries(one, np.array([70_000]), np.array([70_000])).tolist() == [(1, MAX_FREQUENCY, 70_000)]
    with pytest.raises(WritingFailed, match="chunk ids"):
        packed.to_entries(np.array([1 << 32]), one, one)


def test_scores_are_those_of_forward_lists() -> None:
    chunks = {5: [1, 0, 2, 1], 6: [0, 2], 7: [0]}
    lists = [
        (5, 3, np.array([1, 2], "<u4").tobytes() + np.array([2, 1], "<u2").tobytes()),
        (6, 1, np.array([2], "<u4").tobytes() + np.array([1], "<u2").tobytes()),
        (7, 0, b""),
    ]
    query = [
        QueryTerm('"a"', in_query=True, document_frequency=1, term=1),
        QueryTerm('"b"', in_query=False, document_frequency=2, term=2),
        QueryTerm('"none"', in_query=True, document_frequency=0),
        QueryTerm('"a b"', in_query=True, document_frequency=1, scores={6: 0.5}),
    ]
    stored = sequences(chunks)
    found = score(Entries(list(chunks), stored.lengths, stored.occurrences), query, 30, 90)
    assert found == score_forward_lists(lists, query, 30, 90)
    assert found[7] == KeywordScore(0.0, 0.0)
    assert found[5].bm25 > 0


def test_the_distinct_terms_of_each_chunk_are_counted() -> None:
    sizes, terms, counts = packed.to_lists(sequences({5: [0, 1, 2, 1], 6: [], 9: [3, 0]}))
    assert (sizes.tolist(), terms.tolist(), counts.tolist()) == ([2, 0, 1], [1, 2, 3], [2, 1, 1])
    _, _, capped = packed.to_lists(sequences({5: [1] * (MAX_FREQUENCY + 1)}))
    assert capped.tolist() == [MAX_FREQUENCY]
