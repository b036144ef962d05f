"""Metadata of a picture: EXIF, XMP, PNG text chunks, JPEG and GIF comments."""

import re
from collections.abc import Iterator, Mapping

from lxml import etree
from PIL import ExifTags, Image

from pincite.formats.writing.page_writer import one_line

MAX_VALUE_CHARACTERS = 2000
"""Characters of a value that are kept."""

MAX_XMP_BYTES = 1_000_000
"""Size above which XMP is ignored: larger packets contain previews."""

_EXIF = {
    ExifTags.Base.XPTitle: "title",
    ExifTags.Base.ImageDescription: "description",
    ExifTags.Base.XPSubject: "subject",
    ExifTags.Base.XPComment: "comment",
    ExifTags.Base.XPKeywords: "keywords",
    ExifTags.Base.Artist: "author",
    ExifTags.Base.XPAuthor: "author",
    ExifTags.Base.Copyright: "copyright",
    ExifTags.Base.DateTimeOriginal: "created",
    ExifTags.Base.DateTime: "modified",
    ExifTags.Base.Software: "application",
    ExifTags.Base.UserComment: "comment",
}
_TEXT = {
    "title": "title",
    "description": "description",
    "author": "author",
    "copyright": "copyright",
    "creation time": "created",
    "software": "application",
    "comment": "comment",
}
_XMP = {
    "title": "title",
    "description": "description",
    "creator": "author",
    "rights": "copyright",
    "subject": "keywords",
    "CreateDate": "created",
    "ModifyDate": "modified",
    "CreatorTool": "application",
}
_DEVICE_DESCRIPTIONS = frozenset(
    {"olympus digital camera", "sony dsc", "dcim", "dav", "samsung", "hdr", "default", "untitled"}
)
"""Descriptions that devices write into every picture."""

_EXIF_DATE = re.compile(r"^(\d{4}):(\d\d):(\d\d)")
_COMMENT_CODES = {b"ASCII\0\0\0": "ascii", b"UNICODE\0": "utf-16", b"JIS\0\0\0\0\0": "iso2022_jp"}


def metadata(image: Image.Image) -> dict[str, str]:
    """Return a picture's metadata (`title`, `description`, `author`, `created`, …); XMP outranks EXIF.

    Args:
        image: An opened picture, not yet decoded.
    """
    values: dict[str, str] = {}
    # In order of precedence: the first value of a key is kept.
    for key, value in (*_xmp(image), *_exif(image), *_text(image)):
        text = one_line(value.replace("\0", " "))[:MAX_VALUE_CHARACTERS]
        if key in ("created", "modified"):
            text = _EXIF_DATE.sub(r"\1-\2-\3", text)
        if key and text and text.isprintable() and text.lower() not in _DEVICE_DESCRIPTIONS:
            values.setdefault(key, text)
    return values


def _exif(image: Image.Image) -> Iterator[tuple[str, str]]:
    exif = image.getexif()
    tags = {**exif, **exif.get_ifd(ExifTags.IFD.Exif)}
    for tag, key in _EXIF.items():
        value = tags.get(tag)
        if tag is ExifTags.Base.UserComment and isinstance(value, bytes):
            code = _COMMENT_CODES.get(value[:8])
            yield key, value[8:].decode(code, "ignore") if code else ""
        elif isinstance(value, bytes):
            yield key, value.decode("utf-16-le", "ignore")
        elif value is not None:
            yield key, str(value)


def _text(image: Image.Image) -> Iterator[tuple[str, str]]:
    for name, value in dict(image.info).items():
        key = _TEXT.get(str(name).lower())
        if key and isinstance(value, str | bytes):
            yield key, value if isinstance(value, str) else value.decode("utf-8", "replace")


def _xmp(image: Image.Image) -> Iterator[tuple[str, str]]:
    info: Mapping[str | tuple[int, int], object] = image.info
    packet = info.get("xmp") or info.get("XML:com.adobe.xmp") or image.getexif().get(ExifTags.Base.XMLPacket)
    data = packet.encode() if isinstance(packet, str) else packet
    if not isinstance(data, bytes) or len(data) > MAX_XMP_BYTES:
        return
    # XMP is foreign XML: no entities, no network.
    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(data.strip(b"\0 \r\n\t"), parser)
    except (etree.XMLSyntaxError, ValueError):
        return
    for element in root.iter("{*}Description"):
        for attribute, value in element.attrib.items():
            yield _XMP.get(attribute.rpartition("}")[2], ""), value
        for child in element:
            name = child.tag.rpartition("}")[2] if isinstance(child.tag, str) else ""
            texts = dict.fromkeys(one_line(text) for text in child.itertext() if text.strip())
            yield _XMP.get(name, ""), ", ".join(texts)
