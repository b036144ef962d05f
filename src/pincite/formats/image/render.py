"""Render pictures (PNG, JPEG, GIF, TIFF, WebP, BMP): each is one page, a TIFF one for each of its pictures."""

from collections.abc import Iterator, Sequence

from PIL import Image, ImageOps

from pincite.errors import NotFound
from pincite.formats.base import MAX_OCR_SIDE_PIXELS, Blob, Raster, ReadOptions
from pincite.formats.image.picture import check_pixels, open_picture, page_count
from pincite.formats.writing.picture import picture_size, png
from pincite.model.call import Call
from pincite.model.document import PageSizes

_SIXTEEN_BITS = 256
"""Factor between a value of 16 bits and one of 8."""

_ORIENTATION = 0x0112
_SIDEWAYS = frozenset({5, 6, 7, 8})
"""The EXIF tag of a picture's orientation, and its values by which width and height change places."""


def render(blob: Blob, page: int, width: int, options: ReadOptions, call: Call) -> bytes:
    """Implements `Renderer`: upright, as its camera held it, and enlarged if it is smaller."""
    call.check()
    with open_picture(blob.data, options.max_pixels) as image:
        count = page_count(image)
        if not 1 <= page <= count:
            raise NotFound(f"There is no page {page}. The file has {_pages(count)}.")
        if page > 1:
            image.seek(page - 1)
            check_pixels(image, options.max_pixels)
        image.draft("RGB", (width, width))  # a JPEG is decoded at the scale that suffices
        upright = ImageOps.exif_transpose(image)
        size = picture_size(upright.width, upright.height, width)
        return png(_drawable(upright).resize(size, Image.Resampling.LANCZOS))


def measure(blob: Blob, options: ReadOptions, call: Call) -> PageSizes:
    """Implements `Measurer`: in pixels of the upright picture."""
    sizes: list[tuple[float, float]] = []
    with open_picture(blob.data, options.max_pixels) as image:
        for page in range(min(page_count(image), options.max_pages)):
            call.check()
            image.seek(page)
            width, height = image.size
            turned = image.getexif().get(_ORIENTATION, 1) in _SIDEWAYS
            sizes.append((height, width) if turned else (width, height))
    return PageSizes(tuple(sizes))


def rasterise(blob: Blob, pages: Sequence[int], options: ReadOptions, call: Call) -> Iterator[Raster]:
    """Implements `Rasteriser`: upright as its camera held it, on white; a point is a pixel."""
    with open_picture(blob.data, options.max_pixels) as image:
        for number in pages:
            call.check()
            if number > 1:
                image.seek(number - 1)
                check_pixels(image, options.max_pixels)
            upright = _drawable(ImageOps.exif_transpose(image))
            width, height = upright.size
            if upright.mode == "RGBA":
                paper = Image.new("RGBA", upright.size, "white")
                upright = Image.alpha_composite(paper, upright)
            upright = upright.convert("RGB")
            upright.thumbnail((MAX_OCR_SIDE_PIXELS, MAX_OCR_SIDE_PIXELS), Image.Resampling.LANCZOS)
            yield Raster(number, width, height, upright)


def _drawable(image: Image.Image) -> Image.Image:
    """Return a picture in a mode that can be scaled and saved as PNG, transparency kept."""
    if image.mode.startswith(("I", "F")):
        return image.convert("F").point(lambda value: value / _SIXTEEN_BITS).convert("L")
    if image.mode in ("L", "RGB", "RGBA"):
        return image
    return image.convert("RGBA" if image.has_transparency_data else "RGB")


def _pages(count: int) -> str:
    return "one page" if count == 1 else f"pages 1 to {count}"
