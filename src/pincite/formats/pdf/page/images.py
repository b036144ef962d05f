"""Pictures on a page: areas that images cover, by their content, and the names by which parts are rendered."""

import ctypes
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import islice

import pypdfium2.raw as pdfium

from pincite.errors import NotFound
from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.rules import displayed, drawn_objects
from pincite.model.document import Box

MAX_IMAGES = 200
"""Images of a page that are examined: a map of tiles, or a crafted page, has thousands."""
MAX_IMAGE_GAP_PT = 1.0
"""Distance of two images that are parts of one picture: programs cut large pictures into strips."""
MAX_HASHED_BYTES = 65_536
"""Bytes of an image's data, as stored, that tell it from others."""


@dataclass(frozen=True, slots=True)
class PagePicture:
    """An area of a page that is covered by images.

    Attributes:
        box: Its rectangle on the page as displayed, in points.
        digest: A hash of its images, equal for the same picture on several pages.
    """

    box: Box
    digest: str


def page_pictures(page: PdfPage, min_points: float) -> list[PagePicture]:
    """Return the pictures of a page, from the first drawn; parts of one picture are joined.

    Args:
        page: The open page.
        min_points: Minimum area of a picture in square points.
    """
    groups: list[tuple[Box, list[int]]] = []
    for item, box in islice(images(page), MAX_IMAGES):
        near = [group for group in groups if _are_near(group[0], box)]
        groups = [group for group in groups if group not in near]
        parts = [one for _, items in near for one in items]
        groups.append((reduce(Box.union, (other for other, _ in near), box), [*parts, item]))
    return [
        PagePicture(box, _digest(items)) for box, items in groups if (box.x1 - box.x0) * (box.y1 - box.y0) >= min_points
    ]


def images(page: PdfPage) -> Iterator[tuple[int, Box]]:
    """Yield the images of a page and its form XObjects with the visible parts of their boxes."""
    for item, kind, matrix in drawn_objects(page):
        edges = [ctypes.c_float() for _ in range(4)]
        raw = ctypes.cast(item, pdfium.FPDF_PAGEOBJECT)
        if kind == pdfium.FPDF_PAGEOBJ_IMAGE and pdfium.FPDFPageObj_GetBounds(raw, *map(ctypes.byref, edges)):
            left, bottom, right, top = (edge.value for edge in edges)
            corners = [displayed(x, y, matrix, page) for x in (left, right) for y in (bottom, top)]
            across, down = zip(*(corner or (0.0, 0.0) for corner in corners), strict=True)
            box = Box(
                max(0.0, min(across)),
                max(0.0, min(down)),
                min(page.space.width, max(across)),
                min(page.space.height, max(down)),
            )
            if box.x0 < box.x1 and box.y0 < box.y1:
                yield item, box


def _are_near(one: Box, other: Box) -> bool:
    gap = MAX_IMAGE_GAP_PT
    return (
        one.x0 - gap <= other.x1 and other.x0 - gap <= one.x1 and one.y0 - gap <= other.y1 and other.y0 - gap <= one.y1
    )


def _digest(items: list[int]) -> str:
    digest = hashlib.sha256()
    for item in items:
        raw = ctypes.cast(item, pdfium.FPDF_PAGEOBJECT)
        length = pdfium.FPDFImageObj_GetImageDataRaw(raw, None, 0)
        digest.update(length.to_bytes(8, "little"))
        if length > 0:
            # pdfium fills no buffer that is smaller than the data.
            data = ctypes.create_string_buffer(length)
            pdfium.FPDFImageObj_GetImageDataRaw(raw, data, length)
            digest.update(data.raw[:MAX_HASHED_BYTES])
    return digest.hexdigest()[:16]


def picture_name(number: int, box: Box) -> str:
    """Return the name of the part of a page, with its box in points on the page as displayed."""
    return f"{number}:{box.x0:.2f},{box.y0:.2f},{box.x1:.2f},{box.y1:.2f}"


def parse_picture_name(name: str) -> tuple[int, Box]:
    """Return the page number and box of a name.

    Raises:
        NotFound: It is no such name.
    """
    number, _, corners = name.partition(":")
    try:
        return int(number), Box(*(float(corner) for corner in corners.split(",")))
    except (ValueError, TypeError) as problem:
        raise NotFound(f"There is no picture {name!r}.") from problem
