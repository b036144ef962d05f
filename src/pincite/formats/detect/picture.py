"""Open pictures (PNG, JPEG, GIF, TIFF, WebP, BMP) without trusting them."""

import io
import struct
import warnings
from collections.abc import Generator
from contextlib import contextmanager

from PIL import Image

from pincite.errors import InvalidInput, Unsupported

# Formats that are opened: Pillow's other decoders are never reached by a foreign file.
KINDS = ("PNG", "JPEG", "GIF", "TIFF", "WEBP", "BMP")
"""Pillow's names of the formats. JPEG includes MPO, a JPEG with several pictures that telephones write."""

_DAMAGE = (OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError, OverflowError, struct.error)
"""Exceptions that Pillow raises for truncated or corrupted pictures."""


@contextmanager
def open_picture(data: bytes, max_pixels: int) -> Generator[Image.Image]:
    """Open a picture, not yet decoded, for the duration of a `with` block.

    Args:
        data: Bytes of the file.
        max_pixels: Maximum number of pixels; a picture of more is refused before it is decoded.

    Raises:
        Unsupported: The bytes are not a picture of these formats.
        InvalidInput: The picture has too many pixels, or is damaged: also found when it is decoded in the block.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the size, which is checked here, and ignored metadata
            with Image.open(io.BytesIO(data), formats=KINDS) as image:
                check_pixels(image, max_pixels)
                yield image
    except Image.DecompressionBombError as bomb:
        raise InvalidInput(_too_large("far too many pixels", max_pixels)) from bomb
    except Image.UnidentifiedImageError as unknown:
        raise Unsupported(
            "The file is not a supported image (PNG, JPEG, GIF, TIFF, WebP, BMP). Save it as PNG."
        ) from unknown
    except _DAMAGE as damage:
        raise InvalidInput(
            "The image is damaged or truncated. Fetch or save it again.", details=str(damage)
        ) from damage


def page_count(image: Image.Image) -> int:
    """Return the number of a picture's pages.

    A scanned TIFF has several; the further frames of other formats are an animation or a preview.
    """
    return getattr(image, "n_frames", 1) if image.format == "TIFF" else 1


def check_pixels(image: Image.Image, max_pixels: int) -> None:
    """Refuse a picture, or a frame of one, with too many pixels.

    Raises:
        InvalidInput: It has more than `max_pixels`.
    """
    # From the header, before anything is decoded: a picture of a few bytes may unpack to gigabytes.
    pixels = image.width * image.height
    if pixels > max_pixels:
        raise InvalidInput(_too_large(f"{pixels:,} pixels", max_pixels))


def _too_large(size: str, max_pixels: int) -> str:
    return f"The picture has {size}, more than {max_pixels:,}. Save it smaller."
