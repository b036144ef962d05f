"""Baselines of lines whose boxes are those of their glyphs."""

from dataclasses import replace

from pincite.formats.pdf.page.baselines import baseline, depths
from pincite.formats.pdf.page.words import Line, line_of
from support.typed_pages import typed


def tight(text: str, y: float) -> Line:
    """A line with its baseline at `y`; a letter in it that reaches lower makes its box so much higher."""
    (line,) = typed(text)
    below = 2.0 if "g" in text else 0.0
    return line_of([replace(word, y0=y - 6, y1=y + below) for word in line.words])


def test_signs_below_the_baseline_make_lines_lower_where_boxes_are_those_of_the_glyphs() -> None:
    lines = [tight("glibc", 100), tight("debian", 110), tight("Debug", 120)]
    below = depths(lines)
    assert below == {round(lines[0].size, 1): 2}
    assert [baseline(line, below) for line in lines] == [100, 110, 120]


def test_boxes_that_are_all_as_high_have_their_lower_edges() -> None:
    lines = typed("glibc\ndebian")
    below = depths(lines)
    assert set(below.values()) == {0}
    assert [baseline(line, below) for line in lines] == [line.y1 for line in lines]
    # Nor can anything be told where all signs, or none, reach below the baseline.
    assert not depths([tight("glibc", 100), tight("gnu", 110)])
