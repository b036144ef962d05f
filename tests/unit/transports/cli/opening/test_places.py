from pathlib import Path

import pytest

from pincite.errors import InvalidInput
from pincite.text.names.glob import matcher
from pincite.transports.cli.opening.places import filter_of, folder_of, split_place


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("")
    return tmp_path


@pytest.mark.parametrize(("word", "path"), [("./docs", "docs"), ("docs/", "docs"), ("docs/a.md", "docs/a.md")])
def test_a_last_word_is_a_place_if_it_looks_like_a_path_and_exists(word: str, path: str) -> None:
    assert split_place(["the", "keys", word], None) == (["the", "keys"], Path(path))


def test_a_tilde_is_the_home_folder(here: Path) -> None:
    assert split_place(["keys", "~/docs"], None) == (["keys"], here / "docs")


@pytest.mark.parametrize("word", ["docs", "and/or", "./nowhere", "...", "a" * 100_000 + "/", "\0/"])
def test_any_other_word_is_a_word(word: str) -> None:
    assert split_place(["keys", word], None) == (["keys", word], None)


def test_nothing_is_split_off_a_single_word_or_if_a_folder_is_named(here: Path) -> None:
    assert split_place(["./docs"], None) == (["./docs"], None)
    assert split_place(["keys", "./docs"], here) == (["keys", "./docs"], here)


def test_a_file_stands_for_itself_in_its_folder() -> None:
    assert folder_of(Path("docs/a.md")) == Path("docs")
    assert folder_of(Path("docs")) == Path("docs")
    assert filter_of(Path("docs/a.md"), None) == "a.md"
    with pytest.raises(InvalidInput):
        filter_of(Path("docs/a.md"), "*.md")


@pytest.mark.parametrize("name", ["a.md", "a[1].md", "a*?.md", "{a,b}.md", "a\\b.md"])
def test_the_filter_of_a_file_matches_that_file_alone(name: str, here: Path) -> None:
    (here / name).write_text("")
    keep = matcher(filter_of(here / name, None) or "")
    assert keep(name) and not keep("a1.md") and not keep(f"sub/{name}")


@pytest.mark.parametrize(
    ("pattern", "matched", "other"),
    [
        ("a.md", ["a.md", "x/a.md"], "ba.md"),
        ("*.md", ["a.md", "x/y/b.md"], "a.txt"),
        ("guides/", ["guides/a.md", "x/guides/y/a.md"], "guides.md"),
        ("x/*.md", ["x/a.md"], "y/x/a.md"),
    ],
)
def test_a_pattern_without_a_folder_matches_in_all_of_them(pattern: str, matched: list[str], other: str) -> None:
    keep = matcher(filter_of(Path("docs"), pattern) or "")
    assert all(map(keep, matched)) and not keep(other)
    assert filter_of(Path("docs"), None) is None
