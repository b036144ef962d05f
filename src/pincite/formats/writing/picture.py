"""Pictures of pages: their size, and their PNG."""

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

MAX_PICTURE_PIXELS = 25_000_000
"""Maximum pixels of a rendered page, 100 MB as a bitmap: an A4 page at the maximum width has 22.6 million."""

_SIXTEEN_BITS = 256
"""Factor between a value of 16 bits and one of 8."""

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


@dataclass(frozen=True, slots=True)
class FlatPicture:
    """A picture without transparency.

    Attributes:
        size: Its width and height upright, in pixels, before it was made smaller.
        picture: It in RGB.
    """

    size: tuple[int, int]
    picture: "Image.Image"


def on_white(image: "Image.Image", max_side: int) -> FlatPicture:
    """Return a picture upright as its camera held it, on white, in RGB.

    Args:
        image: The picture.
        max_side: Longer side in pixels; a larger one is made smaller.
    """
    from PIL import Image, ImageOps  # noqa: PLC0415 - not with every import of the readers

    upright = drawable(ImageOps.exif_transpose(image))
    size = upright.size
    if upright.mode == "RGBA":
        upright = Image.alpha_composite(Image.new("RGBA", size, "white"), upright)
    upright = upright.convert("RGB")
    upright.thumbnail((max_side, max_side), Image.Resampling.LANCZOS)
    return FlatPicture(size, upright)


def drawable(image: "Image.Image") -> "Image.Image":
    """Return a picture in a mode that can be scaled and saved as PNG, transparency kept."""
    if image.mode.startswith(("I", "F")):
        return image.convert("F").point(lambda value: value / _SIXTEEN_BITS).convert("L")
    if image.mode in ("L", "RGB", "RGBA"):
        return image
    return image.convert("RGBA" if image.has_transparency_data else "RGB")


def png(picture: "Image.Image") -> bytes:
    """Return a picture as a PNG file, packed for speed."""
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=_PNG_LEVEL)
    return out.getvalue()
