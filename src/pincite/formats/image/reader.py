"""Reader for pictures (PNG, JPEG, GIF, TIFF, WebP, BMP): their metadata, and their text once it is recognised."""

from collections.abc import Iterator

from PIL import Image

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.detect.picture import open_picture, page_count
from pincite.formats.image.metadata import metadata
from pincite.formats.pdf.layout.recognition import OCR_PAGES
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.call import Call
from pincite.model.document import Head, Page

NOT_READ = "text in the picture was not read"
NO_TEXT = "no text was recognised in the picture"


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`."""
    call.check()
    properties, frames = _examine(blob.data, options.max_pixels)
    title = properties.get("title", "")
    caption = ": ".join(dict.fromkeys(part for part in (title, properties.get("description", "")) if part))
    if options.recognised:
        yield Head(title or None, properties, pages=frames)
        yield from _recognised(caption, frames, options, call)
        return
    count = min(frames, options.max_pages)
    yield Head(title or None, properties, pages=frames if frames > 1 else None)
    for number in range(1, count + 1):
        writer = PageWriter(options.max_blocks, number if frames > 1 else None)
        if number == 1:
            writer.figure(caption)
        if number == count < frames:
            writer.limit("max_pages")
        writer.unrecognised(NOT_READ if options.ocr else f"{NOT_READ}; {options.no_ocr}")
        yield writer.page()


def _recognised(caption: str, frames: int, options: ReadOptions, call: Call) -> Iterator[Page]:
    """Yield the pages of a picture whose text was recognised."""
    # Only then: it takes the layout reader of PDF files.
    from pincite.formats.pdf.layout.pages import picture_pages  # noqa: PLC0415

    with picture_pages(options.recognised) as pages:
        for recognised in options.recognised:
            writer = PageWriter(options.max_blocks, recognised.number)
            if recognised.number == 1:
                writer.figure(caption)
            pages.write(writer, recognised.number, call)
            if not recognised.lines and not recognised.problem:
                writer.fail(NO_TEXT)
            yield pages.recognition.displayed(writer.page())
    for number in range(len(options.recognised) + 1, min(frames, options.max_pages) + 1):
        writer = PageWriter(options.max_blocks, number)
        writer.limit(OCR_PAGES)
        writer.unrecognised(NOT_READ)
        yield writer.page()


def _examine(data: bytes, max_pixels: int) -> tuple[dict[str, str], int]:
    """Return properties and metadata of an intact picture, and its pages, with the errors of `open_picture`."""
    with open_picture(data, max_pixels) as image:
        facts, pages = _facts(image), page_count(image)
        if image.format == "PNG":
            image.load()  # its text may follow the pixels
        tags = metadata(image)
        image.draft("L", (1, 1))  # a JPEG is decoded at an eighth of its size: enough to prove it intact
        image.load()
        return facts | tags, pages


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
