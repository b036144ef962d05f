import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.text.names.glob import matcher, under

FITS = [
    ("a.md", "a.md"),
    ("*.md", "a.md"),
    ("*", ".hidden"),
    ("?.md", "é.md"),
    ("\u00e9.md", "e\u0301.md"),
    ("docs/*.md", "docs/a.md"),
    ("docs/*/x", "docs/a/x"),
    ("**", "a"),
    ("**", "a/b/c"),
    ("**/x.md", "x.md"),
    ("**/x.md", "a/x.md"),
    ("**/x.md", "a/b/x.md"),
    ("a/**/b", "a/b"),
    ("a/**/b", "a/x/y/b"),
    ("docs/**", "docs/a"),
    ("docs/**", "docs/a/b/c.md"),
    ("docs/**/*.md", "docs/c.md"),
    ("**/a/**", "a/b"),
    ("**/a/**", "x/a/y/z"),
    ("**.md", "a/b.md"),
    ("a**b", "a/x/b"),
    ("a**b", "ab"),
    ("a**/b", "ax/y/b"),
    ("***/x", "a/b/x"),
    ("**/*a*b*/**/c?", "q/xaxbx/c1"),
    ("[abc]", "b"),
    ("[a-c]x", "bx"),
    ("[!a]x", "bx"),
    ("[^a-c]x", "dx"),
    ("[]]", "]"),
    ("[!]]", "a"),
    ("[a-]", "-"),
    ("[-a]", "-"),
    ("[!]", "!"),
    (r"[\]]", "]"),
    (r"[\a-\c]", "b"),
    ("[[]", "["),
    ("[{,}]", ","),
    ("[é-ü]", "ö"),
    ("{a,b}", "a"),
    ("{a,b}", "b"),
    ("{a,b{c,d}}/*.md", "bd/x.md"),
    ("{,a/}x", "x"),
    ("{,a/}x", "a/x"),
    ("{docs/**,*.txt}", "docs/q/r"),
    ("{a}", "a"),
    ("x{}", "x"),
    ("a}", "a}"),
    ("a,b", "a,b"),
    (r"\*", "*"),
    (r"\{a,b\}", "{a,b}"),
    (r"{a\,b,c}", "a,b"),
    ("a\nb", "a\nb"),
    ("*.md", "a\nb.md"),
    ("a b+(c).md", "a b+(c).md"),
]


FITS_NOT = [
    ("*.md", "a/b.md"),
    ("b.md", "a/b.md"),
    ("a/*", "a"),
    ("a/*", "a/b/c"),
    ("a?b", "a/b"),
    ("docs/**", "docs"),
    ("docs/**", "docsx/a"),
    ("docs", "docs/a"),
    ("docs/", "docs/a"),
    ("A.md", "a.md"),
    ("[a/b]x/y", "/x/y"),
    ("a[+-9]b", "a/b"),
    ("a[!x]b", "a/b"),
    ("[!a]x", "ax"),
    ("./a.md", "a.md"),
    ("/a.md", "a.md"),
    ("", "a"),
    ("{a,b}", "{a,b}"),
    ("a\n", "a"),
    ("*.md", "a.md\n"),
]


MALFORMED = [
    *("[", "[a", "[]", "[!", "a[b-", "[z-a]", "{a", "{a,{b}", "{[}", "a\\", "[\\", "[a\\]", "{a\\"),
    *("{" * 21 + "}" * 21, "{a,b}" * 10, "a" * 4097, "{" + "a" * 4000 + "}{a,b,c,d,e,f,g,h,i,j,k,l,m}"),
]


@pytest.mark.parametrize(("glob", "name"), FITS)
def test_fits(glob: str, name: str) -> None:
    assert matcher(glob)(name)


@pytest.mark.parametrize(("glob", "name"), FITS_NOT)
def test_fits_not(glob: str, name: str) -> None:
    assert not matcher(glob)(name)


@pytest.mark.parametrize("glob", MALFORMED)
@pytest.mark.parametrize("name", ["", "a", "[", "ab", "{a"])
def test_a_malformed_glob_fits_nothing(glob: str, name: str) -> None:
    if glob == "{a,b}" * 10:
        name = "ab" * 5
    assert not matcher(glob)(name)


@settings(max_examples=150)
@given(glob=st.text("ab*?[]{}!^-\\,/.", max_size=14), name=st.text("ab/.,{}[]*", max_size=10))
def test_any_glob_is_taken(glob: str, name: str) -> None:
    assert matcher(glob)(name) in {True, False}


@pytest.mark.parametrize("prefix", ["epics", "epics/", "./epics", "/epics", "epics//", "./epics/."])
def test_a_prefix_is_a_folder_or_a_whole_file(prefix: str) -> None:
    inside = under(prefix)
    assert inside("epics/a.md") and inside("epics/b/c.md") and inside("epics")
    assert not inside("epics.md") and not inside("epicsx/a.md") and not inside("x/epics/a.md")


def test_a_prefix_may_be_one_file() -> None:
    assert under("a/b.md")("a/b.md") and not under("a/b.md")("a/b.mdx")


@pytest.mark.parametrize("prefix", ["", ".", "/", "./"])
def test_no_prefix_is_everything(prefix: str) -> None:
    assert under(prefix)("a/b.md")


def test_a_prefix_that_leaves_holds_nothing() -> None:
    assert not under("../a")("a/b.md")


def test_fits_some_of_many_names() -> None:
    folders = ["/".join(way) for way in itertools.product(["docs", "guide", "api", "v2"], repeat=4)]
    names = [f"{folder}/{i}.md" for folder in folders for i in range(47)]
    fits = matcher("docs/**/{api,guide}/*[0-9].md")
    assert sum(map(fits, names)) == 1 * 4 * 4 * 2 * 47
