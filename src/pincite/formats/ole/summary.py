"""Document properties of a compound file ([MS-OLEPS] 2.18: the streams of summary information)."""

import codecs
import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from struct import unpack_from

from pincite.formats.ole.compound import CompoundFile
from pincite.formats.writing.page_writer import one_line

_SUMMARY, _DOCUMENT_SUMMARY = "\x05SummaryInformation", "\x05DocumentSummaryInformation"
_NAMES = {
    _SUMMARY: {
        2: "title",
        3: "subject",
        4: "author",
        5: "keywords",
        6: "description",
        8: "last modified by",
        12: "created",
        13: "modified",
        18: "application",
    },
    _DOCUMENT_SUMMARY: {2: "category", 14: "manager", 15: "company"},
}
_CODE_PAGE = 1
_STRING, _WIDE_STRING, _TIME = 0x1E, 0x1F, 0x40
_UTF_16, _UTF_8, _MAC_ROMAN = 1200, 65001, 10000
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_MAX_PROPERTIES = 200
_MAX_BYTES = 4096
"""Maximum size of a value that is read: no title is longer."""


def properties(file: CompoundFile) -> dict[str, str]:
    """Return the properties that are not empty, named as in newer formats; damaged ones are skipped."""
    values: dict[str, str] = {}
    for stream, names in _NAMES.items():
        data = file.stream(stream) or b""
        for identity, text in _values(data):
            name, line = names.get(identity, ""), one_line(text.replace("\0", " "))
            if name and line:
                values.setdefault(name, line)
    return values


def _values(data: bytes) -> Iterator[tuple[int, str]]:
    """Yield identity and text of each property in the first set of a stream."""
    try:
        start = unpack_from("<I", data, 44)[0]
        count = min(unpack_from("<I", data, start + 4)[0], _MAX_PROPERTIES)
        offsets = [unpack_from("<II", data, start + 8 + 8 * index) for index in range(count)]
    except struct.error:
        return
    code_page = next((_short(data, start + at + 4) for identity, at in offsets if identity == _CODE_PAGE), 1252)
    for identity, at in offsets:
        try:
            yield identity, _text(data, start + at, code_page)
        except (struct.error, OverflowError):
            continue


def _short(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 2], "little")


def _text(data: bytes, at: int, code_page: int) -> str:
    kind, value = unpack_from("<II", data, at)
    if kind == _TIME:
        ticks = unpack_from("<Q", data, at + 4)[0]
        # Zero and one of 1601 are Word's "not set".
        moment = _EPOCH + timedelta(microseconds=ticks // 10)
        return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment.year > _EPOCH.year else ""
    if kind == _WIDE_STRING:
        return data[at + 8 : at + 8 + min(2 * value, _MAX_BYTES)].decode("utf-16-le", "replace")
    if kind != _STRING:
        return ""
    return data[at + 8 : at + 8 + min(value, _MAX_BYTES)].decode(encoding(code_page), "replace")


def encoding(code_page: int) -> str:
    """Return the name of a Windows code page's encoding; Windows-1252 for an unknown one."""
    known = {_UTF_16: "utf-16-le", _UTF_8: "utf-8", _MAC_ROMAN: "mac_roman"}
    name = known.get(code_page, f"cp{code_page}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "cp1252"
