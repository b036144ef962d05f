import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from pincite.model.chunk import text_hash
from pincite.model.search import NO_FILTER, KeywordQuery
from pincite.store import base
from pincite.store.matching import KeywordLimits
from pincite.store.memory import matrix
from pincite.store.sqlite import opening
from pincite.store.sqlite.store import SqliteStore
from support.stores import nearest, open_store, put, remove


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


@pytest.mark.skipif(sys.platform == "win32", reason="a mapped file cannot be replaced there")
class TestVectorsOfALargeIndex:
    """They are kept in a file, from which the next process maps them."""

    @pytest.fixture(autouse=True)
    def large(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(base, "LARGE_ROWS", 3)

    @pytest.fixture
    def reads(self, monkeypatch: pytest.MonkeyPatch) -> list[int]:
        """The number of vectors, of each time that all were read from the database."""
        read, load = list[int](), matrix._load  # pyright: ignore[reportPrivateUsage]

        def counted(found: matrix.Load) -> matrix.Frame:
            frame = load(found)
            read.append(frame.used)
            return frame

        monkeypatch.setattr(matrix, "_load", counted)
        return read

    def fill(self, path: Path, *texts: str, name: str = "a.md", log_rows: int = 1000) -> None:
        store = open_store(path, log_rows=log_rows)
        put(store, name, *texts)
        angles = (len(text) for text in texts)
        store.put_vectors(
            {
                text_hash(text): np.array([np.cos(a), np.sin(a)], np.float32)
                for text, a in zip(texts, angles, strict=True)
            }
        )
        store.close()

    def search(self, path: Path) -> list[int]:
        store = open_store(path)
        try:
            return nearest(store)
        finally:
            store.close()

    def test_are_read_from_the_database_once_by_all_processes(self, path: Path, reads: list[int]) -> None:
        self.fill(path, "a", "bb", "ccc", "dddd")
        first = self.search(path)
        assert sorted(first) == [1, 2, 3, 4]
        assert self.search(path) == first
        assert reads == [4]

    def test_are_brought_up_to_what_has_changed_since(self, path: Path, reads: list[int]) -> None:
        self.fill(path, "a", "bb", "ccc", "dddd")
        self.search(path)
        self.fill(path, "a", "eeeee", "ccc", "ffffff")
        self.fill(path, "g" * 7, name="b.md")
        after = self.search(path)
        assert reads == [4]
        Path(f"{path}-vectors").unlink()
        assert self.search(path) == after
        assert sorted(after) == [1, 3, 5, 6, 7]
        assert reads == [4, 5]

    def test_are_read_again_once_the_log_does_not_reach_back(self, path: Path, reads: list[int]) -> None:
        self.fill(path, "a", "bb", "ccc", "dddd")
        self.search(path)
        for n in range(5):
            self.fill(path, "a", "bb", "ccc", "d" * (n + 5), log_rows=2)
        self.search(path)
        self.search(path)
        assert reads == [4, 4]

    @pytest.mark.parametrize("later", [1, 3])
    def test_are_read_again_if_the_index_was_restored_and_went_another_way(
        self, path: Path, tmp_path: Path, reads: list[int], later: int
    ) -> None:
        self.fill(path, "a", "bb", "ccc", "dddd")
        shutil.copy(path, tmp_path / "backup")
        self.fill(path, "a", "bb", "ccc", "eeeee", "ffffff")
        self.search(path)
        shutil.copy(tmp_path / "backup", path)
        for n in range(later):
            self.fill(path, "a", "bb", "ccc", *("g" * (7 + i) for i in range(n + 1)))
        found = self.search(path)
        assert reads == [5, 3 + later]
        assert len(found) == 3 + later

    def test_are_not_those_of_another_index_in_the_same_place(self, path: Path, reads: list[int]) -> None:
        self.fill(path, "a", "bb", "ccc", "dddd")
        self.search(path)
        kept = Path(f"{path}-vectors").read_bytes()
        for name in path.parent.glob(f"{path.name}*"):
            name.unlink()
        self.fill(path, "a", "bb", "ccc", "eeeee")
        Path(f"{path}-vectors").write_bytes(kept)
        assert len(self.search(path)) == 4
        assert reads == [4, 4]

    def test_are_not_those_of_another_model(self, path: Path, reads: list[int]) -> None:
        self.fill(path, "a", "bb", "ccc", "dddd")
        self.search(path)
        other = open_store(path, embedder="other")
        assert nearest(other) == []
        other.close()
        assert len(self.search(path)) == 4
        assert reads == [4, 0]

    def test_are_kept_again_by_the_work_between_calls(self, path: Path, reads: list[int]) -> None:
        self.fill(path, "a", "bb", "ccc", "dddd")
        store = open_store(path)
        assert store.tidy(spare=9) == 0
        remove(store, "a.md")
        store.close()
        assert reads == [4]
        assert self.search(path) == []
        assert reads == [4]

    def test_count_as_a_part_of_the_index_and_are_deleted_with_it(self, path: Path) -> None:
        self.fill(path, "a", "bb", "ccc", "dddd")
        self.search(path)
        assert opening.file_size(path) == sum(file.stat().st_size for file in path.parent.iterdir())
        assert opening.remove(path)
        assert [*path.parent.iterdir()] == []
