import struct

from pincite.formats.doc.package import picture_element
from pincite.formats.ole.pictures import Pictures
from support.pictures import picture


def entry(content: bytes) -> bytes:
    """A picture as the data stream has it: a head of 68 bytes, records, the file."""
    return struct.pack("<IH", 68 + len(content), 68).ljust(68, b"\0") + content


def test_a_picture_is_found_in_its_records() -> None:
    png = picture(kind="PNG")
    pictures = Pictures(b"before" + entry(b"\x0f\0\x04\xf0records" + png))
    assert picture_element(pictures, 6) == '<w:pict><w:imagedata r:id="image1.png"/></w:pict>'
    assert picture_element(pictures, 6) == picture_element(pictures, 6)
    assert pictures.parts == {"image1.png": png}


def test_drawings_and_places_beyond_the_data_have_no_picture() -> None:
    pictures = Pictures(entry(b"\x01\0\x09\0\0\x03"))
    assert (picture_element(pictures, 0), picture_element(pictures, 9999), pictures.parts) == ("", "", {})
