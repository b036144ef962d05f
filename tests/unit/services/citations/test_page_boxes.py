from pincite.model.chunk import PlacedText
from pincite.model.document import Box
from pincite.services.citations.page_boxes import area_boxes, line_boxes


def test_lines_under_each_other_are_one_area() -> None:
    column = [PlacedText(1, Box(10, 10 * n, 90, 10 * n + 9), n, n + 1) for n in range(3)]
    other = [PlacedText(1, Box(110, 0, 190, 9), 3, 4), PlacedText(2, Box(10, 0, 90, 9), 4, 5)]
    far = [PlacedText(2, Box(10, 300, 90, 309), 5, 6), PlacedText(2, Box(10, 300, 90, 309), 6, 7)]
    assert [(box.page, box.y0, box.y1) for box in area_boxes([*column, *other, *far])] == [
        (1, 0, 29),
        (2, 0, 9),
        (2, 300, 309),
    ]
    assert len(line_boxes([*column, *other, *far])) == 6
