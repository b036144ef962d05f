"""Render pictures (PNG, JPEG, GIF, TIFF, WebP, BMP): each is one page, a TIFF one for each of its pictures."""

from collections.abc import Iterator, Sequence

from PIL import Image, ImageOps

from pincite.errors import NotFound
from pincite.formats.base import MAX_OCR_SIDE_PIXELS, Blob, Raster, ReadOptions, Target
from pincite.formats.detect.picture import check_pixels, open_picture, page_count
from pincite.formats.writing.picture import drawable, on_white, picture_size, png
from pincite.model.call import Call
from pincite.model.document import PageSizes

_ORIENTATION = 0x0112
_SIDEWAYS = frozenset({5, 6, 7, 8})
"""The EXIF tag of a picture's orientation, and its values that swap width and height."""


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
        return png(drawable(upright).resize(size, Image.Resampling.LANCZOS))


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


def rasterise(blob: Blob, targets: Sequence[Target], options: ReadOptions, call: Call) -> Iterator[Raster]:
    """Implements `Rasteriser`: upright as its camera held it, on white; a point is a pixel."""
    with open_picture(blob.data, options.max_pixels) as image:
        for number in targets:
            call.check()
            if isinstance(number, str):
                continue  # a picture has no pictures inside it
            if number > 1:
                image.seek(number - 1)
                check_pixels(image, options.max_pixels)
            flat = on_white(image, MAX_OCR_SIDE_PIXELS)
            yield Raster(number, *flat.size, flat.picture)


def _pages(count: int) -> str:
    return "one page" if count == 1 else f"pages 1 to {count}"
