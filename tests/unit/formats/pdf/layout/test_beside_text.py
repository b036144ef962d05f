"""A title in one column is alone beside the text of another; the label of a text is beside its first line."""

from pincite.formats.pdf.layout.beside_text import beside_text
from pincite.formats.pdf.layout.paragraphs import Paragraph
from pincite.formats.pdf.page.placed_text import text_of
from pincite.formats.pdf.page.words import Line, line_of, visual_lines
from support.typed_pages import word


def line(text: str, x: float, y: float) -> Line:
    first = int(y * 1000 + x)
    return line_of([word(part, x + 40 * n, y, first=first + 10 * n) for n, part in enumerate(text.split())])


def paragraph(*lines: Line, alone: bool = True) -> Paragraph:
    return Paragraph(lines, text_of(word for line in lines for word in line.words), alone)


def is_alone(title: Line, *text: Line, below: int = 2) -> bool:
    own = [line("below it", 0, 36 + 12 * n) for n in range(below)]
    parts = [paragraph(title, alone=False), paragraph(*own), paragraph(*text)]
    rows = visual_lines(word for part in parts for word in part.words)
    return beside_text(parts, rows)[0].alone


TEXT = [line("of a text", 200, y) for y in (0, 12, 24)]


def test_a_title_beside_a_line_within_a_text_is_alone() -> None:
    assert is_alone(line("A title", 0, 12), *TEXT)


def test_a_label_of_a_drawing_has_no_text_below_it() -> None:
    assert not is_alone(line("A title", 0, 12), *TEXT, below=1)


def test_a_title_beside_the_first_line_of_a_text_is_its_label() -> None:
    assert not is_alone(line("A title", 0, 0), *TEXT)


def test_a_title_beside_few_lines_or_without_white_is_not_alone() -> None:
    assert not is_alone(line("A title", 0, 12), *TEXT[:2])
    assert not is_alone(line("A title", 135, 12), *TEXT)


def test_a_title_above_the_text_of_a_column_is_alone_beside_first_lines_and_tables_of_others() -> None:
    own = [line("whatever is below it is a text", 0, 36 + 12 * n) for n in range(3)]
    parts = [paragraph(line("A title", 0, 12), alone=False), paragraph(*own)]
    parts += [paragraph(line("first line", 300, 12)), paragraph(line("first line", 500, 12))]
    words = [word for part in parts for word in part.words]
    in_table = line("1.5", 700, 12).words
    assert beside_text(parts, visual_lines([*words, *in_table]))[0].alone
    short = [line("a note", 0, 36 + 12 * n) for n in range(3)]
    parts[1] = paragraph(*short)
    assert not beside_text(parts, visual_lines([*words, *in_table]))[0].alone
