"""Detect the format of a file by its content first, then its name, then its media type."""

import csv
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath

from pincite.formats.detect.decode import HEAD_BYTES, decode, is_binary
from pincite.formats.detect.signature import DAMAGED, KINDS, OLE, OLE_KINDS, Kind, signature
from pincite.registry import FORMATS, Format

_KIND_BY_EXTENSION = {extension: kind for kind in KINDS for extension in kind.extensions}
_HTML = re.compile(
    r"\s*(?:<!--.*?-->\s*|<\?xml[^>]*>\s*)*<(?:!doctype\s+html|html|head|body|title|meta|link|script|style|table|div|p"
    r"|h[1-6]|ul|ol|dl|a|span|article|section|main|nav|header|form|b|i|em|strong|br|img|font|center|pre)[\s>/]",
    re.IGNORECASE | re.DOTALL,
)
_MAIL_HEADER = re.compile(
    r"^(?:Return-Path|Received|Delivered-To|Message-ID|MIME-Version|Date|From|To|Subject|Content-Type):", re.IGNORECASE
)
_MIN_MAIL_HEADERS = 3
"""Header lines from which a text is an e-mail: a note may begin with one `Subject:` or `Date:`."""
_MAX_GRID_ROWS = 20
"""Lines whose number of columns is compared."""
_MIN_GRID_ROWS = 3
"""Fewer lines may have the same number of commas by chance."""


@dataclass(frozen=True, slots=True)
class Sniffed:
    """The detected format of a file, or why there is none.

    Attributes:
        format: The format that reads it; None if none does.
        warning: A warning that its name contradicts its content; empty if it does not.
        problem: Why no format reads it, and what to do; empty if one does.
        damaged: True if a format would read it, were it complete and not encrypted.
    """

    format: Format | None
    warning: str = ""
    problem: str = ""
    damaged: bool = False


def detect(name: str, data: bytes, media_type: str = "") -> Format | None:
    """Return the format that reads a file, or None. See `sniff`."""
    return sniff(name, data, media_type).format


def quick_first(names: Iterable[str]) -> list[str]:
    """Sort names so that formats read in this process come first; by extension, as there may be many files."""
    isolated = tuple(extension for row in FORMATS if row.isolated for extension in row.extensions)
    return sorted(names, key=lambda name: name.lower().endswith(isolated))


def sniff(name: str, data: bytes, media_type: str = "") -> Sniffed:
    """Detect the format of a file.

    Proof in the bytes (a signature, zip members, OLE streams, NUL bytes) outranks everything. For text, the extension
    decides, then the media type, then the pattern of its first lines; otherwise it is plain text.

    Args:
        name: File name or relative path; the extension's letter case is ignored.
        data: All of its bytes.
        media_type: The media type that its sender declared, with or without parameters.
    """
    extension = PurePosixPath(name).suffix.lower()
    kind = signature(data)
    if kind is not None:
        return _signed(extension, kind)
    if is_binary(data[:HEAD_BYTES]):
        return _unsigned(extension)
    return _text(extension, data, media_type)


def _signed(extension: str, kind: Kind) -> Sniffed:
    # A damaged directory hides which kind of compound file it is; the extension is the only other evidence.
    if kind is OLE and _KIND_BY_EXTENSION.get(extension) in OLE_KINDS:
        kind = _KIND_BY_EXTENSION[extension]  # its reader may recover what the damage left
    # The registry may have readers for some extensions of a kind only.
    row = next((known for known_extension in kind.extensions if (known := _by_extension(known_extension))), None)
    if row is None:
        return Sniffed(None, problem=f"It is {kind.name}. {kind.advice}", damaged=kind in DAMAGED)
    row_by_name = _by_extension(extension)
    is_other_kind = extension in _KIND_BY_EXTENSION or (row_by_name is not None and row_by_name is not row)
    is_misnamed = extension not in kind.extensions and is_other_kind
    warning = f"Its name ends in {extension}, but it is {kind.name}: it was read as that." if is_misnamed else ""
    return Sniffed(row, warning)


def _unsigned(extension: str) -> Sniffed:
    """Binary files without a known signature: only the reader of their extension may know them."""
    row = _by_extension(extension)
    if row is None or _is_text(row):
        return Sniffed(None, problem="Its content is binary, of no known format.")
    kind = _KIND_BY_EXTENSION.get(extension)
    if kind is not None:
        message = f"Its name ends in {extension}, but it does not begin like {kind.name}: it may be damaged."
        return Sniffed(None, problem=message, damaged=True)
    return Sniffed(row)


def _text(extension: str, data: bytes, media_type: str) -> Sniffed:
    kind = _KIND_BY_EXTENSION.get(extension)
    row = _by_extension(extension)
    if row is not None and kind is None:
        return Sniffed(row)
    if kind is not None and not data.strip():
        return Sniffed(None, problem="The file is empty.", damaged=True)
    fallback = _by_media_type(media_type) or _by_extension(_looks_like(data)) or _by_extension(".txt")
    if kind is None or fallback is None:
        return Sniffed(fallback, problem="" if fallback else "It is text, and there is no reader for that.")
    return Sniffed(fallback, f"Its name ends in {extension}, but it is no such file: it was read as {fallback.name}.")


def _looks_like(data: bytes) -> str:
    """Return the usual extension of a text's format, by the pattern of its first lines."""
    text = decode(data[:HEAD_BYTES]).text
    if _HTML.match(text):
        return ".html"
    lines = [line for line in text.splitlines()[: _MAX_GRID_ROWS + 1] if line.strip()]
    if len(lines) > _MAX_GRID_ROWS or len(data) > HEAD_BYTES:
        lines.pop()  # the last line may be cut
    mail_headers = sum(_MAIL_HEADER.match(line) is not None for line in lines)
    if mail_headers >= _MIN_MAIL_HEADERS and _MAIL_HEADER.match(lines[0]):
        return ".eml"
    return next((extension for mark, extension in _SEPARATORS if _is_grid(lines, mark)), ".txt")


# Commas last, as prose has them, too.
_SEPARATORS = (("\t", ".tsv"), (";", ".csv"), (",", ".csv"))


def _is_grid(lines: list[str], separator: str) -> bool:
    """Return True if every line has the same number of columns, at least two."""
    try:
        widths = [len(row) for row in islice(csv.reader(lines, delimiter=separator), _MAX_GRID_ROWS)]
    except csv.Error:  # a field over the size limit, longer than any in a table
        return False
    return len(widths) >= _MIN_GRID_ROWS and len(set(widths)) == 1 and widths[0] > 1


def _by_extension(extension: str) -> Format | None:
    return next((row for row in FORMATS if extension in row.extensions), None)


def _by_media_type(media_type: str) -> Format | None:
    """The text format of a media type; `text/plain` identifies none, as senders use it for all text."""
    plain = media_type.partition(";")[0].strip().lower()
    rows = (row for row in FORMATS if plain in row.media_types and plain != "text/plain")
    return next((row for row in rows if _is_text(row)), None)


def _is_text(row: Format) -> bool:
    return row.text or row.media_types[0].startswith("text/")
