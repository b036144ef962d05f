import pytest

from pincite.sources.ignore import IgnoreFile, Rules, Scope, Verdict
from pincite.sources.patterns import parse


def verdict(text: str, path: str, *, folder: bool = False) -> Verdict:
    return Rules(git=(Scope(IgnoreFile(parse(text.encode()))),)).verdict(path, folder=folder)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a.md", "x/a.md"),
        ("/a.md", "a.md"),
        ("x/*.md", "x/a.md"),
        ("**/b/a.md", "x/b/a.md"),
        ("x/**", "x/y/z"),
        ("x/**/z", "x/z"),
        ("*.m[d-f]", "a.md"),
        ("[[:upper:]].md", "A.md"),
        ("a\\ ", "a "),
        ("a \\ b  ", "a  b"),
        ("\\#a", "#a"),
        ("\\!a", "!a"),
        ("\ufeffa", "a"),
        ("a\r\nb\r\n", "b"),
        ("é*", "éa"),
        ("??", "é"),
        ("a\0junk", "a"),
        ("x\\/a", "x/a"),
        ("x/**\\/a", "x/y/a"),
    ],
)
def test_ignores(text: str, path: str) -> None:
    assert verdict(text, path) is Verdict.IGNORED


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("#a", "#a"),
        ("", "a"),
        ("/", "a"),
        ("!", "a"),
        ("a/", "a"),
        ("a.md\n!a.md", "a.md"),
        ("/a.md", "x/a.md"),
        ("x/*", "x/y/z"),
        ("?", "é"),
        ("a\\", "a"),
        ("[a", "a"),
        ("[[:nothing:]]", "a"),
        ("[\\", "\\"),
        ("[[:alpha:", "a"),
        ("x/**", "x"),
        ("A", "a"),
    ],
)
def test_keeps(text: str, path: str) -> None:
    assert verdict(text, path) is Verdict.KEPT


def test_a_pattern_for_folders_means_folders() -> None:
    assert verdict("a/", "a", folder=True) is Verdict.IGNORED
    assert verdict("x/**", "x", folder=True) is Verdict.KEPT


def test_no_pattern_takes_long() -> None:
    assert verdict("*a" * 60 + "b\n" + "**/a*a*a*" * 60 + "b", "a/" * 500 + "a" * 200) is Verdict.KEPT
