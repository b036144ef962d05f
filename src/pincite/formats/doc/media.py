"""Pictures in the text ([MS-DOC] 2.9.192: PICFAndOfficeArtData)."""

from pincite.formats.ole.pictures import Pictures


def picture_element(pictures: Pictures, place: int) -> str:
    """Return the picture at an offset as an element that refers to its part by name; empty for none."""
    head = pictures.data[place : place + 6]
    size, header = int.from_bytes(head[:4], "little"), int.from_bytes(head[4:], "little")
    name = pictures.add(place + header, place + size)
    return f'<w:pict><w:imagedata r:id="{name}"/></w:pict>' if name else ""
