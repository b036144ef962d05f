import struct
import zlib
from typing import Any

import pytest
from PIL import ExifTags, Image, PngImagePlugin

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.image.reader import NOT_READ
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import Document
from pincite.registry import FORMATS, load
from support.pictures import picture

IMAGE = next(row for row in FORMATS if row.name == "image")
XMP = """<?xpacket begin=''?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreateDate="2024-05-06"
 xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Harbour</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>Ada</rdf:li><rdf:li>Bob</rdf:li></rdf:Seq></dc:creator>
</rdf:Description></rdf:RDF></x:xmpmeta>"""


def read(data: bytes, options: ReadOptions | None = None) -> Document:
    return read_document(IMAGE, Blob("a.png", data), options or ReadOptions(), Call())


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "TIFF", "WEBP", "BMP"])
def test_a_picture_gives_its_format_and_its_size(kind: str) -> None:
    found = read(picture(kind=kind, size=(20, 10)))
    assert found.properties["format"] == kind
    assert found.properties["size"] == "20 × 10 pixels"
    assert (found.text, found.sections) == ("", ())


def test_title_and_description_are_its_text() -> None:
    found = read(picture({"Title": "A cat", "Description": "on a\nmat", "Author": "Ada"}, dpi=(300, 300)))
    assert (found.title, found.text) == ("A cat", "![A cat: on a mat]\n")
    assert (found.properties["author"], found.properties["dpi"]) == ("Ada", "300")


def test_text_that_stands_behind_the_picture_counts() -> None:
    data = picture()
    chunk = b"tEXt" + b"Title\0late"
    end = data.rindex(b"IEND") - 4
    late = struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
    assert read(data[:end] + late + data[end:]).title == "late"


def test_exif_is_read_and_what_cameras_write_by_themselves_is_not_text() -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.ImageDescription] = "OLYMPUS DIGITAL CAMERA"
    exif[ExifTags.Base.Artist] = "Ada"
    exif[ExifTags.Base.DateTime] = "2024:05:06 07:08:09"
    exif[ExifTags.Base.XPTitle] = "Hafen".encode("utf-16-le") + b"\0\0"
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.UserComment] = b"ASCII\0\0\0by hand"
    found = read(picture(kind="JPEG", exif=exif))
    assert found.text == "![Hafen]\n"
    assert found.properties["author"] == "Ada"
    assert found.properties["modified"] == "2024-05-06 07:08:09"
    assert found.properties["comment"] == "by hand"


@pytest.mark.parametrize("kind", ["JPEG", "WEBP", "PNG", "TIFF"])
def test_xmp_is_read_in_every_format_that_keeps_it(kind: str) -> None:
    info = PngImagePlugin.PngInfo()
    info.add_itxt("XML:com.adobe.xmp", XMP)
    tiff = {"tiffinfo": {ExifTags.Base.XMLPacket: XMP.encode()}}
    more: dict[str, Any] = {"PNG": {"pnginfo": info}, "TIFF": tiff}.get(kind, {"xmp": XMP.encode()})
    found = read(picture(kind=kind, **more))
    assert (found.title, found.properties["author"], found.properties["created"]) == (
        "Harbour",
        "Ada, Bob",
        "2024-05-06",
    )


@pytest.mark.parametrize("packet", [b"<x", b"<a>" * 500_000], ids=["damaged", "huge"])
def test_bad_xmp_costs_nothing_else(packet: bytes) -> None:
    head = next(load(IMAGE)(Blob("a.webp", picture(kind="WEBP", xmp=packet)), ReadOptions(), Call()))
    assert head.properties["format"] == "WEBP"


def test_a_picture_without_words_is_refused_with_the_reason() -> None:
    with pytest.raises(InvalidInput, match="OCR"):
        read(picture(size=(200, 200)))


def test_that_text_in_the_picture_was_not_read_is_said() -> None:
    found = read(picture({"Title": "x"}, size=(200, 200)))
    assert [failure.reason for failure in found.coverage.failed] == [NOT_READ]


def test_frames_are_counted() -> None:
    frames = [Image.new("L", (9, 9), shade) for shade in (0, 90, 180)]
    assert read(picture(kind="GIF", size=(9, 9), save_all=True, append_images=frames)).properties["frames"] == "4"


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "TIFF", "WEBP", "BMP"])
@pytest.mark.parametrize("part", [0.02, 0.5, 0.9])
def test_a_picture_that_is_cut_short_is_refused(kind: str, part: float) -> None:
    data = picture(kind=kind)
    with pytest.raises((InvalidInput, Unsupported)) as refused:
        read(data[: int(len(data) * part)])
    assert "picture" in refused.value.message


def test_a_picture_of_too_many_pixels_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"2,400 pixels, more than 1,000"):
        read(picture(), ReadOptions(max_pixels=1000))


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    data = picture()
    header = b"IHDR" + struct.pack(">II", 60_000, 60_000) + data[24:29]
    bomb = data[:12] + header + struct.pack(">I", zlib.crc32(header)) + data[33:]
    with pytest.raises(InvalidInput, match="pixels"):
        read(bomb, ReadOptions(max_pixels=10**12))
    with pytest.raises(InvalidInput, match="pixels"):
        read(bomb)
