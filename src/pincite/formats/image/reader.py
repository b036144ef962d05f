"""Reader for pictures (PNG, JPEG, GIF, TIFF, WebP, BMP): their metadata. Text in the picture needs OCR."""

from collections.abc import Iterator

from PIL import Image

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.image.metadata import metadata
from pincite.formats.image.picture import open_picture
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.call import Call
from pincite.model.document import Head, Page

NOT_READ = "text in the picture was not read: this version has no text recognition (OCR)"


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
    """Return the properties and metadata of an intact picture, with the errors of `open_picture`."""
    with open_picture(data, max_pixels) as image:
        facts = _facts(image)
        if image.format == "PNG":
            image.load()  # its text may follow the pixels
        tags = metadata(image)
        image.draft("L", (1, 1))  # a JPEG is decoded at an eighth of its size: enough to prove it intact
        image.load()
        return facts | tags


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
