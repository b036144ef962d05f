import pytest

from pincite.formats.markdown.front_matter import LONGEST, find


def test_yaml_pairs_of_one_line_are_properties() -> None:
    text = (
        "---\n"
        "title: The  guide # not this\n"
        'quoted: "a: \\"b\\" # c"\n'
        "single: 'it''s'\n"
        "sort_rank: 3\n"
        "url: https://example.org/#top\n"
        "tags: [a, b]\n"
        "# a comment\n"
        "lang: pt_BR\n"
        "empty:\n"
        "more:\n"
        "  nested: no\n"
        "folded: >-\n"
        "  goes on\n"
        "- odd\n"
        '"a key": yes\n'
        "---\n"
        "# Text\n"
    )
    found = find(text)
    assert found is not None
    assert text[found.end :] == "\n# Text\n"
    assert found.properties == {
        "title": "The  guide",
        "quoted": 'a: "b" # c',
        "single": "it's",
        "sort_rank": "3",
        "url": "https://example.org/#top",
        "tags": "[a, b]",
        "lang": "pt_BR",
        "a key": "yes",
    }
    assert (found.title, found.language) == ("The guide", "pt-BR")


def test_toml_scalars_are_properties() -> None:
    text = '+++\ntitle = "A"\ndraft = true\nweight = 3\ndate = 2024-01-02\ntags = ["x"]\n[a]\nb = 1\n+++\n'
    found = find(text.replace("\n", "\r\n"))
    assert found is not None
    assert found.properties == {"title": "A", "draft": "true", "weight": "3", "date": "2024-01-02"}


@pytest.mark.parametrize(
    "text",
    [
        "---\n---\n",
        "---  \n\n...\ntext",
        "---\r\na: b\r\n---",
        "---\ra: b\r---\rtext",
        "---\n# only a comment\n---\n",
    ],
)
def test_front_matter_ends_at_its_closing_line(text: str) -> None:
    found = find(text)
    assert found is not None
    assert text[: found.end].endswith(("---", "..."))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# A\n",
        "---\ntitle: A\n",
        "--- \n\n# A\n\ntext: not yaml? no, text\n\n---\n"[:14],
        "---\n\nSome words between two rules.\n\n---\n",
        "---\n- a list\n---\n",
        "----\na: b\n----\n",
        " ---\na: b\n---\n",
        "\n---\na: b\n---\n",
        "text\n---\na: b\n---\n",
        "+++\na = 1\n",
        "---\na: b\n" + "x\n" * LONGEST + "---\n",
    ],
)
def test_what_is_none(text: str) -> None:
    assert find(text) is None


@pytest.mark.parametrize(
    ("value", "title"),
    [
        ('"open', "open"),
        ("'open", "open"),
        ('"bad \\q escape"', "bad \\q escape"),
        ("|", None),
        ("''", None),
        ("a#b", "a#b"),
        ("# all comment", None),
        ("Title: subtitle", "Title: subtitle"),
    ],
)
def test_odd_scalars(value: str, title: str | None) -> None:
    found = find(f"---\ntitle: {value}\n---\n")
    assert found is not None and found.title == title


@pytest.mark.parametrize("body", ["not toml", "a = " + "[" * 5000, "a = 1\na = 2"])
def test_broken_toml_has_no_properties(body: str) -> None:
    found = find(f"+++\n{body}\n+++\n")
    assert found is not None and found.properties == {}


@pytest.mark.parametrize(("tag", "language"), [("en", "en"), ("zh-Hans-CN", "zh-Hans-CN"), ("English (US)", None)])
def test_a_language_must_look_like_a_tag(tag: str, language: str | None) -> None:
    found = find(f"---\nlanguage: {tag}\n---\n")
    assert found is not None and found.language == language
