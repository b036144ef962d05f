"""Lists of frequent terms in memory, and chunks that are scored by them."""

import numpy as np

from pincite.store.lexicon import QueryTerm
from pincite.store.postgres import packed, words
from pincite.store.postgres.frequent import FrequentLists, ListedChunks, to_list, to_stored_list
from pincite.store.postgres.sizes import COUNTED_FROM

SEQUENCES = packed.to_sequences(
    [
        (number, sum(term > 0 for term in terms), np.array(terms, "<u4").tobytes())
        for number, terms in {5: [0, 1, 2, 1], 7: [2, 0], 6: [0, 3], 9: [1, 0, 1]}.items()
    ]
)


def entries_of(term: int) -> packed.Entries:
    terms, entries = packed.invert(SEQUENCES)
    return entries[terms == term]


def test_a_list_tells_what_the_chunks_own_terms_tell() -> None:
    query = [
        QueryTerm('"a"', in_query=True, document_frequency=2, term=1),
        QueryTerm('"b"', in_query=False, document_frequency=2, term=2),
        QueryTerm('"c"', in_query=True, document_frequency=1, term=3),
    ]
    lists = {term: [to_list(entries_of(term))] for term in (1, 2, 3)}
    listed = ListedChunks(SEQUENCES.chunk_ids, lists)
    assert dict(packed.score(listed, query, 10, 30)) == dict(packed.score(SEQUENCES, query, 10, 30))


def test_the_parts_of_a_list_are_in_order_and_may_be_empty() -> None:
    first, second = entries_of(1)[:1], entries_of(1)[1:]
    stored = to_stored_list([second.tobytes(), first.tobytes()])
    assert stored.chunks.tolist() == [5, 9]
    listed = ListedChunks(np.array([9, 5, 8]), {1: [stored, to_list(entries_of(4))]})
    frequencies, lengths = listed.occurrences(1)
    assert frequencies.tolist() == [2, 2, 0] and lengths.tolist() == [2, 3, 0]


def test_a_list_is_due_for_the_second_search_of_a_state_of_the_segments() -> None:
    lists = FrequentLists()
    assert [lists.are_due(1, [4]), lists.are_due(1, [4, 5]), lists.are_due(1, [5, 4])] == [False, False, True]
    lists.put(1, {4: to_list(entries_of(1))})
    assert lists.get(1, [4, 5]).keys() == {4}
    assert [lists.are_due(2, [4]), lists.are_due(1, [4])] == [False, False]
    lists.put(1, {4: to_list(entries_of(1))})
    assert lists.get(1, [4]) == lists.get(2, [4]) == {}, "an earlier snapshot neither adds nor finds any"


def test_the_list_that_was_not_used_for_longest_leaves() -> None:
    lists = FrequentLists(most=5)
    lists.are_due(1, [])
    lists.put(1, {1: to_list(entries_of(1)), 2: to_list(entries_of(2))})
    lists.get(1, [1])
    lists.put(1, {3: to_list(np.concatenate((entries_of(1), entries_of(2)))[:3])})
    assert lists.get(1, [1, 2, 3]).keys() == {1, 3}


def test_scores_are_the_same_with_lists_and_without_and_need_no_statement_then() -> None:
    statements: list[str] = []
    rows = [(number, 3, np.array([0, 1, 2, 2], "<u4").tobytes()) for number in range(1, 9)]
    terms, entries = packed.invert(packed.to_sequences(rows[:6]))

    def database(name: str, _: object) -> list[tuple[object, ...]]:
        statements.append(name)
        return list(rows) if name == "forward" else [(2, entries[terms == 2].tobytes())]

    frequent, query = FrequentLists(), [QueryTerm('"b"', in_query=True, document_frequency=8, term=2)]
    found = [
        words.TermLists(database, COUNTED_FROM, 24, lambda: packed.to_recent(rows[6:]), frequent=frequent).scores(
            query, range(1, 9)
        )
        for _ in range(3)
    ]
    assert found[0] == found[1] == found[2] and all(score.coverage == 1 for score in found[0].values())
    assert statements == ["forward", "lists"]
