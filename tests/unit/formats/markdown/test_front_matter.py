import subprocess
import sys

import pytest

from pincite.formats.markdown.front_matter import LONGEST, find


def test_yaml_values_of_one_line_are_properties() -> None:
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
        "date: 2024-01-02\n"
        "draft: yes\n"
        "empty:\n"
        '"a key":\tyes\n'
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
        "date": "2024-01-02",
        "draft": "yes",
        "a key": "yes",
    }
    assert (found.title, found.language) == ("The guide", "pt-BR")


def test_values_of_many_lines_are_properties() -> None:
    text = (
        "---\n"
        "title: >-\n"
        "  A title\n"
        "  of two lines\n"
        "description: |\n"
        "  One.\n"
        "  Two.\n"
        "tags:\n"
        "- a\n"
        "- b, c\n"
        "authors:\n"
        "  - name: Ann\n"
        "    url: https://example.org/ann\n"
        "  - Bob\n"
        "plain: goes\n"
        "  on\n"
        "hidden: true\n"
        "---\n"
    )
    found = find(text)
    assert found is not None
    assert found.title == "A title of two lines"
    assert found.properties == {
        "title": "A title of two lines",
        "description": "One.\nTwo.",
        "tags": '[a, "b, c"]',
        "authors": "[{name: Ann, url: https://example.org/ann}, Bob]",
        "plain": "goes on",
        "hidden": "true",
    }


def test_a_value_reads_the_same_in_flow_and_in_lines() -> None:
    written = ("a: {b: [1, 'x: y'], c: }", "a:\n  b:\n  - 1\n  - 'x: y'\n  c:", "a:\n  b: [1,\n   \"x: y\"]\n  c: ''")
    found = [find(f"---\n{one}\n---\n") for one in written]
    assert [one.properties if one else None for one in found] == [{"a": '{b: [1, "x: y"], c: ""}'}] * 3


def test_the_last_of_several_values_of_a_key_holds_but_no_empty_one() -> None:
    found = find("---\na: 1\na: 2\na:\nb:\n---\n")
    assert found is not None and found.properties == {"a": "2"}


def test_one_invalid_item_leaves_the_others_as_they_are() -> None:
    text = (
        "---\n"
        "title: Use this: now\n"
        "tags:\n"
        "  - a\n"
        "date: @today # as a template has it\n"
        "tabs:\n"
        "\t- b\n"
        "alias: *nowhere\n"
        "control: a\x00b\n"
        "surrogate: a\udc80b\n"
        "'quoted': 'it's'\n"
        "---\n"
    )
    found = find(text)
    assert found is not None
    assert found.properties == {
        "title": "Use this: now",
        "tags": "[a]",
        "date": "@today",
        "alias": "*nowhere",
        "control": "a\x00b",
        "surrogate": "a\udc80b",
        "quoted": "'it's'",
    }


def test_aliases_cannot_multiply_without_end() -> None:
    lines = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    found = find("---\ntitle: Laughs\n" + "\n".join(lines) + "\n---\n")
    assert found is not None and found.title == "Laughs"
    assert found.properties["a0"] == "[lol, lol, lol, lol, lol, lol, lol, lol, lol]"
    assert sum(map(len, found.properties.values())) < LONGEST


@pytest.mark.parametrize("value", ["&a [*a]", "&a {b: *a}"])
def test_an_alias_within_its_own_anchor_has_no_value(value: str) -> None:
    found = find(f"---\nx: {value}\ntitle: A\n---\n")
    assert found is not None and found.properties == {"x": value, "title": "A"}


@pytest.mark.parametrize("value", ["[" * 60_000, "{" * 60_000, "\n  " + "- " * 30_000 + "x", "[" * 900 + "]" * 900])
def test_a_nest_without_end_is_left_as_it_is_written(value: str) -> None:
    found = find(f"---\nx: {value}\ntitle: A\n---\n")
    assert found is not None and found.title == "A"


def test_pages_without_front_matter_never_load_the_yaml_library() -> None:
    code = """
import sys
from pincite.formats.markdown import front_matter
assert front_matter.find("# A\\n") is None and front_matter.find("---\\n\\nprose\\n\\n---\\n") is None
before = "yaml" in sys.modules
front_matter.find("---\\na: b\\n---\\n")
print(before, "yaml" in sys.modules)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "True"]


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
