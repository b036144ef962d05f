import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.text.names.glob import matcher

PIECES = st.sampled_from(["a", "b", "*", "*", "?", "/", "/**/", "**/", "/**", "[ab]", "[!a]", "**"])


@settings(max_examples=400)
@given(glob=st.lists(PIECES, max_size=9).map("".join), name=st.lists(st.sampled_from("aab/"), max_size=12).map("".join))
def test_means_the_same_as_by_trying_everything(glob: str, name: str) -> None:
    name = re.sub("/+", "/", name).strip("/")
    assert matcher(glob)(name) == _slow(glob, name)


def _slow(glob: str, name: str) -> bool:
    """The same meaning as a plain regular expression, which may take long."""
    written = ""
    at = 0
    while at < len(glob):
        if stars := re.compile(r"\*\*+").match(glob, at):
            segment = at == 0 or glob[at - 1] == "/"
            at = stars.end()
            if segment and glob[at : at + 1] == "/":
                written += "(?:.*/)?"
                at += 1
            else:
                written += ".*"
            continue
        group = re.compile(r"\[.*?\]").match(glob, at)
        token = group[0] if group else glob[at]
        written += {"*": "[^/]*", "?": "[^/]", "[ab]": "[ab]", "[!a]": "[^a/]"}.get(token, re.escape(token))
        at += len(token)
    return re.fullmatch(written, name, re.DOTALL) is not None


LONG = ("a" * 4000, "a/" * 2000, "aa/" * 1300 + "a", "ab" * 2000)


@pytest.mark.parametrize(
    ("glob", "fitting"),
    [
        ("*" * 50, LONG),
        ("*" * 50 + "x", ()),
        ("*a" * 50 + "b", LONG[-1:]),
        ("**a" * 50 + "b", LONG[-1:]),
        ("**/a*" * 50 + "b", ()),
        ("/*" * 50 + "b", ()),
        ("**/" * 50 + "b", ()),
        ("{a,b}" * 9 + "*" * 50 + "c", ()),
        ("a/**/*a*/" * 30 + "b", ()),
        ("?*" * 50 + "b", LONG[-1:]),
        ("[ab]*" * 50 + "c", ()),
        ("**a*a*/" * 20 + "b", ()),
    ],
)
@pytest.mark.parametrize("name", LONG)
def test_no_glob_hangs(glob: str, fitting: tuple[str, ...], name: str) -> None:
    """One that tries every way takes longer than any test may."""
    assert matcher(glob)(name) == (name in fitting)
