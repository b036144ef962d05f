"""Phrases above the names of columns where no rule parts them: each spans the names that it is in the middle of."""

from collections.abc import Mapping, Sequence

from pincite.formats.pdf.page.words import Word, visual_lines
from pincite.formats.pdf.tables.named_columns import names_of

MIN_GAP_EM = 0.7
"""White between two phrases; a space is a third of that."""


def placed_phrases(
    words: Sequence[Word], columns: Sequence[int], edges: Sequence[float]
) -> list[tuple[int, int, list[Word]]]:
    """Return the first column of each phrase of a cell, the number of those that it spans, and its words.

    Each column has the phrase whose middle is nearest, without those at one end that it is not centred over.

    Args:
        words: The words of a cell above several columns.
        columns: These columns.
        edges: The left edge of each column of the table, and the right edge of the last.
    """
    phrases = [part for line in visual_lines(words) for part in names_of(line.words, MIN_GAP_EM)]
    middles = [(phrase[0].x0 + phrase[-1].x1) / 2 for phrase in phrases]
    centres = {column: (edges[column] + edges[column + 1]) / 2 for column in columns}
    shares: list[list[int]] = [[] for _ in phrases]
    for column, centre in centres.items():
        shares[min(range(len(phrases)), key=lambda index: abs(middles[index] - centre))].append(column)
    if not all(shares):
        return [(columns[0], len(columns), [*words])]
    spans = [_centred(share, middle, centres) for share, middle in zip(shares, middles, strict=True)]
    return [(span[0], len(span), phrase) for span, phrase in zip(spans, phrases, strict=True)]


def _centred(share: list[int], middle: float, centres: Mapping[int, float]) -> list[int]:
    while len(share) > 1:
        shorter = min((share[1:], share[:-1]), key=lambda part: _offset(part, middle, centres))
        if _offset(shorter, middle, centres) >= _offset(share, middle, centres):
            break
        share = shorter
    return share


def _offset(share: Sequence[int], middle: float, centres: Mapping[int, float]) -> float:
    return abs((centres[share[0]] + centres[share[-1]]) / 2 - middle)
