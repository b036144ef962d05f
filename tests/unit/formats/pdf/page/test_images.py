"""Pictures on a page: areas that images cover, by their content, and the names by which parts are rendered."""

import pytest

from pincite.errors import NotFound
from pincite.formats.pdf.document import open_document
from pincite.formats.pdf.page.images import PagePicture, page_pictures, parse_picture_name, picture_name
from pincite.formats.pdf.page.page import open_page
from pincite.model.document import Box
from support.pdfs import Content, Filled, Leaf, pdf, prose


def found(content: Content | Leaf, min_points: float = 100) -> list[PagePicture]:
    with open_document(pdf(content)) as file, open_page(file.document, 1) as page:
        return page_pictures(page, min_points)


def boxes(content: Content | Leaf, min_points: float = 100) -> list[Box]:
    return [
        Box(round(one.box.x0), round(one.box.y0), round(one.box.x1), round(one.box.y1))
        for one in found(content, min_points)
    ]


def test_each_picture_of_a_page_has_its_box_and_texts_and_paths_are_none() -> None:
    content = [*prose(), Filled(10, 10, 50, 50), Filled(72, 300, 200, 400, picture=True)]
    assert boxes(content) == [Box(72, 300, 200, 400)]


def test_strips_of_one_picture_are_joined() -> None:
    strips = [Filled(72, 300 + 20 * n, 200, 320 + 20 * n, picture=True) for n in range(5)]
    assert boxes([*strips, Filled(400, 300, 500, 400, picture=True)]) == [
        Box(72, 300, 200, 400),
        Box(400, 300, 500, 400),
    ]


def test_small_pictures_are_left_out_and_others_cut_at_the_page() -> None:
    content = [Filled(10, 10, 19, 19, picture=True), Filled(500, 700, 900, 1000, picture=True)]
    assert boxes(content) == [Box(500, 700, 612, 792)]


def test_a_picture_is_placed_as_its_turned_page_is_displayed() -> None:
    assert boxes(Leaf([Filled(0, 0, 100, 50, picture=True)], "/Rotate 90")) == [Box(742, 0, 792, 100)]


def test_the_same_picture_has_the_same_digest() -> None:
    one, other = found([Filled(0, 0, 100, 50, picture=True), Filled(0, 100, 100, 150, picture=True)])
    assert one.digest == other.digest


def test_a_name_is_parsed_into_what_it_was_made_of() -> None:
    name = picture_name(3, Box(72, 100.5, 300, 400))
    assert name == "3:72.00,100.50,300.00,400.00"
    assert parse_picture_name(name) == (3, Box(72, 100.5, 300, 400))


@pytest.mark.parametrize("name", ["", "3", "3:1,2,3", "x:1,2,3,4", "3:1,2,3,4,5", "3:a,b,c,d"])
def test_another_name_is_refused(name: str) -> None:
    with pytest.raises(NotFound):
        parse_picture_name(name)
