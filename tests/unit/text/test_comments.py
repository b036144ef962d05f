import pytest

from pincite.text.comments import without_comments


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Before. <!-- It MUST\nnot. --> After.", "Before. After."),
        ("Before.\n{/* It MUST. */}\nAfter.", "Before. After."),
        ("Before.\n////\nIt MUST.\n\n== It\n////\nAfter.", "Before. After."),
        ("//It MUST.\n//It SHALL.\nAfter.", "After."),
        (".. It MUST\n   not.\n\nAfter.", "After."),
    ],
)
def test_a_comment_is_blank_and_the_rest_stays_in_its_place(text: str, shown: str) -> None:
    blanked = without_comments(text)
    assert " ".join(blanked.split()) == shown
    assert len(blanked) == len(text) and blanked.index("After") == text.index("After")


@pytest.mark.parametrize(
    "text",
    [
        "`<!--` opens a comment and `-->` closes it.",
        "```html\n<!-- hidden -->\n```\n",
        "<!-- It is never closed.",
        "See https://example.org and a // b.",
        ".. note::\n   It MUST.\n",
        ".. _keys:\n\n.. [1] It MUST.\n",
        "///\nIt MUST.\n///",
    ],
)
def test_what_is_no_comment_is_as_it_was(text: str) -> None:
    assert without_comments(text) == text
