"""Sizes of fonts that declare almost none: Type 3 fonts draw glyphs of any size at a size of 0.1 point."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np

from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.pdfium import (
    character_matrices,
    character_origins,
    character_size,
    font_of,
    glyph_boxes,
    text_object,
)
from pincite.formats.pdf.page.rectangles import Grid

MIN_FONT_SIZE_PT = 2.0
"""Smaller characters count as hidden, in every format alike (docs/decisions/0010)."""

SAMPLED_CHARACTERS = 100
"""Characters of a page whose size is read to see whether it has such fonts; all of them would take 1 ms a page."""

EM_PER_ADVANCE = 2.0
"""Font size relative to the median width of its characters, which is half an em in most fonts."""

ASCENT_EM, DESCENT_EM = 0.8, 0.25
"""Height of a line above and below its baseline: the boxes of such fonts may be as high as the page."""


@dataclass(frozen=True, slots=True)
class _Sizes:
    """Declared sizes of characters in points, and whether their lines are level in page space."""

    points: Grid
    level: "np.ndarray[Any, np.dtype[np.bool_]]"


def restore_sizes(page: PdfPage, text: str, boxes: Grid) -> dict[int, float]:
    """Estimate the sizes of fonts that declare less than can be read, and correct the boxes of their characters.

    Args:
        page: The page.
        text: Its characters.
        boxes: Loose boxes of its characters in page space, shape (characters, 4): left, top, right, bottom. Those of
            characters in such fonts get the height of a line.

    Returns:
        Address of each font whose glyphs are larger than its size → its size in points.
    """
    count = len(boxes)
    # Spaces that pdfium generates have a size of 1.
    sample = [index for index in range(0, count, max(1, count // SAMPLED_CHARACTERS)) if not text[index].isspace()]
    if not sample or not (np.abs(_sizes(page, sample).points) < MIN_FONT_SIZE_PT).any():
        return {}
    sizes = _sizes(page, range(count))
    small = np.flatnonzero((np.abs(sizes.points) < MIN_FONT_SIZE_PT) & (boxes[:, 2] > boxes[:, 0]))
    objects = list(map(text_object, repeat(page.text_pointer), small.tolist()))
    faces = np.array([font_of(item) if item else 0 for item in objects], np.uint64)
    estimates: dict[int, float] = {}
    for face, size in _estimates(page, boxes, small, faces):
        estimates[face] = size
        _set_heights(page, boxes, [index for index in small[faces == face].tolist() if sizes.level[index]], size)
    return estimates


def _sizes(page: PdfPage, indices: Sequence[int]) -> _Sizes:
    a, b, c, d = character_matrices.read(page.text_pointer, indices).T[:4].astype(np.float64)
    points = np.multiply(list(map(character_size, repeat(page.text_pointer), indices)), np.hypot(c, d))
    return _Sizes(points, np.abs(b) < np.abs(a) / 10)


def _estimates(page: PdfPage, boxes: Grid, small: Any, faces: Any) -> Iterator[tuple[int, float]]:
    """Yield each font whose glyphs are wide and high enough to be read, with its estimated size."""
    for face in np.unique(faces[faces != 0]).tolist():
        indices = small[faces == face]
        size = round(EM_PER_ADVANCE * float(np.median(boxes[indices, 2] - boxes[indices, 0])))
        glyphs = glyph_boxes.read(page.text_pointer, indices.tolist())
        # Glyphs that are wide but flat cannot be read: text squeezed to a line stays hidden.
        height = float(np.max(glyphs[:, 1] - glyphs[:, 3], initial=0.0))
        if size >= MIN_FONT_SIZE_PT <= height:
            yield face, float(size)


def _set_heights(page: PdfPage, boxes: Grid, indices: list[int], size: float) -> None:
    origins = character_origins.read(page.text_pointer, indices)
    boxes[indices, 1] = origins[:, 1] + ASCENT_EM * size
    boxes[indices, 3] = origins[:, 1] - DESCENT_EM * size
