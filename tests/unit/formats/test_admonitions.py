"""Boxes of notes and examples in the extensions of Markdown, reStructuredText and AsciiDoc."""

import pytest

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.detect.sniff import detect
from pincite.formats.worker.read import read_document
from pincite.model.call import Call


def roles(name: str, text: str) -> dict[str, str]:
    """Return the role of each block that says what a pump must be, by its last word."""
    row = detect(name, text.encode())
    assert row is not None
    document = read_document(row, Blob(name, text.encode()), ReadOptions(), Call())
    blocks = [block for section in document.sections for block in section.blocks]
    return {
        word: block.role
        for block in blocks
        for word in document.text[block.start : block.end].replace(".", " ").split()
        if word in {"red", "blue", "green"}
    }


@pytest.mark.parametrize(
    ("name", "box", "role"),
    [
        ("a.md", "!!! note\n\n    It must be red.\n\n    It must be blue.\n", "note"),
        ("a.md", '??? example "Title"\n    It must be red.\n\n    It must be blue.\n', "example"),
        ("a.md", "> [!NOTE]\n> It must be red.\n>\n> It must be blue.\n", "note"),
        ("a.md", ":::tip\nIt must be red.\n\nIt must be blue.\n:::\n", "note"),
        ("a.md", "::: {.example #e1}\nIt must be red.\n\nIt must be blue.\n:::\n", "example"),
        ("a.md", '<div class="informative">\n\nIt must be red.\n\nIt must be blue.\n\n</div>\n', "informative"),
        ("a.mdx", "<Note>\n  It must be red.\n\n  It must be blue.\n</Note>\n", "note"),
        ("a.md", '{% hint style="info" %}\nIt must be red.\n\nIt must be blue.\n{% endhint %}\n', "note"),
        ("a.md", "{{< note >}}\nIt must be red.\n\nIt must be blue.\n{{< /note >}}\n", "note"),
        ("a.rst", ".. note::\n\n   It must be red.\n\n   It must be blue.\n", "note"),
        ("a.adoc", "[NOTE]\n====\nIt must be red.\n\nIt must be blue.\n====\n", "note"),
        ("a.md", "!!! warning\n\n    It must be red.\n\n    It must be blue.\n", ""),
        ("a.md", "> [!IMPORTANT]\n> It must be red.\n>\n> It must be blue.\n", ""),
        ("a.md", ":::box\nIt must be red.\n\nIt must be blue.\n:::\n", ""),
    ],
)
def test_a_box_has_the_role_of_its_name(name: str, box: str, role: str) -> None:
    text = f"The pump is old.\n\n{box}\nIt must be green.\n"
    assert roles(name, text) == {"red": role, "blue": role, "green": ""}


@pytest.mark.parametrize("opening", [":::note", "<aside>", "{% note %}", "[NOTE]"])
def test_a_box_without_an_end_is_one_block(opening: str) -> None:
    assert roles("a.md", f"{opening}\nIt must be red.\n\nIt must be green.\n") == {"red": "note", "green": ""}


def test_a_container_without_an_end_does_not_end_with_the_next_one() -> None:
    text = "::: note\nIt must be red.\n\nIt must be blue.\n\n::: warning\nOld.\n:::\n\nIt must be green.\n"
    assert roles("a.md", text) == {"red": "note", "blue": "", "green": ""}
    nested = "::: note\nIt must be red.\n\n::: tip\nOld.\n:::\n\nIt must be blue.\n:::\n\nIt must be green.\n"
    assert roles("a.md", nested) == {"red": "note", "blue": "note", "green": ""}
