import struct

from pincite.formats.doc.media import Media
from support.pictures import picture


def entry(content: bytes) -> bytes:
    """A picture as the data stream has it: a head of 68 bytes, records, the file."""
    return struct.pack("<IH", 68 + len(content), 68).ljust(68, b"\0") + content


def test_a_picture_is_found_in_its_records() -> None:
    png = picture(kind="PNG")
    media = Media(b"before" + entry(b"\x0f\0\x04\xf0records" + png))
    assert media.element(6) == '<w:pict><w:imagedata r:id="image1.png"/></w:pict>'
    assert media.element(6) == media.element(6)
    assert media.parts == {"image1.png": png}


def test_drawings_and_places_beyond_the_data_have_no_picture() -> None:
    media = Media(entry(b"\x01\0\x09\0\0\x03"))
    assert (media.element(0), media.element(9999), media.parts) == ("", "", {})
