"""A page is rendered, as it is or with its blocks drawn on it."""

import io

import pytest
from PIL import Image

from pincite.errors import InvalidInput, NotFound, Unsupported
from pincite.formats.base import MAX_OCR_SIDE_PIXELS, Blob, ReadOptions
from pincite.formats.pdf.render import MAX_SIDE_PIXELS, colour, measure, page_picture, rasterise, render
from pincite.formats.writing.picture import MAX_PICTURE_PIXELS
from pincite.model.call import Call
from pincite.model.document import Block, BlockKind, Box
from support.pdf_read import blocks, document
from support.pdfs import Leaf, Text, pdf, prose
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


def rendered(data: bytes = DATA, width: int = 1224, page: int = 1) -> Image.Image:
    return Image.open(io.BytesIO(render(Blob("a.pdf", data), page, width, ReadOptions(), Call()))).convert("RGB")


def test_a_page_is_rendered_as_it_is_drawn_without_blocks() -> None:
    assert rendered().tobytes() == drawn().tobytes()


@pytest.mark.parametrize(("width", "height"), [(1, 1), (612, 792), (4000, 5176)])
def test_its_height_follows_from_its_width(width: int, height: int) -> None:
    assert rendered(width=width).size == (width, height)


def test_each_page_is_its_own() -> None:
    assert rendered(page=1).tobytes() != rendered(page=2).tobytes()


def test_a_page_that_is_turned_is_rendered_upright() -> None:
    turned = DATA.replace(b"/MediaBox[0 0 612 792]", b"/MediaBox[0 0 612 792]/Rotate 90")
    assert turned != DATA
    assert rendered(turned, 792).size == (792, 612)


def test_an_extremely_high_page_is_narrower_than_wanted() -> None:
    width, height = rendered(DATA.replace(b"[0 0 612 792]", b"[0 0 1 14400]"), 4000).size
    assert width < 4000 and width * height <= MAX_PICTURE_PIXELS


@pytest.mark.parametrize("number", [0, 3])
def test_a_page_that_is_not_there_is_not_rendered(number: int) -> None:
    with pytest.raises(NotFound, match="The file has pages 1 to 2"):
        rendered(page=number)


def test_a_damaged_file_is_not_rendered() -> None:
    with pytest.raises(InvalidInput, match="damaged"):
        rendered(b"%PDF-1.7\nnothing")


def test_pages_are_measured_as_they_are_displayed() -> None:
    turned = DATA.replace(b"/MediaBox[0 0 612 792]", b"/MediaBox[0 0 612 792]/Rotate 90", 1)
    assert measure(Blob("a.pdf", turned), ReadOptions(), Call()).sizes == ((792.0, 612.0), (612.0, 792.0))
    assert len(measure(Blob("a.pdf", DATA), ReadOptions(max_pages=1), Call()).sizes) == 1


def test_pages_for_recognition_have_200_dpi() -> None:
    (first, second) = rasterise(Blob("a.pdf", DATA), [1, 2], ReadOptions(), Call())
    assert (first.number, first.width, first.height) == (1, 612, 792)
    assert (first.picture.mode, first.picture.size, second.number) == ("RGB", (1700, 2200), 2)


@pytest.mark.parametrize("box", ["200000 200000", "200000 3", "3 200000"])
def test_a_page_of_any_size_is_scaled_down_for_recognition(box: str) -> None:
    (page,) = rasterise(Blob("a.pdf", pdf(Leaf(prose(), f"/MediaBox[0 0 {box}]"))), [1], ReadOptions(), Call())
    assert 1 <= min(page.picture.size) <= max(page.picture.size) <= MAX_OCR_SIDE_PIXELS


@pytest.mark.parametrize("rotation", [0, 90])
@pytest.mark.parametrize("turn", [(1, 0), (0, 1), (-1, 0), (0, -1), (0.866, 0.5)])
def test_the_ink_of_turned_text_lies_within_the_boxes_of_its_blocks(turn: tuple[float, float], rotation: int) -> None:
    cosine, sine = turn
    texts = ("Jumping (Ágype) over", "the lazy ÄÖÜ, fjord.")
    shown = [Text(text, 300 + 15 * n * sine, 300 + 15 * n * cosine, turn=turn) for n, text in enumerate(texts)]
    blob = Blob("a.pdf", pdf(Leaf(shown, f"/Rotate {rotation}")))
    found = blocks(document(blob.data))
    picture = Image.open(io.BytesIO(render(blob, 1, 800, ReadOptions(), Call()))).convert("L")
    ((width, _),) = measure(blob, ReadOptions(), Call()).sizes
    scale = picture.width / width
    ink = picture.point([255] * 128 + [0] * 128)
    assert ink.getbbox()
    for box in (box for block in found for box in block.boxes):
        # A pixel around it, because the edges of glyphs are between pixels.
        ink.paste(
            0, (int(box.x0 * scale) - 1, int(box.y0 * scale) - 1, int(box.x1 * scale) + 2, int(box.y1 * scale) + 2)
        )
    assert ink.getbbox() is None
