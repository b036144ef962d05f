from pincite.formats.base import ReadOptions
from pincite.formats.writing.inner_pictures import InnerPictures, with_picture, write_recognised
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.document import Box, Page
from support.pictures import recognised

PLACE = Box(100, 200, 300, 300)


def page(*boxes: Box | None) -> Page:
    writer = PageWriter(10, 3)
    for number, box in enumerate(boxes):
        writer.paragraph(f"text {number}", boxes=[box] if box else [])
    return writer.page()


def texts(found: Page) -> list[str]:
    return [found.text[block.start : block.end] for block in found.blocks]


def test_a_picture_is_read_after_the_blocks_above_it_in_its_column() -> None:
    left_above, right_above = Box(50, 50, 250, 90), Box(400, 50, 600, 90)
    left_below = Box(50, 350, 250, 390)
    found = with_picture(page(left_above, left_below, right_above), recognised("1", "one", "two"), PLACE)
    assert texts(found) == ["text 0", "one", "two", "text 1", "text 2"]
    assert found.text == "text 0\n\none\n\ntwo\n\ntext 1\n\ntext 2\n"
    (span,) = found.ocr_spans
    assert found.text[span.start : span.end] == "one\n\ntwo" and span.confidence == 0.97
    assert found.blocks[1].boxes == (Box(110, 200, 190, 212),) and found.blocks[1].page == 3


def test_a_picture_above_all_text_comes_first() -> None:
    assert texts(with_picture(page(Box(50, 350, 250, 390)), recognised("1", "one"), PLACE)) == ["one", "text 0"]


def test_without_places_a_picture_comes_last() -> None:
    assert with_picture(page(None), recognised("1", "one"), PLACE).text == "text 0\n\none\n"
    assert with_picture(page(), recognised("1", "one"), PLACE).text == "one\n"


def test_two_pictures_keep_their_spans() -> None:
    first = with_picture(page(Box(50, 350, 250, 390)), recognised("1", "lower"), Box(50, 400, 250, 500))
    both = with_picture(first, recognised("2", "upper"), PLACE)
    assert both.text == "upper\n\ntext 0\n\nlower\n"
    assert {both.text[span.start : span.end] for span in both.ocr_spans} == {"upper", "lower"}


def test_a_picture_without_text_changes_nothing() -> None:
    assert with_picture(page(None), recognised("1"), PLACE) == page(None)
    writer = PageWriter(10)
    write_recognised(writer, recognised("1"))
    assert writer.page() == PageWriter(10).page()


def test_a_picture_is_given_once() -> None:
    pictures = InnerPictures(ReadOptions(ocr="engine-1", recognised_pictures=(recognised("1", "one"),)))
    writer = PageWriter(10)
    assert pictures.text_of(writer, "1", lambda: 0) is not None
    assert pictures.text_of(writer, "1", lambda: 0) is None
