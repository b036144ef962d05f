"""Small messages of Outlook for the tests: MSG files ([MS-OXMSG]) and winmail.dat ([MS-OXTNEF])."""

import struct
from collections.abc import Mapping, Sequence

from support.compound import tree

Storage = dict[str, "bytes | Mapping[str, object]"]
Value = str | bytes | int


def storage(head_bytes: int, values: Mapping[int, Value]) -> Storage:
    """The streams of properties by tag: strings are wide, numbers have 32 bits; a number of 64 bits is a time."""
    streams: Storage = {}
    fixed = bytes(head_bytes)
    for tag, value in values.items():
        if isinstance(value, str):
            streams[f"__substg1.0_{tag:04X}001F"] = value.encode("utf-16-le")
        elif isinstance(value, bytes):
            streams[f"__substg1.0_{tag:04X}0102"] = value
        else:
            kind = 0x40 if value >= 1 << 32 else 0x03
            fixed += struct.pack("<HHIQ", kind, tag, 6, value)
    return {"__properties_version1.0": fixed, **streams}


def content(
    head_bytes: int,
    values: Mapping[int, Value],
    recipients: Sequence[Mapping[int, Value]] = (),
    attachments: Sequence[Storage] = (),
) -> Storage:
    """The storage of a message."""
    inner = {f"__recip_version1.0_#{number:08X}": storage(8, recipient) for number, recipient in enumerate(recipients)}
    inner |= {f"__attach_version1.0_#{number:08X}": attachment for number, attachment in enumerate(attachments)}
    return {**storage(head_bytes, values), **inner}


def msg(
    values: Mapping[int, Value], recipients: Sequence[Mapping[int, Value]] = (), attachments: Sequence[Storage] = ()
) -> bytes:
    """A MSG file."""
    return tree(content(32, values, recipients, attachments))


def tnef(attributes: Sequence[tuple[int, bytes]]) -> bytes:
    """A winmail.dat of attributes by number."""
    parts = (b"\1" + struct.pack("<HHI", number, 6, len(value)) + value + b"\0\0" for number, value in attributes)
    return b"\x78\x9f\x3e\x22\0\0" + b"".join(parts)


def mapi(values: Mapping[tuple[int, int], bytes]) -> bytes:
    """The value of an attribute of MAPI properties: by tag and type, each with its length before it."""
    parts = (
        struct.pack("<HHII", kind, tag, 1, len(value)) + value + bytes(-len(value) % 4)
        for (tag, kind), value in values.items()
    )
    return struct.pack("<I", len(values)) + b"".join(parts)
