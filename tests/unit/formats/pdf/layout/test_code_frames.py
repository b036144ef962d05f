"""Rules and grounds tell where a block of code ends."""

from dataclasses import replace

import pytest

from support.pdf_layout import read
from support.pdf_read import shown
from support.pdfs import Content, Filled, Text, prose


def code(*lines: str, y: float = 300) -> list[Text]:
    return [Text(line, 72, y + 12 * number, 10, "C") for number, line in enumerate(lines) if line]


def blocks(*content: Content) -> list[str]:
    return [text for kind, text in shown(read(*content)) if kind == "code"]


@pytest.mark.parametrize("edge", [[Filled(66, 313, 500, 314)], [Filled(66, 296, 500, 312), Filled(66, 316, 500, 340)]])
def test_a_rule_between_two_lines_or_white_between_their_grounds_parts_two_blocks(edge: list[Filled]) -> None:
    colour = [replace(fill, colour="0.9 0.9 0.9") if fill.y1 - fill.y0 > 1 else fill for fill in edge]
    lines = [*code("first = 1"), *code("second = 2", "third = 3", y=318)]
    expected = ["```\nfirst = 1\n```", "```\nsecond = 2\nthird = 3\n```"]
    assert blocks([*colour, *prose(), *lines, *prose(y=500)]) == expected


@pytest.mark.parametrize(
    "fills", [[Filled(72, 311, 126, 311.5)], [Filled(66, 296, 500, 310), Filled(66, 310, 500, 324)]]
)
def test_underlines_and_grounds_of_single_lines_part_no_code(fills: list[Filled]) -> None:
    colour = [replace(fill, colour="0.9 0.9 0.9") for fill in fills]
    found = blocks([*colour, *prose(), *code("first = 1", "second = 2"), *prose(y=500)])
    assert found == ["```\nfirst = 1\nsecond = 2\n```"]


def test_the_ground_of_a_blank_line_parts_no_code() -> None:
    """LaTeX gives each line a ground of its own, and blank ones, too."""
    fills = [Filled(66, y, 500, y + 12, "0.9 0.9 0.9") for y in (298, 310, 322)]
    found = blocks([*fills, *prose(), *code("first = 1", "", "second = 2"), *prose(y=500)])
    assert found == ["```\nfirst = 1\n\nsecond = 2\n```"]
