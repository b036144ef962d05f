"""The parts of a MIME message (RFC 2045, 2046): their fields, and their bytes without transfer encoding."""

import binascii
import quopri
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message as Fields

from pincite.formats.email import headers
from pincite.formats.email.cms import signed_content
from pincite.model.call import Call

MAX_DEPTH = 20
"""Levels of parts within parts; mail programs make up to six."""
MAX_PARTS = 10_000
"""Parts on one level: a digest of a mailing list has up to a hundred."""
_MAX_HEAD_BYTES = 1_000_000
"""Size of a head. That of a message through ten servers has 30 kB."""

SECURED = ("application/pkcs7-mime", "application/x-pkcs7-mime")
"""Types of S/MIME: encrypted, or the message inside its signature."""
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_FIELD_LINE = re.compile(rb"[!-9;-~]+[ \t]*:|[ \t]+\S")
_ENVELOPE = re.compile(rb">?From [^\r\n]*")
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a message, or the whole of it.

    Attributes:
        fields: Its header fields.
        data: Its bytes without transfer encoding; of a multipart as they are.
        parts: The parts of a multipart, or the one message of a `message/rfc822` or inside a signature.
        is_cut: True for a part whose parts are beyond `MAX_DEPTH` or `MAX_PARTS`.
    """

    fields: Fields
    data: bytes
    parts: tuple["Part", ...] = ()
    is_cut: bool = False

    @property
    def media_type(self) -> str:
        """The declared type in lower case; `text/plain` for none."""
        return self.fields.get_content_type()

    @property
    def is_attachment(self) -> bool:
        """Return True if the sender wants it shown as a file."""
        return self.fields.get_content_disposition() == "attachment"


def parse(data: bytes, call: Call, *, depth: int = 0, default_type: str = "text/plain") -> Part:
    """Return a message with its parts.

    Args:
        data: The bytes of the message, or of a part of one.
        call: Checked for cancellation at every part.
        depth: The number of parts around it.
        default_type: Its type, if it declares none.
    """
    call.check()
    lines, at = _head(data)
    fields = headers.parse(lines)
    if "content-type" not in fields:
        fields["content-type"] = default_type
    body = data[at:]
    media_type = fields.get_content_type()
    if media_type.startswith("multipart/"):
        return _multipart(fields, body, call, depth, media_type)
    content = _without_transfer_encoding(body, str(fields.get("content-transfer-encoding") or ""))
    if media_type in SECURED and depth < MAX_DEPTH and (signed := signed_content(content)) is not None:
        return Part(fields, b"", (parse(signed.lstrip(), call, depth=depth + 1),))
    if media_type in ("message/rfc822", "message/global", "message/news"):
        if depth >= MAX_DEPTH:
            return Part(fields, content, is_cut=True)
        return Part(fields, b"", (parse(content.lstrip(), call, depth=depth + 1),))
    return Part(fields, content)


def _multipart(fields: Fields, body: bytes, call: Call, depth: int, media_type: str) -> Part:
    boundary = str(fields.get_boundary() or "").encode("utf-8", "replace")
    pieces = list(_pieces(body, boundary)) if boundary else []
    if not pieces:
        # Without its boundary it is shown as the text that it is.
        fields.replace_header("content-type", "text/plain")
        return Part(fields, body)
    if depth >= MAX_DEPTH:
        return Part(fields, body, is_cut=True)
    default_type = "message/rfc822" if media_type == "multipart/digest" else "text/plain"
    parts = tuple(parse(piece, call, depth=depth + 1, default_type=default_type) for piece in pieces[:MAX_PARTS])
    return Part(fields, body, parts, is_cut=len(pieces) > MAX_PARTS)


def _head(data: bytes) -> tuple[list[bytes], int]:
    """Return the lines of a head, and the start of the body after it."""
    lines: list[bytes] = []
    at = 0
    while at < min(len(data), _MAX_HEAD_BYTES):
        match = _LINE.match(data, at)
        line = match[0].rstrip(b"\r\n") if match else b""
        if not line.strip():
            return lines, match.end() if match else at
        if _FIELD_LINE.match(line) is None and not (not lines and _ENVELOPE.match(line)):
            # The empty line after the head is missing.
            return lines, at
        if not _ENVELOPE.match(line):
            lines.append(line)
        at = match.end() if match else len(data)
    return lines, at


def _pieces(body: bytes, boundary: bytes) -> Iterator[bytes]:
    """Yield the parts between the lines with a boundary; the last one need not be closed."""
    delimiter = re.compile(rb"(?:\A|(?<=[\r\n]))--" + re.escape(boundary) + rb"(--)?[ \t]*(?:\r\n|\n|\r|\Z)")
    start = -1
    for match in delimiter.finditer(body):
        if start >= 0:
            yield _without_line_end(body[start : match.start()])
        start = -1 if match[1] else match.end()
    if start >= 0 and body[start:].strip():
        yield body[start:]


def _without_line_end(piece: bytes) -> bytes:
    # The line end before a boundary belongs to it.
    return piece[:-2] if piece.endswith(b"\r\n") else piece[:-1] if piece.endswith((b"\n", b"\r")) else piece


def _without_transfer_encoding(body: bytes, encoding: str) -> bytes:
    encoding = encoding.strip().lower()
    if encoding == "quoted-printable":
        return quopri.decodestring(body)
    if encoding == "base64":
        return base64_bytes(body)
    if encoding in ("x-uuencode", "uuencode", "uue", "x-uue"):
        return _uudecoded(body)
    return body


def base64_bytes(body: bytes) -> bytes:
    """Return the bytes of Base64 as far as there are any; anything else between its letters is passed over."""
    # After `=` a new text may begin.
    segments = (_NOT_BASE64.sub(b"", segment) for segment in body.split(b"=") if segment)
    return b"".join(map(_segment, segments))


def _segment(letters: bytes) -> bytes:
    # A single letter at the end is less than a byte.
    whole = letters[:-1] if len(letters) % 4 == 1 else letters
    return binascii.a2b_base64(whole + b"=" * (-len(whole) % 4))


def _uudecoded(body: bytes) -> bytes:
    parts: list[bytes] = []
    for line in body.splitlines():
        if line.startswith(b"begin ") or line.strip() in (b"", b"end", b"`"):
            continue
        try:
            parts.append(binascii.a2b_uu(line))
        except binascii.Error:
            continue
    return b"".join(parts)
