"""Small DOC and PPT files for the tests: streams in a compound file ([MS-CFB], [MS-DOC], [MS-PPT])."""

import struct
from collections.abc import Mapping
from itertools import pairwise
from typing import cast

_SECTOR = 512
_LEAST = 4096
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_NONE = 0xFFFFFFFF


def compound(streams: Mapping[str, bytes]) -> bytes:
    """A compound file; each stream is filled up to 4,096 bytes, so that it needs no small sectors."""
    padded = {name: data + bytes(-len(data) % _LEAST or (0 if data else _LEAST)) for name, data in streams.items()}
    names = sorted(padded, key=lambda name: (len(name), name.upper()))
    table = [_FAT, _END]
    body = b""
    starts: dict[str, int] = {}
    for name in names:
        starts[name] = len(table)
        count = len(padded[name]) // _SECTOR
        table += [*range(len(table) + 1, len(table) + count), _END]
        body += padded[name]
    entries = [_entry("Root Entry", 5, child=1, start=_END)]
    entries += [
        _entry(name, 2, right=place + 1 if place < len(names) else _NONE, start=starts[name], size=len(padded[name]))
        for place, name in enumerate(names, 1)
    ]
    directory = b"".join(entries).ljust(_SECTOR, b"\0")
    fat = struct.pack("<128I", *table, *[_FREE] * (128 - len(table)))
    head = struct.pack("<8s16s5H6x9I", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"", 62, 3, 0xFFFE, 9, 6,
                       0, 1, 1, 0, _LEAST, _END, 0, _END, 0)  # fmt: skip
    return head + struct.pack("<109I", 0, *[_FREE] * 108) + fat + directory + body


