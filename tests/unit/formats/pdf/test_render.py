"""A page is drawn with its blocks."""

import io

import pytest
from PIL import Image

from pincite.errors import NotFound, Unsupported
from pincite.formats.pdf.render import MAX_SIDE_PIXELS, colour, page_picture
from pincite.model.document import Block, BlockKind, Box
from support.tagged_pdfs import lines, tagged_pdf

DATA = tagged_pdf([lines("P", "text", y=700)], [lines("P", "more", y=700)])
HEADING = Block(BlockKind.HEADING, 0, 4, 1, page=1, boxes=(Box(100, 300, 200, 320),))
OTHER = Block(BlockKind.OTHER, 5, 9, page=1, boxes=(Box(100, 400, 200, 420), Box(300, 400, 400, 420)))
NOWHERE = Block(BlockKind.FIGURE, 10, 12, page=1)


def drawn(*blocks: Block, number: int = 1, data: bytes = DATA) -> Image.Image:
    return Image.open(io.BytesIO(page_picture(data, number, blocks))).convert("RGB")


def test_boxes_are_filled_in_their_kind_s_colour_and_joined_in_reading_order() -> None:
    picture = drawn(HEADING, NOWHERE, OTHER)
    assert picture.size == (1224, 1584)
    red, green, blue = (int(part) for part in picture.getpixel((300, 620)))  # type: ignore[union-attr]  # RGB
    assert red > green and red > blue
    assert picture.getpixel((200, 720)) != (255, 255, 255)
    assert picture.getpixel((500, 720)) == (255, 255, 255)


def test_blocks_of_other_pages_are_not_drawn() -> None:
    assert drawn(HEADING, number=2).getpixel((300, 620)) == (255, 255, 255)


def test_a_large_page_is_drawn_smaller() -> None:
    assert max(drawn(data=DATA.replace(b"[0 0 612 792]", b"[0 0 612 7920]")).size) == MAX_SIDE_PIXELS


def test_kinds_without_a_colour_of_their_own_are_grey() -> None:
    assert (colour(BlockKind.TABLE), colour(BlockKind.OTHER)) == ("orange", "grey")


@pytest.mark.parametrize("number", [0, 3])
def test_a_page_that_is_not_there_is_told(number: int) -> None:
    with pytest.raises(NotFound, match="The file has pages 1 to 2"):
        drawn(number=number)


def test_only_a_pdf_is_drawn() -> None:
    with pytest.raises(Unsupported):
        drawn(data=b"# Markdown")
