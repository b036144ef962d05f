"""Header fields as a person reads them: encoded words (RFC 2047), file names (RFC 2231), dates."""

import binascii
import re
from base64 import b64decode
from email.message import Message as Fields
from email.utils import collapse_rfc2231_value, parsedate_to_datetime

from pincite.formats.email import charsets
from pincite.formats.writing.page_writer import one_line

SHOWN = ("From", "To", "Cc", "Date")
"""Fields that a mail program shows above a message."""
MAX_FIELD_CHARACTERS = 20_000
"""Length of a field that is read: one with 500 addresses has as many."""
MAX_PARAMETER_CHARACTERS = 4_000
"""The same of a field with parameters, whose parser takes quadratic time."""

_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]{0,5000}?)\?=")
_BETWEEN_WORDS = re.compile(r"(?<=\?=)\s{1,200}(?==\?)")
_FIELD = re.compile(rb"([!-9;-~]{1,200})[ \t]*:[ \t]*(.*)", re.DOTALL)
_WITH_PARAMETERS = re.compile(r"content-", re.IGNORECASE)


def parse(lines: list[bytes]) -> Fields:
    """Return the fields of a head from its lines; later lines of a field begin with white space."""
    fields = Fields()
    unfolded: list[bytearray] = []
    for line in lines:
        if line[:1] in b" \t" and unfolded:
            if len(unfolded[-1]) < MAX_FIELD_CHARACTERS:
                unfolded[-1] += b" " + line.strip()
        else:
            unfolded.append(bytearray(line))
    for line in unfolded:
        if match := _FIELD.match(line):
            name = match[1].decode("ascii", "replace")
            limit = MAX_PARAMETER_CHARACTERS if _WITH_PARAMETERS.match(name) else MAX_FIELD_CHARACTERS
            fields[name] = _text(bytes(match[2])[:limit])
    return fields


def field(fields: Fields, name: str) -> str:
    """Return a field as a person reads it, in one line; fields of the same name are joined."""
    values = [str(value) for value in fields.get_all(name, [])]
    return one_line(", ".join(decoded(value) for value in values))[:MAX_FIELD_CHARACTERS]


def decoded(value: str) -> str:
    """Return a value with its encoded words decoded."""
    if "=?" not in value:
        return value
    # White space between two encoded words is no part of the text, and a character may be cut between them.
    joined = _BETWEEN_WORDS.sub("", value)
    parts: list[str] = []
    pending, pending_charset, end = b"", "", 0
    for match in _WORD.finditer(joined):
        charset = match[1].partition("*")[0].lower()
        if pending and (match.start() != end or charset != pending_charset):
            parts.append(charsets.decode(pending, pending_charset)[0])
            pending = b""
        parts.append(joined[end : match.start()])
        pending, pending_charset, end = pending + _word(match[2], match[3]), charset, match.end()
    return "".join([*parts, charsets.decode(pending, pending_charset)[0], joined[end:]])


def file_name(fields: Fields) -> str:
    """Return the name of the file that a part contains, without folders; empty for none."""
    # Encoded words in a parameter are against RFC 2047, and common.
    for name, parameter in (("content-disposition", "filename"), ("content-type", "name")):
        value = fields.get_param(parameter, None, name)
        if value is not None:
            text = _parameter(value)
            if named := one_line(re.split(r"[/\\]", decoded(text))[-1]):
                return named[:200]
    return one_line(decoded(str(fields.get("content-description") or "")))[:200]


def charset(fields: Fields) -> str:
    """Return the name of the character set that a part declares; empty for none."""
    value = fields.get_param("charset")
    return "" if value is None else _parameter(value)


def iso_date(text: str) -> str:
    """Return a date of a header field in ISO 8601; as it is if it cannot be parsed."""
    try:
        return parsedate_to_datetime(text[:200]).isoformat()
    except (ValueError, TypeError, OverflowError, IndexError):
        return text


def _parameter(value: str | tuple[str | None, str | None, str]) -> str:
    try:
        return collapse_rfc2231_value(value)
    except (LookupError, ValueError, TypeError):
        return str(value[2]) if isinstance(value, tuple) else value


def _word(encoding: str, text: str) -> bytes:
    if encoding in "qQ":
        return binascii.a2b_qp(text.encode("utf-8", "replace"), header=True)
    try:
        return b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        return text.encode("utf-8", "replace")


def _text(value: bytes) -> str:
    # Fields have ASCII or, since RFC 6532, UTF-8; anything else is against all standards, and of Western programs.
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("cp1252", "replace")
