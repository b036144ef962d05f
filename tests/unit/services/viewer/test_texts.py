"""Parts of a text."""

import pytest

from pincite.errors import NotFound
from pincite.services.viewer.texts import PART_CHARS, part, part_at

LINES = "".join(f"line {number} of a long text\n" for number in range(3000))


@pytest.mark.parametrize(
    "text", ["", "short", LINES, "x" * (2 * PART_CHARS + 5)], ids=["none", "short", "lines", "one"]
)
def test_the_parts_joined_are_the_text(text: str) -> None:
    count = part(text, 0).count
    parts = [part(text, number) for number in range(count)]
    assert "".join(one.text for one in parts) == text
    assert [one.start for one in parts] == [sum(len(one.text) for one in parts[:number]) for number in range(count)]


def test_a_part_ends_with_a_line() -> None:
    assert all(part(LINES, number).text.endswith("\n") for number in range(part(LINES, 0).count))


def test_no_table_is_cut_that_is_shorter_than_half_a_part() -> None:
    table = "| # | text |\n|---|---|\n" + "| 1 | row |\n" * 300 + "\n"
    text = ("Words of prose.\n\n" * 20 + table) * 40
    parts = [part(text, number).text for number in range(part(text, 0).count)]
    assert "".join(parts) == text
    assert sum(one.count(table) for one in parts) == 40


@pytest.mark.parametrize("offset", [0, 1, PART_CHARS - 1, PART_CHARS, 2 * PART_CHARS - 20, len(LINES) - 1])
def test_a_character_is_in_its_part(offset: int) -> None:
    found = part_at(LINES, offset)
    assert found.start <= offset < found.start + len(found.text)
    assert found == part(LINES, found.number)


def test_what_is_not_there_is_told() -> None:
    with pytest.raises(NotFound, match="parts 0 to 0"):
        part("a", 1)
    with pytest.raises(NotFound, match="the text has 1"):
        part_at("a", 2)
    assert part_at("a", 1).number == 0
