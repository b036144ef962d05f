"""The tables of an untagged page."""

from collections.abc import Sequence

from pincite.formats.pdf.segments import rows_of
from pincite.formats.pdf.stream import FoundTable, find_stream
from pincite.formats.pdf.words import Line


def find(lines: Sequence[Line]) -> tuple[FoundTable, ...]:
    """The tables of a page, from the top."""
    return tuple(find_stream(rows_of(lines)))
