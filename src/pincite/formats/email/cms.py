"""The message inside an S/MIME signature (RFC 8551, 3.5.2: `application/pkcs7-mime` of signed data), by RFC 5652."""

from collections.abc import Iterator

_SIGNED_DATA = bytes.fromhex("06092a864886f70d010702")
_DATA = bytes.fromhex("06092a864886f70d010701")
_MAX_HEAD_BYTES = 4096
"""Bytes before the content: the algorithms of each signature, each of some 15 bytes."""
_EXPLICIT, _STRING, _CONSTRUCTED_STRING = 0xA0, 0x04, 0x24
_INDEFINITE = 0x80
_MAX_LENGTH_BYTES = 4


def signed_content(data: bytes) -> bytes | None:
    """Return the message that is signed; None for an encrypted or damaged one."""
    if _SIGNED_DATA not in data[: len(_SIGNED_DATA) + 20]:
        return None
    at = data.find(_DATA, 0, _MAX_HEAD_BYTES)
    if at < 0:
        return None
    tag, start, _ = _element(data, at + len(_DATA))
    if tag != _EXPLICIT:
        return None
    return b"".join(_strings(data, start)) or None


def _strings(data: bytes, at: int) -> Iterator[bytes]:
    """Yield the bytes of a string, which may be made up of several."""
    tag, start, end = _element(data, at)
    if tag == _STRING:
        yield data[start:end]
        return
    at = start
    while tag == _CONSTRUCTED_STRING and at < end:
        inner, start, stop = _element(data, at)
        if inner != _STRING:
            return
        yield data[start:stop]
        at = stop


def _element(data: bytes, at: int) -> tuple[int, int, int]:
    """Return tag, start and end of the content of an element; one of indefinite length ends with the data (X.690)."""
    head = data[at : at + 2]
    if len(head) < 2:  # noqa: PLR2004 - tag and length
        return 0, len(data), len(data)
    tag, length = head
    start = at + 2
    if length == _INDEFINITE:
        return tag, start, len(data)
    if length > _INDEFINITE:
        count = min(length - _INDEFINITE, _MAX_LENGTH_BYTES)
        length = int.from_bytes(data[start : start + count], "big")
        start += count
    return tag, start, min(start + length, len(data))
