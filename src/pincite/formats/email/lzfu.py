"""Unpack compressed RTF ([MS-OXRTFCP]), as Outlook keeps the formatted text of a message."""

from struct import unpack_from

_COMPRESSED, _UNCOMPRESSED = b"LZFu", b"MELA"
_HEAD_BYTES = 16
_WINDOW = 4096
_PRELOADED = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans "
    rb"SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)
"""What the window begins with (2.1.2.1)."""
MAX_RTF_BYTES = 20_000_000
"""Maximum size unpacked; the text of a message with pictures in it has some MB."""


def unpacked(data: bytes) -> bytes:
    """Return the RTF; of damaged data as far as it can be unpacked; empty for what is none."""
    if len(data) < _HEAD_BYTES:
        return b""
    size: int = min(unpack_from("<I", data, 4)[0], MAX_RTF_BYTES)
    kind = data[8:12]
    if kind == _UNCOMPRESSED:
        return data[_HEAD_BYTES : _HEAD_BYTES + size]
    return _decompressed(data, size) if kind == _COMPRESSED else b""


def _decompressed(data: bytes, size: int) -> bytes:
    window = bytearray(_PRELOADED.ljust(_WINDOW, b"\0"))
    written = len(_PRELOADED)
    output = bytearray()
    at = _HEAD_BYTES
    while at < len(data) and len(output) < size:
        control = data[at]
        at += 1
        for bit in range(8):
            if not control >> bit & 1:
                piece = data[at : at + 1]
                at += 1
            elif at + 2 > len(data):
                return bytes(output)
            else:
                reference = data[at] << 8 | data[at + 1]
                at += 2
                start, length = reference >> 4, (reference & 0xF) + 2
                if start == written % _WINDOW:
                    return bytes(output[:size])
                piece = _copied(window, start, written, length)
            for byte in piece:
                window[written % _WINDOW] = byte
                written += 1
            output += piece
    return bytes(output[:size])


def _copied(window: bytearray, start: int, written: int, length: int) -> bytes:
    """Return bytes of the window; a reference may reach into what it writes itself."""
    distance = (written - start) % _WINDOW
    known = bytes(window[(start + offset) % _WINDOW] for offset in range(min(length, distance)))
    return (known * (length // len(known) + 1))[:length]
