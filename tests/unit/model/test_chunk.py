"""What of a chunk is embedded."""

import pytest

from pincite.model.chunk import embed_text


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("see [the guide](https://example.org/a#b) now", "see the guide now"),
        ('a ![picture](img/a.png "of a cat") here', "a picture here"),
        ("[first](a.md) and [second](#there)", "first and second"),
        ("[note](wiki/A_(letter))", "note"),
        ("handlers[name](event)", "handlers[name](event)"),
        ("More: <https://example.org/a>. End", "More: . End"),
        ("(http://example.org/?q=1#x) there", "() there"),
        ("[open](https://example.org", "[open]("),
    ],
)
def test_addresses_are_not_embedded(text: str, seen: str) -> None:
    assert embed_text("", text, 0) == seen


def test_context_comes_first_and_front_matter_is_left_out() -> None:
    assert embed_text("Guide\nPart", "---\na: b\n---\ntext", 13) == "Guide\nPart\ntext"
