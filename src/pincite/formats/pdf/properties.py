"""Document properties of a PDF: title, author, dates, language, and the labels of its pages."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import pairwise

import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.pdfium import Handle, read_utf16
from pincite.model.call import Call

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
MAX_RUNS = 200
"""Runs of labels listed; the others are only counted."""
_MAX_LABEL_BYTES = 256
"""Length of a label in UTF-16; longer ones are ignored."""
_TRAILING_NUMBER = re.compile(r"(.*?)([0-9]{1,9}|[ivxlcdm]{1,15}|[IVXLCDM]{1,15})")
"""Prefix and number of a label: `12`, `A-12`, `iv`."""
_ROMAN_NUMERALS = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_ROMAN_VALUES = dict(zip("ivxlcdm", (1, 5, 10, 50, 100, 500, 1000), strict=True))


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


def page_labels(document: Handle, pages: int, call: Call) -> str:
    """Return the labels by runs, as `1–4: i–iv, 5–124: 1–120`; empty if they equal the page numbers.

    Args:
        document: pdfium's document.
        pages: Number of pages to read.
        call: Checked for cancellation.
    """
    labels: list[str] = []
    for index in range(pages):
        call.check()
        labels.append(_label(document, index))
    if all(label in ("", str(number)) for number, label in enumerate(labels, 1)):
        return ""
    runs = [_format_run(first, last, labels) for first, last in _runs(labels) if labels[first]]
    overflow = [f"and {len(runs) - MAX_RUNS} more"] if len(runs) > MAX_RUNS else []
    return ", ".join(runs[:MAX_RUNS] + overflow)


def _label(document: Handle, index: int) -> str:
    length = pdfium.FPDF_GetPageLabel(document, index, None, 0)
    if not 0 < length <= _MAX_LABEL_BYTES:
        return ""
    text = read_utf16(length, pdfium.FPDF_GetPageLabel, document, index)
    return " ".join("".join(filter(str.isprintable, text)).split())


def _runs(labels: list[str]) -> Iterator[tuple[int, int]]:
    """Yield first and last index of each run of ascending labels."""
    first = 0
    for index, (one, other) in enumerate(pairwise(labels), 1):
        if other != _next_label(one):
            yield first, index - 1
            first = index
    yield first, len(labels) - 1


def _format_run(first: int, last: int, labels: list[str]) -> str:
    if first == last:
        return f"{first + 1}: {labels[first]}"
    return f"{first + 1}–{last + 1}: {labels[first]}–{labels[last]}"


def _next_label(label: str) -> str:
    """Return the label after one that ends in a number; empty if it does not."""
    match = _TRAILING_NUMBER.fullmatch(label)
    if match is None:
        return ""
    prefix, number = match.groups()
    if number.isdigit():
        return f"{prefix}{int(number) + 1}"
    numeral = _roman(_roman_value(number.lower()) + 1)
    return prefix + (numeral if number.islower() else numeral.upper())


def _roman_value(numeral: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in numeral]
    # A digit before a larger one is subtracted: iv is 4.
    return sum(-one if one < other else one for one, other in pairwise([*values, 0]))


def _roman(value: int) -> str:
    return "".join(_roman_digits(value))


def _roman_digits(value: int) -> Iterable[str]:
    for digit_value, digit in _ROMAN_NUMERALS:
        yield digit * (value // digit_value)
        value %= digit_value
