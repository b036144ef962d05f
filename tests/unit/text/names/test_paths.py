import itertools
from pathlib import Path

import pytest

from pincite.errors import InvalidInput
from pincite.text.names.paths import nearest, relative


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("a.md", "a.md"),
        ("./a.md", "a.md"),
        ("././a.md", "a.md"),
        ("/a/b.md", "a/b.md"),
        ("//a.md", "a.md"),
        ("a//b.md", "a/b.md"),
        ("a/./b.md", "a/b.md"),
        ("a/../b.md", "b.md"),
        ("a/b.md/", "a/b.md"),
        ("a..b.md", "a..b.md"),
        ("..a/b.md", "..a/b.md"),
        (" a.md", " a.md"),
        ("é\n🙂.md", "é\n🙂.md"),
        ("/etc/passwd", "etc/passwd"),
        ("x" * 5000, "x" * 5000),
    ],
)
def test_a_path_becomes_a_name(asked: str, name: str, tmp_path: Path) -> None:
    assert relative(asked, tmp_path) == name


def test_an_absolute_path_inside_becomes_relative(tmp_path: Path) -> None:
    assert relative(f"{tmp_path}/a/b.md", tmp_path) == "a/b.md"
    assert relative(f"{tmp_path}/gone/../a.md", tmp_path) == "a.md"


def test_the_folder_may_be_spelled_another_way(tmp_path: Path) -> None:
    root = tmp_path / "real"
    (root / "a").mkdir(parents=True)
    (tmp_path / "other").symlink_to(root)
    assert relative(f"{tmp_path}/other/a/b.md", root) == "a/b.md"


@pytest.mark.parametrize("asked", ["../a.md", "a/../../b.md", "..", "./../a", "/../a.md", "//../../a"])
def test_a_path_that_leaves_is_refused(asked: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="leaves the folder"):
        relative(asked, tmp_path)


@pytest.mark.parametrize("asked", ["", " ", "\t"])
def test_an_empty_path_is_refused(asked: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="required"):
        relative(asked, tmp_path)


@pytest.mark.parametrize("asked", [".", "/", "./", "a/.."])
def test_the_folder_itself_is_no_page(asked: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="folder itself"):
        relative(asked, tmp_path)


def test_a_nul_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="NUL"):
        relative("a\0.md", tmp_path)


def test_no_error_shows_the_folder(tmp_path: Path) -> None:
    for asked in ["..", "", "\0", str(tmp_path)]:
        with pytest.raises(InvalidInput) as raised:
            relative(asked, tmp_path)
        assert str(tmp_path) not in raised.value.message


NAMES = ["guide/install.md", "guide/usage.md", "api/index.md", "README.md", "docs/Installation.md", "a/b/c.md"]


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("guide/instal.md", "guide/install.md"),
        ("install.md", "guide/install.md"),
        ("readme.md", "README.md"),
        ("docs/guide/usage.md", "guide/usage.md"),
        ("api/indx", "api/index.md"),
        ("installation.md", "docs/Installation.md"),
        ("c.md", "a/b/c.md"),
    ],
)
def test_the_nearest_name_comes_first(asked: str, first: str) -> None:
    assert nearest(asked, NAMES, 3)[0] == first


def test_nothing_alike_is_nothing() -> None:
    assert nearest("qqqq", NAMES, 3) == []
    assert nearest("a.md", [], 3) == []
    assert nearest("", NAMES, 3) == []


def test_never_more_than_asked_for() -> None:
    assert len(nearest("index.md", [f"{i}/index.md" for i in range(9)], 4)) == 4


def test_finds_the_nearest_of_12_000_names() -> None:
    words = ["install", "guide", "index", "config", "usage", "api", "reference", "linux", "common"]
    ways = list(itertools.product(words, repeat=3))
    names = [f"{one}/{two}-{three}-{i}.md" for one, two, three in ways for i in range(17)]
    assert "guide/install-config-" in nearest("guide/instal-config-7.md", names, 5)[0]
