"""White tells blocks of code apart from blank lines."""

from dataclasses import replace

from pincite.formats.pdf.layout.code_spacing import parted_by_white
from pincite.formats.pdf.page.words import Line, line_of
from support.typed_pages import typed


def lines(*heights: float, text: str = "code") -> list[Line]:
    """Lines of one size that end at some heights, in multiples of it."""
    (line,) = typed(text)
    return [
        line_of([replace(word, y0=height * line.size - 1, y1=height * line.size) for word in line.words])
        for height in heights
    ]


def tight(text: str, baseline: float) -> Line:
    """A line in a box of its glyphs."""
    (line,) = typed(text)
    below = 2.0 if "g" in text else 0.0
    return line_of([replace(word, y0=baseline - 6, y1=baseline + below) for word in line.words])


def counts(*runs: list[Line], known: dict[float, float] | None = None) -> list[list[int]]:
    return [[len(part) for part in parts] for parts in parted_by_white(runs, {} if known is None else known)]


def test_white_that_is_no_whole_number_of_lines_parts_two_blocks_of_any_run() -> None:
    assert counts(lines(1, 2.2, 3.4, 5.8), lines(20, 22)) == [[4], [1, 1]]


def test_lines_that_do_not_adjoin_are_parted_by_the_distance_of_those_on_other_pages() -> None:
    known: dict[float, float] = {}
    assert counts(lines(1, 3.5), known=known) == [[2]]
    assert counts(lines(1, 2.2, 3.4), known=known) == [[3]]
    assert counts(lines(1, 3), lines(20, 22.4), known=known) == [[1, 1], [2]]


def test_lines_with_signs_below_the_baseline_are_as_far_apart_as_others() -> None:
    """Boxes of office programs are those of the glyphs."""
    upper = [tight("glibc", 100), tight("Debian", 110), tight("Debug", 120), tight("other", 130)]
    lower = [tight("glibc", 148), tight("Debian", 158)]
    assert counts([*upper, *lower]) == [[4, 2]]
