"""Short texts in drawings are labels, and no headings."""

from pincite.formats.pdf.layout.drawings import drawings
from pincite.formats.pdf.page.rules import Rules
from pincite.model.document import BlockKind
from support.drawn_pdfs import drawn_pdf, text
from support.pdf_read import blocks, document
from support.typed_pages import typed

SLANTS = [(100.0, 40.0), (120.0, 60.0), (140.0, 80.0)]
ARROWS = "1 w 150 600 m 200 640 l S 150 560 m 200 600 l S 150 520 m 200 560 l S"


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
