"""Document properties of a PDF: title, author, dates, language."""

import re
from datetime import UTC, datetime

import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.pdfium import Handle, read_utf16

_KEYS = {
    "title": b"Title",
    "author": b"Author",
    "subject": b"Subject",
    "keywords": b"Keywords",
    "creator": b"Creator",
    "producer": b"Producer",
    "created": b"CreationDate",
    "modified": b"ModDate",
}
_MAX_ENTRY_BYTES = 65_536
"""Length of an entry in UTF-16; longer ones are ignored."""
_DATE = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-]\d\d)'?(\d\d)?)?")
_GENERATED_TITLE = re.compile(
    r"(?:untitled|document\d*|title|.*\.(?:docx?|indd|qxd|pptx?|xlsx?|tex|dvi|pdf|html?|fm|rtf))", re.IGNORECASE
)
"""Titles that programs enter by themselves: defaults, and names of files."""
_PROGRAM_PREFIX = re.compile(r"^Microsoft (?:Word|PowerPoint|Excel) - ")
"""Prefix that Office printing puts before the name of the file."""
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")


def properties(document: Handle) -> dict[str, str]:
    """Return the non-empty entries of the information dictionary; dates as ISO 8601 in UTC."""
    metadata = {name: _entry(document, key) for name, key in _KEYS.items()}
    for name in ("created", "modified"):
        metadata[name] = _date(metadata[name])
    return {name: value for name, value in metadata.items() if value}


def title(metadata: dict[str, str]) -> str | None:
    """Return the title; None for a file name or default title that a program put there."""
    entry = _PROGRAM_PREFIX.sub("", metadata.get("title", ""))
    return None if not any(map(str.isalpha, entry)) or _GENERATED_TITLE.fullmatch(entry) else entry


def language(document: Handle) -> str | None:
    """Return the document's language as a BCP 47 tag; None without a valid one."""
    length = pdfium.FPDFCatalog_GetLanguage(document, None, 0)
    if not 0 < length <= _MAX_ENTRY_BYTES:
        return None
    tag = read_utf16(length, pdfium.FPDFCatalog_GetLanguage, document).strip("\0 ")
    return tag if _LANGUAGE.fullmatch(tag) else None


def _entry(document: Handle, key: bytes) -> str:
    length = pdfium.FPDF_GetMetaText(document, key, None, 0)
    if not 0 < length <= _MAX_ENTRY_BYTES:
        return ""
    return " ".join(read_utf16(length, pdfium.FPDF_GetMetaText, document, key).replace("\0", " ").split())


def _date(text: str) -> str:
    """Convert `D:20230201093000+01'00'` to `2023-02-01T08:30:00Z`; without a zone, or a time, the date has none."""
    match = _DATE.match(text)
    if match is None:
        return ""
    year, month, day, hour, minute, second, utc, hours, minutes = match.groups()
    date = "-".join(part for part in (year, month, day) if part)
    if not (day and hour):
        return date
    local = f"{date}T{hour}:{minute or '00'}:{second or '00'}"
    if utc or not hours:
        return f"{local}{utc or ''}"
    try:
        zoned = datetime.fromisoformat(f"{local}{hours}:{minutes or '00'}")
        return f"{zoned.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    except (ValueError, OverflowError):  # a month of 13, or a year before the first
        return local
