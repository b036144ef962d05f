from pathlib import Path

from pincite.app.collections import index_path, is_cached


def test_each_folder_has_an_index_of_its_own_in_the_cache(tmp_path: Path) -> None:
    one, other = (index_path(tmp_path, Path(folder, "my docs")) for folder in ("/a", "/b"))
    assert one != other
    assert one.name.startswith("my_docs-") and one.suffix == ".db"
    assert index_path(tmp_path, Path("/")).name.startswith("root-")


def test_an_index_that_was_placed_by_hand_is_not_ours_to_rebuild(tmp_path: Path) -> None:
    assert is_cached(tmp_path, index_path(tmp_path, Path("/a")))
    assert not is_cached(tmp_path, tmp_path / "index.db")
