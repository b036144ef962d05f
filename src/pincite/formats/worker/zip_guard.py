"""Refuse zip bombs, DTDs and encrypted parts before a reader unpacks a zipped format."""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from struct import unpack_from

from pincite.errors import InvalidInput, ReadingFailed
from pincite.formats.base import ZipLimits
from pincite.model.call import Call

ZIP_MARKS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
STEP_BYTES = 1 << 20
"""Bytes unpacked between two checks of the limits and for cancellation."""

MIN_RATIO_BYTES = 10_000_000
"""Size of a part above which its compression ratio is checked: small parts may well be one repeated letter."""

_ENCRYPTED = 0x1
"""Flag of an encrypted part (APPNOTE 4.4.4)."""
_LOCAL_HEADER_BYTES = 30
"""Size of a local header without names (APPNOTE 4.3.7)."""
_INPUT_BYTES = 1 << 16
"""Packed bytes passed to zlib at a time."""
_MARKUP = (".xml", ".rels")
_DECLARATIONS = re.compile(
    rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?(?>\s+|<\?.*?\?>|<!--.*?-->)*+"
    rb"<!DOCTYPE(?>[^\[>\"']|\"[^\"]*\"|'[^']*')*+(?:[\[\"']|\Z)",
    re.DOTALL,
)
"""A document type with declarations of its own before the root element ([XML] 2.8), or one that does not end.

Possessive, so matching takes linear time. One that only names a DTD, as macros of OpenOffice have, is harmless: no
parser fetches it.
"""


def is_zip(data: bytes) -> bool:
    """Return True if the bytes begin with the signature of a zip file."""
    return data.startswith(ZIP_MARKS)


def guard(data: bytes, limits: ZipLimits, call: Call) -> None:
    """Unpack every part without keeping it, and check its real size: headers may state wrong ones.

    A damaged part passes: the reader may not need it.

    Args:
        data: A zip file.
        limits: Maximum sizes and number of parts.
        call: Checked for cancellation after every step.

    Raises:
        ReadingFailed: The file exceeds a limit, or declares entities of its own, which no office format does.
        InvalidInput: The file is damaged or encrypted.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OverflowError) as error:
        raise InvalidInput(f"The file is damaged ({error}). Fetch or save it again.") from error
    with archive:
        parts = archive.infolist()
        if len(parts) > limits.entries:
            raise ReadingFailed(
                f"The file has {len(parts):,} parts, more than {limits.entries:,} (PINCITE_ZIP_ENTRIES)."
            )
        total = 0
        for part in parts:
            total += _size(data, part, limits, limits.total_bytes - total, call)


def _size(data: bytes, part: zipfile.ZipInfo, limits: ZipLimits, remaining: int, call: Call) -> int:
    if part.flag_bits & _ENCRYPTED:
        raise InvalidInput("The file is protected by a password. Save a copy without one.")
    # Other methods are legal in a zip file, but zlib cannot measure them.
    if part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise InvalidInput(
            "The file uses a compression that no office program uses. Save it again in an office program."
        )
    size = 0
    for step in _unpacked(data, part):
        call.check()
        # A document type can only precede the root element, so the first step suffices.
        if not size:
            _refuse_doctype(part.filename, step)
        size += len(step)
        _refuse_size(size, part.compress_size, limits, remaining)
    return size


def _unpacked(data: bytes, part: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yield a part's unpacked bytes in steps until it ends or is damaged; its stated size is ignored."""
    # `zipfile` trusts the sizes that a header states; the packed bytes are unpacked here without it.
    at = part.header_offset
    if at + _LOCAL_HEADER_BYTES > len(data):
        return
    start = at + _LOCAL_HEADER_BYTES + sum(unpack_from("<HH", data, at + 26))
    end = min(start + part.compress_size, len(data))
    if part.compress_type == zipfile.ZIP_STORED:
        yield from (data[position : min(position + STEP_BYTES, end)] for position in range(start, end, STEP_BYTES))
        return
    inflate = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        for position in range(start, end, _INPUT_BYTES):
            chunk = data[position : min(position + _INPUT_BYTES, end)]
            while not inflate.eof:
                step = inflate.decompress(chunk, STEP_BYTES)
                chunk = inflate.unconsumed_tail
                if step:
                    yield step
                if not chunk and len(step) < STEP_BYTES:
                    break
    except zlib.error:
        return


def _refuse_size(size: int, packed: int, limits: ZipLimits, remaining: int) -> None:
    if size > limits.part_bytes:
        reason = f"one part of it is larger than {_megabytes(limits.part_bytes)} (PINCITE_ZIP_PART)"
    elif size > remaining:
        reason = f"its parts are larger than {_megabytes(limits.total_bytes)} together (PINCITE_ZIP_TOTAL)"
    elif size > MIN_RATIO_BYTES and size > limits.ratio * packed:
        reason = f"one part of it grows more than {limits.ratio} times (PINCITE_ZIP_RATIO)"
    else:
        return
    raise ReadingFailed(f"Unpacked, the file is too large: {reason}.")


def _refuse_doctype(name: str, head: bytes) -> None:
    # Without its NULs, UTF-16 markup is ASCII: one pattern matches both.
    if name.lower().endswith(_MARKUP) and _DECLARATIONS.match(head.replace(b"\0", b"")):
        raise ReadingFailed(
            "A part of the file declares a document type (DOCTYPE), which can hide an attack. "
            "Save the file again in an office program."
        )


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"
