import pytest

from pincite.formats.pdf.page.page import PageSpace
from support.pdf_layout import JOINED, read
from support.pdf_read import blocks
from support.pdfs import PARAGRAPH, Filled, Leaf, Text, prose


@pytest.mark.parametrize(("turns", "expected"), [(0, (20, 690)), (1, (100, 10)), (2, (570, 100)), (3, (690, 580))])
def test_a_point_is_placed_as_the_page_is_displayed(turns: int, expected: tuple[float, float]) -> None:
    space = PageSpace(10, 10, 600, 800, turns)
    assert space.point(*{0: (30, 110), 1: (20, 110), 2: (30, 110), 3: (20, 110)}[turns]) == expected
    assert (space.width, space.height) == ((590, 790) if turns % 2 == 0 else (790, 590))


@pytest.mark.parametrize("turns", [90, 180, 270])
def test_a_turned_page_is_read_as_it_is_displayed(turns: int) -> None:
    direction = {90: (0, 1), 180: (-1, 0), 270: (0, -1)}[turns]
    page: list[Text | Filled] = []
    for number, line in enumerate(PARAGRAPH):
        down, right = 100 + 12 * number, 72
        x, y = {90: (down, 792 - right), 180: (612 - right, 792 - down), 270: (612 - down, right)}[turns]
        page.append(Text(line, x, y, turn=direction))
    found = read(Leaf(page, f"/Rotate {turns}"))
    (block,) = blocks(found)
    assert found.text == JOINED + "\n"
    assert 71 < block.boxes[0].x0 < 74 and 88 < block.boxes[0].y0 < block.boxes[0].y1 < 104


def test_places_count_from_the_crop_box() -> None:
    (block,) = blocks(read(Leaf(prose(x=100, y=150), "/CropBox[50 100 600 700]")))
    assert 49 < block.boxes[0].x0 < 52 and 46 < block.boxes[0].y0 < block.boxes[0].y1 < 64
