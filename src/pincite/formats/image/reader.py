"""Reader for pictures (PNG, JPEG, GIF, TIFF, WebP, BMP): their metadata. Text in the picture needs OCR."""

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

# Formats that are opened: Pillow's other decoders are never reached by a foreign file.
KINDS = ("PNG", "JPEG", "GIF", "TIFF", "WEBP", "BMP", "MPO")
"""Pillow's names of the formats. MPO is a JPEG with several pictures, written by cameras and telephones."""

NOT_READ = "text in the picture was not read: this version has no text recognition (OCR)"
_DAMAGE = (OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError, OverflowError, struct.error)
"""Exceptions that Pillow raises for truncated or corrupted pictures."""


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`."""
    call.check()
    properties = _examine(blob.data, options.max_pixels)
    title = properties.get("title", "")
    yield Head(title or None, properties)
    writer = PageWriter(options.max_blocks)
    parts = dict.fromkeys([title, properties.get("description", "")])
    writer.figure(": ".join(part for part in parts if part))
    writer.fail(NOT_READ)
    yield writer.page()


def _examine(data: bytes, max_pixels: int) -> dict[str, str]:
    """Return the properties and metadata of an intact picture.

    Raises:
        Unsupported: The bytes are not a picture of these formats.
        InvalidInput: The picture is damaged, or has too many pixels.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the size, which is checked here, and ignored metadata
            with Image.open(io.BytesIO(data), formats=KINDS) as image:
                pixels = image.width * image.height
                # From the header, before anything is decoded: a picture of a few bytes may unpack to gigabytes.
                if pixels > max_pixels:
                    raise InvalidInput(_too_large(f"{pixels:,} pixels", max_pixels))
                facts = _facts(image)
                if image.format == "PNG":
                    image.load()  # its text may follow the pixels
                tags = metadata(image)
                image.draft("L", (1, 1))  # a JPEG is decoded at an eighth of its size: enough to prove it intact
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
