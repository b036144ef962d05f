"""Titles in the first line of a paragraph: `5.1. Scope. This part ...`, with the title in bold type."""

from collections.abc import Sequence

from pincite.formats.pdf.page.markers import section_depth
from pincite.formats.pdf.page.words import Line, line_of

MAX_TITLE_WORDS = 14
"""Words of a title with its number; more in bold type are a sentence."""
MIN_DEPTH = 2
"""Components of its number: `1.` begins items of lists, too."""


def split_run_in_title(lines: Sequence[Line]) -> tuple[Line | None, Sequence[Line]]:
    """Split a paragraph with a run-in title.

    Args:
        lines: Lines of the paragraph.

    Returns:
        The title, with its number, and the rest of the lines. None and all lines if the first line does not begin with
        a section number, bold words up to a full stop, and words that are not bold.
    """
    first, *others = lines
    words = first.words[: MAX_TITLE_WORDS + 1]
    number = words[0].text
    if not (number[0].isdigit() and section_depth(number) >= MIN_DEPTH):
        return None, lines
    end = next((index for index, word in enumerate(words) if index and not word.bold), len(words))
    if end < 2 or not words[1].text[:1].isupper() or not words[end - 1].text.endswith("."):  # noqa: PLR2004 - a number and a word
        return None, lines
    if end < len(first.words):
        return line_of(first.words[:end]), [line_of(first.words[end:]), *others]
    # The title fills its line: what follows shows that it is no heading of its own.
    return (first, others) if others and end == len(first.words) and not others[0].words[0].bold else (None, lines)
