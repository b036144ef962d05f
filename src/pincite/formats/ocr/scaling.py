"""Pictures at the size that recognition is best at."""

import cv2
import numpy as np

from pincite.formats.ocr.engine import Pixels

MIN_LINE_PIXELS = 30.0
"""Median height of lines, as engines box them, below which a picture is enlarged: 24 at 100 dpi, 27 at 120 (text of 10
points). Of 222 numbers at 100 dpi 221 are right without this, all with it."""
ENLARGED_SIDE_PIXELS = 2000
"""Longer side of an enlarged picture: an engine shrinks what is larger again."""
MAX_ENLARGEMENT = 2.0
MIN_ENLARGEMENT = 1.3
"""Factors from which a picture gains nothing any more, and below which it is left as it is: A4 above 130 dpi."""


def enlarged(picture: Pixels) -> Pixels:
    """Return a picture with low lines as large as its recognition gains from; itself if it is large enough."""
    height, width = picture.shape[:2]
    factor = min(MAX_ENLARGEMENT, ENLARGED_SIDE_PIXELS / max(height, width))
    if factor < MIN_ENLARGEMENT:
        return picture
    size = (round(width * factor), round(height * factor))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_CUBIC), np.uint8)


def shrunk(picture: Pixels, max_side: int) -> tuple[Pixels, float]:
    """Return a picture whose longer side is at most `max_side` pixels, and its scale: 1 if it is small enough.

    Pixels are averaged: an engine that skips some instead reads columns that nearly touch as one.
    """
    height, width = picture.shape[:2]
    scale = max_side / max(height, width)
    if scale >= 1:
        return picture, 1.0
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8), scale
