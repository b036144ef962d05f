"""Small DOC and PPT files for the tests: streams in a compound file ([MS-CFB], [MS-DOC], [MS-PPT])."""

import struct
from collections.abc import Mapping

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


def _entry(name: str, kind: int, *, right: int = _NONE, child: int = _NONE, start: int, size: int = 0) -> bytes:
    text = name.encode("utf-16-le") + b"\0\0"
    head = text.ljust(64, b"\0") + struct.pack("<HBB3I", len(text), kind, 1, _NONE, right, child)
    return head + bytes(36) + struct.pack("<IQ", start, size)


def doc(text: str) -> bytes:
    """A Word 97 document of one piece of text; paragraphs end with a carriage return."""
    start, letters = 2048, text.encode("utf-16-le")
    pieces = struct.pack("<2I", 0, len(text)) + struct.pack("<HIH", 0, start, 0)
    pieces = b"\x02" + struct.pack("<I", len(pieces)) + pieces
    before = bytes(16)  # readers take a place of 0 for none
    head = struct.pack("<HHHHHHHI", 0xA5EC, 193, 0, 0x409, 0, 0x1200, 191, 0).ljust(32, b"\0")
    numbers = struct.pack("<H", 14) + bytes(28)
    lengths = [0] * 22
    lengths[0], lengths[3] = start + len(letters), len(text)
    places = [0] * 186
    places[66], places[67] = len(before), len(pieces)
    fib = head + numbers + struct.pack("<H22I", 22, *lengths) + struct.pack("<H186I", 93, *places) + b"\0\0"
    return compound({"WordDocument": fib.ljust(start, b"\0") + letters, "1Table": before + pieces})


def ppt(*texts: str) -> bytes:
    """A PowerPoint 97 presentation: a slide for each text."""
    listed = b"".join(
        _record(0, 1011, struct.pack("<5I", number, 0, 0, 255 + number, 0)) + _record(0, 4000, text.encode("utf-16-le"))
        for number, text in enumerate(texts, 1)
    )
    whole = _record(0x0F, 1000, _record(0x0F, 4080, listed))
    return compound({"PowerPoint Document": whole, "Current User": _record(0, 4086, bytes(20))})


def _record(version: int, kind: int, data: bytes) -> bytes:
    return struct.pack("<HHI", version, kind, len(data)) + data
