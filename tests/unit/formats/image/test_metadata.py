import struct
import zlib
from typing import Any

import pytest
from PIL import ExifTags, Image, PngImagePlugin

from pincite.formats.base import Blob, ReadOptions
from pincite.model.call import Call
from pincite.registry import load
from support.picture_read import IMAGE, read
from support.pictures import picture

XMP = """<?xpacket begin=''?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreateDate="2024-05-06"
 xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Harbour</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>Ada</rdf:li><rdf:li>Bob</rdf:li></rdf:Seq></dc:creator>
</rdf:Description></rdf:RDF></x:xmpmeta>"""


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
