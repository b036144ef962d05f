"""Pictures (PNG, JPEG, GIF, TIFF, WebP, BMP): what a picture says of itself. Text in it needs OCR."""

import io
import struct
import warnings
from collections.abc import Iterator

from PIL import Image

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.image.metadata import metadata
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.call import Call
from pincite.model.document import Head, Page

KINDS = ("PNG", "JPEG", "GIF", "TIFF", "WEBP", "BMP", "MPO")
"""MPO is a JPEG of several pictures, as cameras and telephones write them."""

NOT_READ = "text in the picture was not read: this version has no text recognition (OCR)"
_DAMAGE = (OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError, OverflowError, struct.error)
"""What Pillow raises for pictures that are cut or overwritten."""


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`."""
    call.check()
    found = _examine(blob.data, options.max_pixels)
    title = found.get("title", "")
    yield Head(title or None, found)
    writer = PageWriter(options.max_blocks)
    parts = dict.fromkeys([title, found.get("description", "")])
    writer.figure(": ".join(part for part in parts if part))
    writer.fail(NOT_READ)
    yield writer.page()


def _examine(data: bytes, max_pixels: int) -> dict[str, str]:
    """Its properties and what it says of itself, of a picture that is whole.

    Raises:
        Unsupported: The bytes are no picture of these kinds.
        InvalidInput: They are a damaged one, or one of too many pixels.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a size that is checked here, and of metadata that is ignored
            with Image.open(io.BytesIO(data), formats=KINDS) as image:
                pixels = image.width * image.height
                if pixels > max_pixels:
                    raise InvalidInput(_too_large(f"{pixels:,} pixels", max_pixels))
                facts = _facts(image)
                if image.format == "PNG":
                    image.load()  # its text may stand behind the picture
                tags = metadata(image)
                image.draft("L", (1, 1))  # a JPEG is decoded at an eighth: enough to see that it is whole
                image.load()
                return facts | tags
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


def _too_large(size: str, max_pixels: int) -> str:
    return f"The picture has {size}, more than {max_pixels:,}. Save it smaller."


def _facts(image: Image.Image) -> dict[str, str]:
    frames = getattr(image, "n_frames", 1)
    facts = {
        "format": image.format or "",
        "size": f"{image.width} × {image.height} pixels",
        "mode": image.mode,
        "frames": str(frames) if frames > 1 else "",
        "dpi": _dpi(image.info.get("dpi")),
    }
    return {key: value for key, value in facts.items() if value}


def _dpi(resolution: tuple[float, float] | None) -> str:
    values = list(dict.fromkeys(f"{float(value):.0f}" for value in resolution or ()))
    return "" if "0" in values else " × ".join(values)
