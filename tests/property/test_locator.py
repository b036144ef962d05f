import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pincite.errors import InvalidInput
from pincite.model.locator import Ref, parse, revision

names = st.text(st.characters(), min_size=1)  # every character there is, surrogates included
digits = st.text("0123456789abcdef", min_size=8, max_size=8)
parts = st.just("") | st.builds("-{}{}".format, st.sampled_from("ct"), st.integers(1, 10**6))
locators = st.builds("h{}{}".format, st.integers(0, 10**6), parts)
spans = st.none() | st.tuples(st.integers(0, 10**9), st.integers(0, 10**9)).map(lambda pair: (min(pair), max(pair)))
marks = st.just("") | st.text("0123456789abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=11)
refs = st.builds(Ref, names, digits, locators, spans, marks)
near_references = st.from_regex(
    r"[a%\x00é@#:0-9A-Fhc\- ]{0,8}@[0-9a-fg]{7,9}#h[0-9]{1,3}(-[ctx][0-9]{1,2})?"
    r"(:[0-9]{1,2}-[0-9]{1,2})?(~[0-9a-zA-Z~]{0,12})?\n?"
)


@given(refs)
def test_a_written_reference_is_read_as_it_was(ref: Ref) -> None:
    assert parse(str(ref)) == ref


@given(
    st.one_of(
        st.text(),
        near_references,
        refs.map(str),
        st.builds("{}{}".format, refs, st.text(max_size=2)),
    )
)
@example("a%FF@9f31c2aa#h1")
@example("a%0a@9f31c2aa#h1")
@example("a@9f31c2aa#h1:0-" + 5000 * "9")
@example("a@9f31c2aa#h1:3-2")
@example("a@9f31c2aa#h01")
@example("a@9f31c2aa#h1\n")
@example("a@9f31c2aa#h1~")
@example("a@9f31c2aa#h1~0123456789ab")
@example("a@9f31c2aa#h1~A")
@example("a@9f31c2aa#h1~a:0-1")
@example("@9f31c2aa#h1")
def test_no_string_is_read_that_would_not_be_written(text: str) -> None:
    try:
        ref = parse(text)
    except InvalidInput:
        return
    assert str(ref) == text


@given(refs)
def test_a_reference_holds_no_white_space(ref: Ref) -> None:
    assert str(ref).isprintable() and len(str(ref).split()) == 1


@given(st.tuples(st.text(), st.text()), st.tuples(st.text(), st.text()))
def test_a_revision_changes_with_whatever_changes_a_locators_meaning(
    one: tuple[str, str], other: tuple[str, str]
) -> None:
    apart = "\0".join(one) != "\0".join(other)
    assert (revision(*one) != revision(*other)) is apart


@pytest.mark.parametrize("name", ["guide/setup.md", "ä/日本.md", "a b.md", "100%.md", "a@b#c:d", "x\ud800y", "\u2028"])
def test_names_survive(name: str) -> None:
    ref = Ref(name, "9f31c2aa", "h4-c1", (3, 9))
    assert parse(str(ref)).document == name