def tree(root: Mapping[str, "bytes | Mapping[str, object]"]) -> bytes:
    """A compound file of streams (bytes) within storages (mappings), at most 126 sectors of them."""
    entries = [b""]
    table = [_FAT]
    body = b""

    def add(content: Mapping[str, object]) -> int:
        """Add the entries of a storage, each the right sibling of the one before; return the first one's number."""
        nonlocal body
        numbers: list[int] = []
        for name, value in content.items():
            numbers.append(len(entries))
            entries.append(b"")
            if isinstance(value, bytes):
                count = -(-len(value) // _SECTOR)
                start = len(table) if count else _END
                table.extend([*range(len(table) + 1, len(table) + count), _END] if count else [])
                body += value.ljust(count * _SECTOR, b"\0")
                entries[numbers[-1]] = _entry(name, 2, start=start, size=len(value))
            else:
                assert isinstance(value, Mapping)
                entries[numbers[-1]] = _entry(name, 1, child=add(cast("Mapping[str, object]", value)), start=0)
        for number, right in pairwise(numbers):
            entries[number] = entries[number][:72] + struct.pack("<I", right) + entries[number][76:]
        return numbers[0] if numbers else _NONE

    entries[0] = _entry("Root Entry", 5, child=add(root), start=_END)
    directory = b"".join(entries)
    count = -(-len(directory) // _SECTOR)
    first = len(table)
    table.extend([*range(first + 1, first + count), _END])
    fat = struct.pack("<128I", *table, *[_FREE] * (128 - len(table)))
    # No stream is small enough for small sectors.
    head = struct.pack("<8s16s5H6x9I", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"", 62, 3, 0xFFFE, 9, 6,
                       0, 1, first, 0, 0, _END, 0, _END, 0)  # fmt: skip
    return head + struct.pack("<109I", 0, *[_FREE] * 108) + fat + body + directory.ljust(count * _SECTOR, b"\0")


def _entry(name: str, kind: int, *, right: int = _NONE, child: int = _NONE, start: int, size: int = 0) -> bytes:
    text = name.encode("utf-16-le") + b"\0\0"
    head = text.ljust(64, b"\0") + struct.pack("<HBB3I", len(text), kind, 1, _NONE, right, child)
    return head + bytes(36) + struct.pack("<IQ", start, size)


def doc(text: str) -> bytes:
    """A Word 97 document of one piece of text; paragraphs end with a carriage return."""
    return _document(text, b"", {}, {})


def _document(text: str, page: bytes, parts: Mapping[int, bytes], streams: Mapping[str, bytes]) -> bytes:
    """A Word 97 document of one piece of text, which begins at offset 2,048; a page of formats is at 2,560.

    Args:
        text: At most 256 characters, if there is a page.
        page: The page.
        parts: Structures outside the text, by their number.
        streams: Other streams.
    """
    start, letters = 2048, text.encode("utf-16-le")
    pieces = struct.pack("<2I", 0, len(text)) + struct.pack("<HIH", 0, start, 0)
    structures = {33: b"\x02" + struct.pack("<I", len(pieces)) + pieces, **parts}
    table = bytes(16)  # readers take a place of 0 for none
    head = struct.pack("<HHHHHHHI", 0xA5EC, 193, 0, 0x409, 0, 0x1200, 191, 0).ljust(32, b"\0")
    numbers = struct.pack("<H", 14) + bytes(28)
    lengths = [0] * 22
    lengths[0], lengths[3] = start + len(letters), len(text)
    places = [0] * 186
    for number, structure in structures.items():
        places[2 * number], places[2 * number + 1] = len(table), len(structure)
        table += structure
    fib = head + numbers + struct.pack("<H22I", 22, *lengths) + struct.pack("<H186I", 93, *places) + b"\0\0"
    body = fib.ljust(start, b"\0") + letters
    return compound({"WordDocument": body.ljust(2560, b"\0") + page if page else body, "1Table": table, **streams})


def doc_with_picture(picture: bytes) -> bytes:
    """A Word 97 document "See \\x01 here" whose second character but three is a picture."""
    text, start = "See \x01 here\r", 2048
    special = struct.pack("<HBHI", 0x0855, 1, 0x6A03, 0)
    chpx = bytes([len(special)]) + special
    bounds = struct.pack("<4I", start, start + 8, start + 10, start + 2 * len(text))
    page = (bounds + bytes([0, 250, 0])).ljust(500, b"\0") + chpx.ljust(11, b"\0") + b"\x03"
    pages = struct.pack("<III", start, start + 2 * len(text), 5)
    head = struct.pack("<IH", 68 + len(picture), 68).ljust(68, b"\0")
    return _document(text, page, {12: pages}, {"Data": head + picture})


def old_doc(text: bytes, *, language: int = 0x409, flags: int = 0, fonts: bytes = b"") -> bytes:
    """A document of Word 6: letters of one byte, without formats."""
    start = 1024
    head = bytearray(struct.pack("<HHHHHHHI", 0xA5DC, 101, 0, language, 0, flags, 101, 0).ljust(start, b"\0"))
    struct.pack_into("<II", head, 0x18, start, start + len(text))
    struct.pack_into("<I", head, 0x34, len(text))
    struct.pack_into("<II", head, 0xD0, start + len(text), len(fonts))
    return compound({"WordDocument": bytes(head) + text + fonts})


def ppt(*texts: str) -> bytes:
    """A PowerPoint 97 presentation: a slide for each text, which is its title."""
    listed = b"".join(
        ppt_record(0, 1011, struct.pack("<5I", number, 0, 0, 255 + number, 0))
        + ppt_record(0, 3999, bytes(4))
        + ppt_record(0, 4000, text.encode("utf-16-le"))
        for number, text in enumerate(texts, 1)
    )
    whole = ppt_record(0x0F, 1000, ppt_record(0x0F, 4080, listed))
    return compound({"PowerPoint Document": whole, "Current User": ppt_record(0, 4086, bytes(20))})


def ppt_record(version: int, kind: int, data: bytes) -> bytes:
    """A record of a presentation; a version of 15 makes it a container."""
    return struct.pack("<HHI", version, kind, len(data)) + data
