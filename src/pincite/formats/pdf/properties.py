"""What a PDF says of itself: title, author, dates, language."""

import re

import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.page import Handle
from pincite.formats.pdf.page.pdfium import read_utf16

_NAMES = {
    "title": b"Title",
    "author": b"Author",
    "subject": b"Subject",
    "keywords": b"Keywords",
    "creator": b"Creator",
    "producer": b"Producer",
    "created": b"CreationDate",
    "modified": b"ModDate",
}
_LONGEST = 65_536
_DATE = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?")
_NO_TITLE = re.compile(
    r"(?:untitled|document\d*|title|.*\.(?:docx?|indd|qxd|pptx?|xlsx?|tex|dvi|pdf|html?|fm|rtf))", re.IGNORECASE
)
_PROGRAM = re.compile(r"^Microsoft (?:Word|PowerPoint|Excel) - ")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")


def properties(document: Handle) -> dict[str, str]:
    """The entries of its information dictionary that have a value; dates as ISO 8601."""
    metadata = {name: _entry(document, key) for name, key in _NAMES.items()}
    for name in ("created", "modified"):
        metadata[name] = _date(metadata[name])
    return {name: value for name, value in metadata.items() if value}


def title(metadata: dict[str, str]) -> str | None:
    """The title that a person gave it; None where a program put the file's name there."""
    own = _PROGRAM.sub("", metadata.get("title", ""))
    return None if not any(map(str.isalpha, own)) or _NO_TITLE.fullmatch(own) else own


def language(document: Handle) -> str | None:
    """The language that the document names, as a BCP 47 tag."""
    length = pdfium.FPDFCatalog_GetLanguage(document, None, 0)
    if not 0 < length <= _LONGEST:
        return None
    tag = read_utf16(length, pdfium.FPDFCatalog_GetLanguage, document).strip("\0 ")
    return tag if _LANGUAGE.fullmatch(tag) else None


def _entry(document: Handle, key: bytes) -> str:
    length = pdfium.FPDF_GetMetaText(document, key, None, 0)
    if not 0 < length <= _LONGEST:
        return ""
    return " ".join(read_utf16(length, pdfium.FPDF_GetMetaText, document, key).replace("\0", " ").split())


def _date(text: str) -> str:
    """`D:20230201093000+01'00'` as `2023-02-01T09:30:00`; without a time where it has none."""
    found = _DATE.match(text)
    if found is None:
        return ""
    year, month, day, hour, minute, second = found.groups()
    date = "-".join(part for part in (year, month, day) if part)
    return f"{date}T{hour}:{minute or '00'}:{second or '00'}" if day and hour else date
