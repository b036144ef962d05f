import struct

from pincite.formats.ppt.records import Kind, Record, records
from pincite.formats.ppt.slides import slide_markup
from pincite.formats.ppt.text import Text
from support.compound import ppt_record


def slide(*shapes: bytes) -> Record:
    (drawing,) = records(ppt_record(0x0F, Kind.DRAWING, b"".join(shapes)))
    data = ppt_record(0x0F, Kind.DRAWING, drawing.data)
    return Record(Kind.SLIDE, 0, data, is_container=True)


def shape(*parts: bytes) -> bytes:
    return ppt_record(0x0F, Kind.SHAPE, b"".join(parts))


def box(text: bytes, kind: int = 4) -> bytes:
    header = ppt_record(0, Kind.TEXT_HEADER, struct.pack("<I", kind))
    return ppt_record(0, Kind.TEXT_BOX, header + ppt_record(0, Kind.BYTES, text))


def anchor(left: int, top: int, right: int, bottom: int) -> bytes:
    return ppt_record(0, Kind.CHILD_ANCHOR, struct.pack("<4i", left, top, right, bottom))


def properties(identity: int, text: str = "") -> bytes:
    data = text.encode("utf-16-le")
    head = struct.pack("<HI", identity | (0x8000 if data else 0), len(data))
    return ppt_record(0x13, Kind.PROPERTIES, head + data)


def test_a_shape_refers_to_a_text_of_the_list() -> None:
    reference = ppt_record(0, Kind.TEXT_BOX, ppt_record(0, Kind.OUTLINE_REFERENCE, struct.pack("<I", 1)))
    markup = slide_markup(slide(shape(reference)), [Text(1, "not shown"), Text(0, "Title")], str)
    assert markup.index("Title") < markup.index("not shown")
    assert '<p:ph type="title"/>' in markup


def test_shapes_in_a_table_are_its_cells() -> None:
    cells = [
        shape(anchor(column * 10, row * 10, column * 10 + 10, row * 10 + 10), box(text))
        for row, line in enumerate([(b"a", b"b"), (b"c", b"d")])
        for column, text in enumerate(line)
    ]
    group = ppt_record(0x0F, Kind.SHAPE_GROUP, shape(properties(0x39F)) + b"".join(cells))
    markup = slide_markup(slide(group), [], str)
    rows = [[letter for letter in "abcd" if f"<a:t>{letter}</a:t>" in row] for row in markup.split("<a:tr>")[1:]]
    assert rows == [["a", "b"], ["c", "d"]]


def test_a_group_that_is_no_table_has_its_shapes() -> None:
    group = ppt_record(0x0F, Kind.SHAPE_GROUP, shape(box(b"a")) + shape(box(b"b")))
    markup = slide_markup(slide(group), [], str)
    assert markup.count("<p:sp>") == 2 and "<a:tbl>" not in markup


def test_an_alternative_text_and_an_embedded_object_are_named() -> None:
    data = ppt_record(0x0F, Kind.CLIENT_DATA, ppt_record(0, Kind.OBJECT_REFERENCE, bytes(4)))
    markup = slide_markup(slide(shape(properties(0x381, "A pump"), data)), [], str)
    assert 'descr="A pump"' in markup and "<p:oleObj/>" in markup


def test_a_picture_is_shown_by_its_number() -> None:
    number = ppt_record(0x13, Kind.PROPERTIES, struct.pack("<HI", 0x4104, 7))
    markup = slide_markup(slide(shape(number)), [], lambda index: f"image{index}.png")
    assert '<a:blip r:embed="image7.png"/>' in markup
    assert slide_markup(slide(shape(number)), [], lambda _: "").count("<p:sp>") == 0
