import struct

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.ole.compound import CompoundFile
from pincite.formats.ppt.media import open_media
from pincite.formats.ppt.reader import rasterise
from pincite.formats.ppt.records import Kind, Record
from pincite.model.call import Call
from support.compound import compound, ppt_record
from support.pictures import picture
from support.ppt_read import read_bytes


def entry(place: int) -> bytes:
    return ppt_record(0x02, Kind.STORE_ENTRY, bytes(28) + struct.pack("<I", place) + bytes(4))


def blip(content: bytes) -> bytes:
    return ppt_record(0, 0xF01E, bytes(17) + content)


def test_pictures_are_found_by_their_number() -> None:
    content = picture(kind="PNG")
    png, drawing = blip(content), blip(b"\x01\0\x09\0")
    store = ppt_record(0x0F, 0xF001, entry(0) + entry(len(png)))
    file = CompoundFile(compound({"Pictures": png + drawing}))
    media = open_media(file, Record(Kind.DOCUMENT, 0, store, is_container=True))
    assert [media.name(number) for number in (0, 1, 1, 2, 3)] == ["", "image1.png", "image1.png", "", ""]
    assert media.pictures.parts == {"image1.png": content}


def illustrated() -> bytes:
    """A presentation of a slide with a picture."""
    store = ppt_record(0x0F, 0xF001, entry(0))
    listed = ppt_record(0x0F, Kind.LIST, ppt_record(0, Kind.SLIDE_REFERENCE, struct.pack("<5I", 2, 0, 0, 256, 0)))
    document = ppt_record(0x0F, Kind.DOCUMENT, store + listed)
    shape = ppt_record(0x0F, Kind.SHAPE, ppt_record(0x13, Kind.PROPERTIES, struct.pack("<HI", 0x4104, 1)))
    slide = ppt_record(0x0F, Kind.SLIDE, ppt_record(0x0F, Kind.DRAWING, shape))
    places = struct.pack("<III", 2 << 20 | 1, 0, len(document))
    directory = ppt_record(0, Kind.DIRECTORY, places)
    at = len(document) + len(slide)
    edit = ppt_record(0, Kind.EDIT, struct.pack("<IHBBIIII", 256, 0, 0, 3, 0, at, 1, 2))
    user = ppt_record(0, 4086, struct.pack("<III", 20, 0xE391C05F, at + len(directory)) + bytes(8))
    stream = document + slide + directory + edit
    pictures = blip(picture(size=(200, 120), kind="PNG"))
    return compound({"PowerPoint Document": stream, "Current User": user, "Pictures": pictures})


def test_a_picture_on_a_slide_is_counted_and_can_be_recognised() -> None:
    document = read_bytes(illustrated())
    assert (document.text, document.coverage.unread_pictures) == ("## Slide 1\n", 1)
    (raster,) = rasterise(Blob("a.ppt", illustrated()), ["ppt/media/image1.png"], ReadOptions(), Call())
    assert (raster.width, raster.height) == (200, 120)
