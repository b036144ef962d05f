"""winmail.dat: what Outlook adds to a message for Outlook ([MS-OXTNEF])."""

import struct
from collections.abc import Iterator
from struct import unpack_from

from pincite.formats.email import mapi
from pincite.formats.email.mapi import Properties
from pincite.formats.email.message import Attachment, Message

_SIGNATURE = b"\x78\x9f\x3e\x22"
_SUBJECT, _BODY, _PROPERTIES, _CODE_PAGE = 0x8004, 0x800C, 0x9003, 0x9007
_ATTACHMENT, _ATTACHED_NAME, _ATTACHED_DATA, _ATTACHED_PROPERTIES = 0x9002, 0x8010, 0x800F, 0x9005
_OBJECT = 0x0D
_OBJECT_ID_BYTES = 16
"""An attached object begins with the identity of its interface."""
_MULTIPLE = 0x1000
_SIZES = {0x01: 4, 0x02: 4, 0x03: 4, 0x04: 4, 0x05: 8, 0x06: 8, 0x07: 8, 0x0A: 4, 0x0B: 4, 0x14: 8, 0x40: 8, 0x48: 16}
"""Bytes of a value by its type; the others are preceded by their length."""
_FIRST_NAMED = 0x8000
MAX_ATTRIBUTES = 10_000
MAX_DEPTH = 10
"""Levels of messages within messages."""


def read_tnef(data: bytes, depth: int = 0) -> Message | None:
    """Return what is in the file, as far as it is not damaged; None for what is no such file."""
    if not data.startswith(_SIGNATURE):
        return None
    properties = Properties()
    attached: list[tuple[Properties, list[bytes]]] = []
    for name, value in _attributes(data):
        if name == _CODE_PAGE:
            properties.code_page = int.from_bytes(value[:4], "little")
        elif name == _SUBJECT:
            properties.add(mapi.SUBJECT, mapi.NARROW, value)
        elif name == _BODY:
            properties.add(mapi.BODY, mapi.NARROW, value)
        elif name == _PROPERTIES:
            _add(properties, value)
        elif name == _ATTACHMENT:
            attached.append((Properties(code_page=properties.code_page), []))
        elif attached:
            _add_attached(*attached[-1], name, value)
    attachments = [_attachment(inner, parts, depth) for inner, parts in attached]
    return mapi.message_of(properties, (), attachments, ())


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield name and value of each attribute."""
    at = 6
    for _ in range(MAX_ATTRIBUTES):
        if at + 9 > len(data):
            return
        name, _kind, length = unpack_from("<HHI", data, at + 1)
        yield name, data[at + 9 : at + 9 + length]
        at += 9 + length + 2


def _add_attached(properties: Properties, parts: list[bytes], name: int, value: bytes) -> None:
    if name == _ATTACHED_NAME:
        properties.add(mapi.ATTACHED_NAME, mapi.NARROW, value)
    elif name == _ATTACHED_DATA:
        parts.append(value)
    elif name == _ATTACHED_PROPERTIES:
        _add(properties, value)


def _attachment(properties: Properties, parts: list[bytes], depth: int) -> Attachment:
    if properties.kinds.get(mapi.ATTACHED) == _OBJECT:
        data = properties.values[mapi.ATTACHED][_OBJECT_ID_BYTES:]
        message = read_tnef(data, depth + 1) if depth < MAX_DEPTH else None
        return mapi.attachment_of(properties, b"" if message else data, message)
    return mapi.attachment_of(properties, b"".join(parts) or properties.values.get(mapi.ATTACHED, b""))


def _add(properties: Properties, data: bytes) -> None:
    """Add the MAPI properties of an attribute, up to the first damaged one."""
    try:
        for tag, kind, value in _values(data):
            properties.add(tag, kind, value)
    except (struct.error, KeyError):
        return


def _values(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    count = min(unpack_from("<I", data)[0], MAX_ATTRIBUTES)
    at = 4
    for _ in range(count):
        kind, tag = unpack_from("<HH", data, at)
        at += 4
        if tag >= _FIRST_NAMED:
            at = _after_name(data, at)
        is_multiple, kind = bool(kind & _MULTIPLE), kind & ~_MULTIPLE
        size = _SIZES.get(kind)
        values = 1
        if is_multiple or size is None:
            values = min(unpack_from("<I", data, at)[0], len(data))
            at += 4
        for _ in range(values):
            length = size
            if length is None:
                length = unpack_from("<I", data, at)[0]
                at += 4
            if at > len(data):
                return
            yield tag, kind, data[at : at + length]
            at += length + -length % 4


def _after_name(data: bytes, at: int) -> int:
    """Return the offset after the name of a property: an identity, then a number or a string."""
    kind, length = unpack_from("<II", data, at + 16)
    return at + 24 + (length + -length % 4 if kind else 0)
