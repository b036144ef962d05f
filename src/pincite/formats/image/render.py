"""Render pictures (PNG, JPEG, GIF, TIFF, WebP, BMP): each is one page, a TIFF one for each of its pictures."""

from PIL import Image, ImageOps

from pincite.errors import NotFound
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.image.picture import check_pixels, open_picture
from pincite.formats.writing.picture import picture_size, png
from pincite.model.call import Call

_SIXTEEN_BITS = 256
"""Factor between a value of 16 bits and one of 8."""


def render(blob: Blob, page: int, width: int, options: ReadOptions, call: Call) -> bytes:
    """Implements `Renderer`: upright, as its camera held it, and enlarged if it is smaller."""
    call.check()
    with open_picture(blob.data, options.max_pixels) as image:
        # A scanned TIFF has several pages; the further frames of other formats are an animation or a preview.
        count = getattr(image, "n_frames", 1) if image.format == "TIFF" else 1
        if not 1 <= page <= count:
            raise NotFound(f"There is no page {page}. The file has {_pages(count)}.")
        if page > 1:
            image.seek(page - 1)
            check_pixels(image, options.max_pixels)
        image.draft("RGB", (width, width))  # a JPEG is decoded at the scale that suffices
        upright = ImageOps.exif_transpose(image)
        size = picture_size(upright.width, upright.height, width)
        return png(_drawable(upright).resize(size, Image.Resampling.LANCZOS))


def _drawable(image: Image.Image) -> Image.Image:
    """Return a picture in a mode that can be scaled and saved as PNG, transparency kept."""
    if image.mode.startswith(("I", "F")):
        return image.convert("F").point(lambda value: value / _SIXTEEN_BITS).convert("L")
    if image.mode in ("L", "RGB", "RGBA"):
        return image
    return image.convert("RGBA" if image.has_transparency_data else "RGB")


def _pages(count: int) -> str:
    return "one page" if count == 1 else f"pages 1 to {count}"
