"""The text in pictures inside a document's pages: what is reported of it, and where it is written."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from pincite.formats.base import ReadOptions
from pincite.formats.writing.page_writer import BLANK_LINE, PageWriter
from pincite.model.document import Block, Box, Page, RecognisedSpan
from pincite.model.recognition import RecognisedPicture

OCR_PICTURES = "ocr_pictures"
"""The limit of recognised pictures, as `ReadOptions` names it."""


class InnerPictures:
    """The pictures inside one document. A picture that is shown several times is read and reported once."""

    def __init__(self, options: ReadOptions) -> None:
        self._options = options
        self._recognised = {picture.name: picture for picture in options.recognised_pictures}
        self._seen: set[str] = set()

    @property
    def is_sought(self) -> bool:
        """False if pictures inside pages are left unread by a setting."""
        return self._options.ocr_pictures > 0

    def text_of(self, writer: PageWriter, name: str, pixels: Callable[[], int]) -> RecognisedPicture | None:
        """Return the text of a picture, once; else report why it is not read, unless it is taken for an icon.

        Args:
            writer: Receives the report.
            name: The picture's name for the rasteriser of the format.
            pixels: Returns its number of pixels; 0 if it cannot be recognised.
        """
        if not self.is_sought or name in self._seen:
            return None
        self._seen.add(name)
        recognised = self._recognised.get(name)
        if recognised is None:
            if pixels() >= self._options.min_picture_pixels:
                self._report(writer, name)
            return None
        if recognised.problem:
            writer.fail(f"the text in a picture was not read: {recognised.problem}")
        return recognised if recognised.page is not None else None

    def _report(self, writer: PageWriter, name: str) -> None:
        writer.unread_picture(name)
        if self._recognised:
            writer.limit(OCR_PICTURES)
        elif not self._options.ocr:
            writer.warn(f"Text in its pictures, if there is any, was not read: {self._options.no_ocr}.")


def write_recognised(writer: PageWriter, picture: RecognisedPicture, boxes: tuple[Box, ...] = ()) -> None:
    """Write the text of a picture.

    Args:
        writer: Receives its blocks.
        picture: One with text.
        boxes: The picture's position on its page; empty if unknown.
    """
    page = picture.page
    if page is not None:
        with writer.recognising(picture.confidence):
            for block in page.blocks:
                writer.add(replace(block, boxes=boxes, box_starts=()), page.text[block.start : block.end])


def with_picture(page: Page, picture: RecognisedPicture, area: Box) -> Page:
    """Return a page with the text of a picture on it inserted below the blocks above its middle.

    Args:
        page: The page; if its blocks have no boxes the text is added at its end.
        picture: One with text, its boxes in points from its top left corner.
        area: The box of the picture on the page.
    """
    if picture.page is None or not picture.page.blocks:
        return page
    index = _index(page.blocks, area)
    inner = picture.page.text.rstrip("\n")
    at = page.blocks[index].start if index < len(page.blocks) else len(page.text)
    before, after = page.text[:at], page.text[at:]
    if not after:
        before, after = before.rstrip("\n"), "\n"
        before += BLANK_LINE if before else ""
    else:
        after = BLANK_LINE + after
    start, shift = len(before), len(before) - at + len(inner) + len(after) - len(page.text[at:])
    blocks = (
        *page.blocks[:index],
        *(_placed(block, start, page.number, area) for block in picture.page.blocks),
        *(replace(block, start=block.start + shift, end=block.end + shift) for block in page.blocks[index:]),
    )
    moved = (
        replace(ocr, start=ocr.start + shift, end=ocr.end + shift) if ocr.start >= at else ocr for ocr in page.ocr_spans
    )
    spans = (*moved, RecognisedSpan(start, start + len(inner), picture.confidence))
    return replace(page, text=before + inner + after, blocks=blocks, ocr_spans=spans)


def _index(blocks: Sequence[Block], area: Box) -> int:
    """Return the index of the block before which a picture is read: after the last one above it in its column."""
    in_band = [
        (index, min(box.y0 for box in block.boxes) + max(box.y1 for box in block.boxes))
        for index, block in enumerate(blocks)
        if any(box.x0 < area.x1 and area.x0 < box.x1 for box in block.boxes)
    ]
    above = [index for index, doubled_middle in in_band if doubled_middle <= area.y0 + area.y1]
    if above:
        return above[-1] + 1
    return in_band[0][0] if in_band else len(blocks)


def _placed(block: Block, start: int, number: int | None, area: Box) -> Block:
    boxes = tuple(
        Box(
            round(box.x0 + area.x0, 2),
            round(box.y0 + area.y0, 2),
            round(box.x1 + area.x0, 2),
            round(box.y1 + area.y0, 2),
        )
        for box in block.boxes
    )
    return replace(block, start=block.start + start, end=block.end + start, page=number, boxes=boxes)
