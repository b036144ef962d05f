"""Mailboxes: messages one after the other, each after a line `From ` (RFC 4155); messages of Apple Mail."""

import re
from collections.abc import Iterator

_SEPARATOR = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))>?From [^\r\n]{1,500}\r?\n(?=[!-9;-~]{1,200}:)")
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)
_HEADER = re.compile(rb"\s*(?:>?From [^\r\n]{1,500}\r?\n)?[!-9;-~]{1,200}[ \t]*:")
_LENGTH = re.compile(rb"(\d{1,10})[ \t]*\r?\n(?=[!-9;-~]{1,200}:)")
_UTF8_MARK = b"\xef\xbb\xbf"


def is_message(data: bytes) -> bool:
    """Return True for bytes that begin with a header field."""
    return _HEADER.match(data) is not None


def unwrapped(data: bytes) -> bytes:
    """Return a message without a byte order mark, and without what Apple Mail writes before and after it (EMLX)."""
    data = data.removeprefix(_UTF8_MARK)
    match = _LENGTH.match(data)
    return data[match.end() : match.end() + int(match[1])] if match else data.lstrip()


def messages(data: bytes) -> Iterator[bytes]:
    """Yield the messages of a mailbox; one for any other message."""
    starts = list(_SEPARATOR.finditer(data)) if data.startswith(b"From ") else []
    if len(starts) < 2:  # noqa: PLR2004 - a message may be stored with the line of its mailbox
        yield data
        return
    ends = [match.start() for match in starts[1:]] + [len(data)]
    for match, end in zip(starts, ends, strict=True):
        yield _ESCAPED.sub(rb"\1", data[match.end() : end])
