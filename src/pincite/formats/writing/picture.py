"""Pictures of pages: their size, and their PNG."""

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

MAX_PICTURE_PIXELS = 25_000_000
"""Maximum pixels of a rendered page, 100 MB as a bitmap: an A4 page at the maximum width has 22.6 million."""

_PNG_LEVEL = 1
"""zlib's fastest level: a page of a report takes 34 ms and 380 kB at 1200 pixels, 63 ms and 451 kB at the default."""


def picture_size(width: float, height: float, pixels_across: int) -> tuple[int, int]:
    """Return the width and height of a picture in pixels, with the page's proportions.

    Args:
        width: Width of the page, in any unit.
        height: Its height, in the same unit.
        pixels_across: Width of the picture; smaller if the picture exceeded `MAX_PICTURE_PIXELS`.
    """
    # A page without an extent has no proportions.
    ratio = height / width if width > 0 and height > 0 else 1.0
    across = max(1, round(min(float(pixels_across), (MAX_PICTURE_PIXELS / ratio) ** 0.5)))
    return across, min(max(1, round(across * ratio)), MAX_PICTURE_PIXELS // across)


def png(picture: "Image.Image") -> bytes:
    """Return a picture as a PNG."""
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=_PNG_LEVEL)
    return out.getvalue()
