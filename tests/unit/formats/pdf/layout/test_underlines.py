"""Underlined lines, and those of them that are titles."""

from dataclasses import replace

import pytest

from pincite.formats.pdf.layout.underlines import MAX_PIECES, drawings, is_underlined, pieces_of
from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.page.words import Line, line_of
from pincite.model.document import BlockKind
from support.drawn_pdfs import drawn_pdf, text
from support.pdf_layout import read
from support.pdf_read import blocks, document
from support.pdfs import PARAGRAPH, Filled, Text, column, prose
from support.typed_pages import typed

(LINE,) = typed("A title")
BASELINE = 8.0
SLANTS = [(100.0, 40.0), (120.0, 60.0), (140.0, 80.0)]
ARROWS = "1 w 150 600 m 200 640 l S 150 560 m 200 600 l S 150 520 m 200 560 l S"


def on_baseline(line: Line) -> Line:
    return line_of([replace(word, below=BASELINE) for word in line.words])


def underlined(*rules: tuple[float, float, float]) -> bool:
    return is_underlined(on_baseline(LINE), pieces_of(Rule(*rule) for rule in rules))


def test_a_rule_right_below_all_words_underlines_them() -> None:
    assert underlined((9, 0, 35))
    assert not underlined() and not underlined((9, 0, 20)) and not underlined((9, 10, 35))


def test_the_line_of_a_form_and_of_a_table_goes_on_or_is_further_down() -> None:
    assert not underlined((9, 0, 80)) and not underlined((13, 0, 35)) and not underlined((4, 0, 35))


def test_the_rule_may_be_broken_at_descenders_and_spaces() -> None:
    assert underlined((9, 0, 5), (9, 10, 20), (9, 26, 35))
    assert not underlined((9, 0, 5), (9, 20, 35))


def test_many_short_rules_are_a_drawing() -> None:
    assert not underlined(*((9, 35 * n / MAX_PIECES, 35 * (n + 1) / MAX_PIECES) for n in range(MAX_PIECES + 1)))


def test_words_far_apart_are_a_row_and_no_title() -> None:
    (line,) = typed("Report         12")
    assert not is_underlined(on_baseline(line), pieces_of([Rule(9, 0, line.x1)]))


def apart(width: float, *texts: str) -> list[Text | Filled]:
    content: list[Text | Filled] = []
    for number, part in enumerate(texts):
        y = 60 + 100 * number
        content += [Text(part, y=y), Filled(72, y + 1.2, 72 + width, y + 1.8), *prose(y=y + 30)]
    return content


@pytest.mark.parametrize(
    ("texts", "width", "titles"),
    [
        (("The scope", "The terms"), 46, ["The scope", "The terms"]),
        (("It ends here.", "It ends there."), 57, []),
        (("N", "N"), 7, []),
        (("www.example.com", "www.example.net"), 80, []),
    ],
)
def test_an_underlined_line_is_a_heading_unless_it_is_a_sentence_or_an_address(
    texts: tuple[str, str], width: float, titles: list[str]
) -> None:
    assert [block.title for block in blocks(read(apart(width, *texts))) if block.kind is BlockKind.HEADING] == titles


def test_underlined_lines_below_each_other_are_a_text() -> None:
    lines = [*apart(46, "The scope", "The terms")[:2], Text("The terms", y=74), Filled(72, 75.2, 118, 75.8)]
    assert not [block for block in blocks(read([*lines, *prose(y=130)])) if block.kind is BlockKind.HEADING]


def right_above(*titles: tuple[str, ...], text: tuple[str, ...] = PARAGRAPH) -> list[str]:
    """Titles of a page whose paragraphs begin with underlined lines, each 46 points wide."""
    content: list[Text | Filled] = []
    for number, title in enumerate(titles):
        lines = column(*title, *text, y=60 + 100 * number)
        content += [*lines, *(Filled(72, line.y + 1.2, 118, line.y + 1.8) for line in lines[: len(title)])]
    return [block.title for block in blocks(read(content)) if block.kind is BlockKind.HEADING]


def test_underlined_first_lines_of_a_paragraph_are_its_title() -> None:
    assert right_above(("The scope",), ("The terms",)) == ["The scope", "The terms"]
    assert right_above(("The scope", "The terms"), ("The terms",)) == ["The scope The terms", "The terms"]


def test_a_text_that_goes_on_behind_an_underlined_line_is_none_below_a_title() -> None:
    assert not right_above(("The scope",), ("The terms",), text=PARAGRAPH[1:])


def test_an_underlined_text_of_many_lines_is_no_title() -> None:
    assert not right_above(("The scope", "The terms") * 2, ("The terms", "The scope") * 2)


def titles(content: str) -> list[str]:
    return [block.title for block in blocks(document(drawn_pdf(content))) if block.kind is BlockKind.HEADING]


def test_slanted_lines_near_each_other_are_a_drawing_with_the_labels_around_them() -> None:
    ((x0, y0, x1, y1),) = drawings(Rules(slants=SLANTS), [])
    assert x0 < 60 and x1 > 180 and y0 < 36 and y1 > 84
    assert len(drawings(Rules(slants=[*SLANTS, *((x, y + 300) for x, y in SLANTS)]), [])) == 2


def test_few_lines_and_the_ground_of_a_text_are_no_drawings() -> None:
    assert not drawings(Rules(slants=SLANTS[:2]), []) and not drawings(Rules(), [])
    # A box with round corners has twelve ends of curves.
    assert not drawings(Rules(curves=[(0.0, 10.0 * n) for n in range(12)]), [])
    assert drawings(Rules(curves=[(0.0, 10.0 * n) for n in range(40)]), [])
    ground = typed("\n\n\n\nA line of running text in the middle of it, longer than any label is.\n")
    assert not drawings(Rules(slants=[(x + 50, y) for x, y in SLANTS]), ground)


def test_labels_of_a_diagram_are_no_headings() -> None:
    labels = "".join(text(f"Item {n}", 100, 660 - 40 * n, 14) for n in range(1, 4))
    prose = "".join(
        text("The quick brown fox jumps over the lazy dog while others look on.", 72, y) for y in (300, 288)
    )
    page = text("The diagram", 72, 740, 14) + labels + prose
    assert titles(page + ARROWS) == ["The diagram"]
    assert titles(page) == ["The diagram", "Item 1", "Item 2", "Item 3"]
