from pathlib import Path

from pincite.model.search import NO_FILTER, KeywordQuery
from pincite.store.matching import KeywordLimits
from pincite.store.sqlite.store import SqliteStore
from support.stores import open_store, put


class TestFrequentWords:
    def test_find_no_candidates_in_a_big_index_but_weigh_in_every_score(self, path: Path) -> None:
        store = open_store(path, keyword_limits=KeywordLimits(prune_from=5, postings=0.3))
        put(store, "a.md", *(f"the page {n}" for n in range(9)), "rare page", "rare word and the page")
        query = KeywordQuery(("the", "rare", "page", "word"))
        with store.snapshot() as snapshot:
            assert snapshot.candidates(query, NO_FILTER, 20) == [11, 10]
            found = snapshot.keywords(query, NO_FILTER, 20)
            weighed = snapshot.score_keywords(query, [10, 11])
        assert [(hit.chunk_id, hit.score) for hit in found] == [(11, weighed[11].bm25), (10, weighed[10].bm25)]
        store.close()

    def test_find_candidates_in_a_small_one(self, store: SqliteStore) -> None:
        put(store, "a.md", "the one", "the two")
        with store.snapshot() as snapshot:
            assert len(snapshot.keywords(KeywordQuery(("the", "one")), NO_FILTER, 20)) == 2


class TestWordsAsTheyAreSpelt:
    def test_are_listed_by_initial_and_length(self, store: SqliteStore) -> None:
        put(store, "a.md", "Configure the configuration; Café cons", "count 12345 zebra copy_config2 c0unt")
        with store.snapshot() as snapshot:
            assert snapshot.spellings("c", 4, 9) == ["café", "configure", "cons", "copy", "count"]
            assert snapshot.spellings("1", 1, 9) == []

    def test_are_counted_in_all_their_forms(self, store: SqliteStore) -> None:
        put(store, "a.md", "Configure the configuration", "configured", "café")
        with store.snapshot() as snapshot:
            assert snapshot.document_frequencies(["configuring", "cafe", "unheard", "?"]) == [2, 1, 0, 0]
            assert snapshot.document_frequencies([]) == []
            snapshot.candidates(KeywordQuery(("configuring", "unheard")), NO_FILTER, 1)
            assert snapshot.document_frequencies(["configuring", "cafe", "unheard", "?"]) == [2, 1, 0, 0]

    def test_that_went_are_held_by_nothing(self, store: SqliteStore) -> None:
        put(store, "a.md", "zebra")
        put(store, "a.md", "horse")
        with store.snapshot() as snapshot:
            assert snapshot.document_frequencies(snapshot.spellings("z", 1, 9)) == [0]
