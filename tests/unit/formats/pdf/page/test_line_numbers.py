"""Numbers that the print adds to lines of code."""

from dataclasses import replace
from typing import Any

import pytest

from support.pdf_layout import read
from support.pdf_read import shown
from support.pdfs import Text, prose

LINES = ("def f(x):", "    if x:", "", "        return 1")


def page(numbers: list[str], *, size: float = 10, colour: str = "0 0 0", font: str = "C") -> list[Text]:
    code = [
        Text(line.lstrip(), 100 + 6 * (len(line) - len(line.lstrip())), 300 + 12 * n, 10, "C")
        for n, line in enumerate(LINES)
    ]
    left = [Text(number, 80, 300 + 12 * n, size, font, colour=colour) for n, number in enumerate(numbers)]
    pairs = [part for n, line in enumerate(code) for part in (*left[n : n + 1], line) if part.text]
    return [*prose(), *pairs, *prose(y=400)]


def test_the_white_of_the_numbers_is_no_indent_of_the_code() -> None:
    content = [replace(part, x=part.x - 4) if 290 < part.y < 390 else part for part in page(["1", "2", "3"], size=7)]
    assert "```\n" + "\n".join(LINES) + "\n```" in [text for _, text in shown(read(content))]


@pytest.mark.parametrize("look", [{"size": 7}, {"colour": ".5 .5 .5"}, {"font": "F", "size": 6}])
def test_numbers_in_another_look_are_none_of_the_code(look: dict[str, Any]) -> None:
    document = read(page(["7", "8", "9", "10"], **look))
    texts = [text for _, text in shown(document)]
    assert "```\n" + "\n".join(LINES) + "\n```" in texts
    assert len(texts) == 3
    assert [(aside.text, aside.reason) for aside in document.asides] == [("7 8 9 10", "numbers of the lines")]


def test_numbers_that_are_not_consecutive_are_kept() -> None:
    content = page(["1", "2", "5", "9"], size=7)
    text = read(content).text
    assert all(f"{content[n].text}" in text for n in (3, 5))
    assert "2     if x:" in text or "2\n" in text or "2 " in text


def test_numbers_that_look_as_the_code_does_are_none_of_it_if_it_is_indented() -> None:
    assert "```\n" + "\n".join(LINES) + "\n```" in [text for _, text in shown(read(page(["1", "2", "3", "4"])))]
    # Those of a list, of values, and of lines from the middle of a file are kept.
    for numbers, texts in (
        (range(1, 5), ("one", "two", "three", "four")),
        (range(1, 5), ("  1,200", " 12,000", "120,000", "      1")),
        (range(7, 11), LINES),
    ):
        rows = [
            part
            for n, (number, text) in enumerate(zip(numbers, texts, strict=True))
            for part in (
                Text(str(number), 80, 300 + 12 * n, 10, "C"),
                Text(text.lstrip() or "x", 100 + 6 * (len(text) - len(text.lstrip())), 300 + 12 * n, 10, "C"),
            )
        ]
        assert f"{numbers[0]}  {texts[0]}"[:4] in read([*prose(), *rows, *prose(y=400)]).text


def test_prompts_of_a_notebook_are_none_of_the_code_of_its_cells() -> None:
    prompt = [Text("In", 60, 300, 10, "C"), Text("[1]:", 78, 300, 10, "C")]
    code = [Text("first = 1", 120, 300, 10, "C"), Text("second = 2", 120, 312, 10, "C")]
    found = [text for _, text in shown(read([*prose(), *prompt, *code, *prose(y=400)]))]
    assert found[1:3] == ["In [1]:", "```\nfirst = 1\nsecond = 2\n```"]


def test_the_number_of_a_single_line_is_none_of_the_code() -> None:
    def texts(gap: float) -> list[str]:
        line = [Text("1", 100 - gap - 4.2, 300, 7, "C", colour=".5 .5 .5"), Text("run it", 100, 300, 10, "C")]
        return [text for _, text in shown(read([*prose(), *line, *prose(y=400)]))]

    assert "```\nrun it\n```" in texts(gap=8)
    # A space away, it is a number in the code.
    assert "```\nrun it\n```" not in texts(gap=6)


def test_numbers_of_blank_lines_at_the_end_are_none_of_the_text() -> None:
    below = [Text(number, 80, 336 + 12 * n, 7, "C") for n, number in enumerate(("5", "6"), 1)]
    document = read([*page(["1", "2", "3", "4"], size=7), *below])
    assert [aside.text for aside in document.asides] == ["1 2 3 4 5 6"]
