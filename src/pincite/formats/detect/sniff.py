"""Which format a file has: its content first, then its media type, then its name."""

import csv
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath

from pincite.formats.detect.decode import HEAD_BYTES, decode, is_binary
from pincite.formats.detect.signature import DAMAGED, KINDS, OLE, OLE_KINDS, Kind, signature
from pincite.registry import FORMATS, Format

_SIGNED = {extension: kind for kind in KINDS for extension in kind.extensions}
_HTML = re.compile(
    r"\s*(?:<!--.*?-->\s*|<\?xml[^>]*>\s*)*<(?:!doctype\s+html|html|head|body|title|meta|link|script|style|table|div|p"
    r"|h[1-6]|ul|ol|dl|a|span|article|section|main|nav|header|form|b|i|em|strong|br|img|font|center|pre)[\s>/]",
    re.IGNORECASE | re.DOTALL,
)
_HEADER = re.compile(
    r"^(?:Return-Path|Received|Delivered-To|Message-ID|MIME-Version|Date|From|To|Subject|Content-Type):", re.IGNORECASE
)
_HEADER_LINES = 3
_ROWS = 20
_LEAST_ROWS = 3


@dataclass(frozen=True, slots=True)
class Sniffed:
    """What a file is.

    Attributes:
        format: Who reads it; None for nobody.
        warning: That its name says something else; empty where it does not.
        problem: Why nobody reads it, and what to do; empty where somebody does.
        damaged: Whether somebody would, were it whole and open.
    """

    format: Format | None
    warning: str = ""
    problem: str = ""
    damaged: bool = False


def detect(name: str, data: bytes, media_type: str = "") -> Format | None:
    """The format that reads a file; None where there is none. See `sniff`."""
    return sniff(name, data, media_type).format


def quick_first(names: Iterable[str]) -> list[str]:
    """The names, those in front that are read in this process; by their names alone, for there may be many."""
    isolated = tuple(extension for row in FORMATS if row.isolated for extension in row.extensions)
    return sorted(names, key=lambda name: name.lower().endswith(isolated))


def sniff(name: str, data: bytes, media_type: str = "") -> Sniffed:
    """Say what a file is and who reads it.

    What the bytes say for certain (a signature, zip members, OLE streams, NUL bytes) outranks everything.
    Of a text, the extension decides, then the media type, then what it looks like; else it is plain text.

    Args:
        name: File name or relative path; letter case of the extension does not count.
        data: All of its bytes.
        media_type: What its sender called it, with or without parameters.
    """
    extension = PurePosixPath(name).suffix.lower()
    kind = signature(data)
    if kind is not None:
        return _signed(extension, kind)
    if is_binary(data[:HEAD_BYTES]):
        return _unsigned(extension)
    return _text(extension, data, media_type)


def _signed(extension: str, kind: Kind) -> Sniffed:
    if kind is OLE and _SIGNED.get(extension) in OLE_KINDS:
        kind = _SIGNED[extension]  # its reader may find what the damage has left
    row = next((found for own in kind.extensions if (found := _by_extension(own))), None)
    if row is None:
        return Sniffed(None, problem=f"It is {kind.name}. {kind.advice}", damaged=kind in DAMAGED)
    own = _by_extension(extension)
    lies = extension not in kind.extensions and (extension in _SIGNED or (own is not None and own is not row))
    return Sniffed(row, f"Its name ends in {extension}, but it is {kind.name}: it was read as that." if lies else "")


def _unsigned(extension: str) -> Sniffed:
    """Bytes that are neither text nor of a known signature: whoever reads that extension may know them."""
    row = _by_extension(extension)
    if row is None or _is_text(row):
        return Sniffed(None, problem="Its content is binary, of no known format.")
    if extension in _SIGNED:
        message = (
            f"Its name ends in {extension}, but it does not begin like {_SIGNED[extension].name}: it may be damaged."
        )
        return Sniffed(None, problem=message, damaged=True)
    return Sniffed(row)


def _text(extension: str, data: bytes, media_type: str) -> Sniffed:
    kind = _SIGNED.get(extension)
    row = _by_extension(extension)
    if row is not None and kind is None:
        return Sniffed(row)
    if kind is not None and not data.strip():
        return Sniffed(None, problem="The file is empty.", damaged=True)
    found = _by_media_type(media_type) or _by_extension(_looks_like(data)) or _by_extension(".txt")
    if kind is None or found is None:
        return Sniffed(found, problem="" if found else "It is text, and there is no reader for that.")
    return Sniffed(found, f"Its name ends in {extension}, but it is no such file: it was read as {found.name}.")


def _looks_like(data: bytes) -> str:
    """The extension that a text without a telling name should have."""
    text, _ = decode(data[:HEAD_BYTES])
    if _HTML.match(text):
        return ".html"
    lines = [line for line in text.splitlines()[: _ROWS + 1] if line.strip()]
    if len(lines) > _ROWS or len(data) > HEAD_BYTES:
        lines.pop()  # it may be cut
    if sum(_HEADER.match(line) is not None for line in lines) >= _HEADER_LINES and _HEADER.match(lines[0]):
        return ".eml"
    return next((extension for mark, extension in _SEPARATORS if _is_grid(lines, mark)), ".txt")


_SEPARATORS = (("\t", ".tsv"), (";", ".csv"), (",", ".csv"))


def _is_grid(lines: list[str], separator: str) -> bool:
    """Whether every line has the same number of columns, two at least."""
    try:
        widths = [len(row) for row in islice(csv.reader(lines, delimiter=separator), _ROWS)]
    except csv.Error:  # a field longer than any table has
        return False
    return len(widths) >= _LEAST_ROWS and len(set(widths)) == 1 and widths[0] > 1


def _by_extension(extension: str) -> Format | None:
    return next((row for row in FORMATS if extension in row.extensions), None)


def _by_media_type(media_type: str) -> Format | None:
    """The text format of a media type; `text/plain` says no more than that it is text."""
    plain = media_type.partition(";")[0].strip().lower()
    rows = (row for row in FORMATS if plain in row.media_types and plain != "text/plain")
    return next((row for row in rows if _is_text(row)), None)


def _is_text(row: Format) -> bool:
    return row.text or row.media_types[0].startswith("text/")
