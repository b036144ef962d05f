import pytest

from pincite.formats.markdown.yaml_mapping import MAX_DEPTH, MAX_REPEATED_CHARS, pairs


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("", []),
        ("# only a comment\n", []),
        ("a: 2024-01-02\nb: yes\nc: 007\nd: ~", [("a", "2024-01-02"), ("b", "yes"), ("c", "007"), ("d", "~")]),
        ("a: 1\na: 2", [("a", "1"), ("a", "2")]),
        ("a:\n- b\n- c", [("a", "[b, c]")]),
        ("a: {b: c, d: [e]}", [("a", "{b: c, d: [e]}")]),
        ("a: [b]\nc: []\nd: {}", [("a", "[b]"), ("c", "[]"), ("d", "{}")]),
        ("a: |\n  b\n  c\nd: >\n  e\n  f\n", [("a", "b\nc"), ("d", "e f")]),
        ("[a, b]: c", [("[a, b]", "c")]),
    ],
)
def test_pairs_of_the_outermost_mapping(source: str, found: list[tuple[str, str]]) -> None:
    assert pairs(source) == found


@pytest.mark.parametrize(
    ("scalar", "flow"),
    [
        ("word", "word"),
        ("two words", "two words"),
        ("https://example.org/#top", "https://example.org/#top"),
        ("'a, b'", '"a, b"'),
        ("'a: b'", '"a: b"'),
        ("'a:'", '"a:"'),
        ("'a #b'", '"a #b"'),
        ("'[a'", '"[a"'),
        ("' a'", '" a"'),
        ("'a '", '"a "'),
        ("'it''s'", '"it\'s"'),
        ("''", '""'),
        ("ä", "ä"),
    ],
)
def test_a_scalar_within_a_collection_has_quotes_where_it_could_be_misread(scalar: str, flow: str) -> None:
    assert pairs(f"a: [{scalar}]") == [("a", f"[{flow}]")]
    assert pairs(f"a: [{flow}]") == [("a", f"[{flow}]")]


@pytest.mark.parametrize(
    "source", ["word", "[a]", "- a", "a: 'b", "a: b: c", "a: *b", "a:\n\t- b", "a: \x00", "a: \ud800"]
)
def test_what_is_no_mapping_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        pairs(source)


def test_nesting_ends_at_a_depth() -> None:
    assert pairs("a: " + "[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1))[0][0] == "a"
    for opening in ("[" * MAX_DEPTH + "]" * MAX_DEPTH, "[" * 60_000, "\n " + "- " * 30_000):
        with pytest.raises(ValueError, match="deep"):
            pairs(f"a: {opening}")


def test_aliases_repeat_so_much_and_no_more() -> None:
    assert pairs("a: &x [1, &y word]\nb: *x\nc: [*y]") == [("a", "[1, word]"), ("b", "[1, word]"), ("c", "[word]")]
    fits = MAX_REPEATED_CHARS // 1000
    assert len(pairs(f"a: &x {'x' * 1000}\nb: [{'*x , ' * fits}]")[1][1]) > fits * 1000
    with pytest.raises(ValueError, match="repeat"):
        pairs(f"a: &x {'x' * 1000}\nb: [{'*x , ' * (fits + 1)}]")


@pytest.mark.parametrize("value", ["&a [*a]", "&a {b: *a}"])
def test_an_alias_within_its_own_anchor_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match="anchor"):
        pairs(f"a: {value}")


def test_no_object_is_made_of_a_tag() -> None:
    source = "a: !!python/object/apply:os.getcwd []\nb: !!binary QQ==\nc: !!int x"
    assert pairs(source) == [("a", "[]"), ("b", "QQ=="), ("c", "x")]
