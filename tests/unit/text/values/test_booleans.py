import pytest

from pincite.text.values.booleans import read_boolean


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Yes", True),
        ("ja, integriert", True),
        ("✓", True),
        ("はい", True),
        ("no", False),
        ("Not available", False),
        ("nicht vorhanden", False),
        ("✗", False),
        ("perhaps", None),
        ("north", None),
        ("", None),
        ("☒", True),
        ("☐", False),
        ("☒ Yes ☐ No", True),
        ("☐ Yes ☒ No", False),
        ("[ ] ja [x] nein", False),
        ("☐ Yes ☐ No", None),
        ("☒ Yes ☒ No", None),
    ],
)
def test_words_and_marks(text: str, value: bool | None) -> None:
    assert read_boolean(text) is value
