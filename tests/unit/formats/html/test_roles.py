import pytest

from pincite.formats.html.roles import role_of


@pytest.mark.parametrize(
    ("tag", "names", "role"),
    [
        ("div", "note", "note"),
        ("p", "NOTE", "note"),
        ("div", "admonitionblock tip", "note"),
        ("div", "admonition warning", ""),
        ("aside", "example", "example"),
        ("aside", "", "note"),
        ("section", "appendix informative", "informative"),
        ("body", "note", ""),
        ("div", "footnotes", ""),
        ("div", "", ""),
    ],
)
def test_a_class_says_what_a_text_is(tag: str, names: str, role: str) -> None:
    assert role_of(tag, {"class": names}) == role


def test_so_does_its_role() -> None:
    assert role_of("div", {"role": "note"}) == "note"
    assert role_of("section", {"role": "doc-example", "class": "box"}) == "example"
