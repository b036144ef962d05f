"""The kind of a file by its signature: magic numbers, zip members, OLE streams."""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from struct import Struct, unpack_from

from pincite.formats.detect.decode import COMPOUND, HEAD_BYTES, is_binary

FIRST_RESERVED = 0xFFFFFFFA
"""In an OLE compound file, numbers from here on are reserved and refer to no sector."""

PDF_JUNK = 1024
"""Maximum bytes before `%PDF-` (ISO 32000-2, note in 7.5.2: readers accept that many)."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file with a known signature.

    Attributes:
        name: Its name with an article, for use in a sentence.
        extensions: The extensions of its files; none for kinds that no reader can support.
        advice: What to do with a file that no reader supports.
    """

    name: str
    extensions: tuple[str, ...] = ()
    advice: str = "There is no reader for it."


PDF = Kind("a PDF document", (".pdf",))
DOCX = Kind("a Word document", (".docx", ".docm", ".dotx", ".dotm"))
XLSX = Kind("an Excel workbook", (".xlsx", ".xlsm", ".xltx", ".xltm"))
XLSB = Kind("a binary Excel workbook", (".xlsb",), "Save it as .xlsx.")
PPTX = Kind("a PowerPoint presentation", (".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm"))
VSDX = Kind("a Visio drawing", (".vsdx",), "Save it as PDF.")
ODT = Kind("an OpenDocument text", (".odt", ".ott"), "Save it as .docx.")
ODS = Kind("an OpenDocument spreadsheet", (".ods", ".ots"), "Save it as .xlsx.")
ODP = Kind("an OpenDocument presentation", (".odp", ".otp"), "Save it as .pptx.")
EPUB = Kind("an EPUB book", (".epub",))
ZIP = Kind("a zip archive", (".zip",), "Unpack it and use the files in it.")
BROKEN_ZIP = Kind("a zip file whose end is missing", (), "It is damaged: fetch or save it again.")
DOC = Kind("a Word 97 document", (".doc", ".dot"), "Save it as .docx.")
XLS = Kind("an Excel 97 workbook", (".xls", ".xlt"), "Save it as .xlsx.")
PPT = Kind("a PowerPoint 97 presentation", (".ppt", ".pps", ".pot"), "Save it as .pptx.")
MSG = Kind("an Outlook message", (".msg",))
VSD = Kind("a Visio 2003 drawing", (".vsd",), "Save it as PDF.")
LOCKED = Kind("an Office document that is protected by a password", (), "Take the password away and save it again.")
OLE = Kind("an OLE compound file of no known kind, or a damaged one", (), "Save it again in its program.")
RTF = Kind("a rich text document", (".rtf",), "Save it as .docx.")
PNG = Kind("a PNG image", (".png",))
JPEG = Kind("a JPEG image", (".jpg", ".jpeg", ".jpe"))
GIF = Kind("a GIF image", (".gif",))
TIFF = Kind("a TIFF image", (".tif", ".tiff"))
WEBP = Kind("a WebP image", (".webp",))
BMP = Kind("a BMP image", (".bmp",))
HEIC = Kind("a HEIC image", (".heic", ".heif"), "Save it as JPEG.")
PACKED = Kind("a packed file", (".gz", ".tgz", ".bz2", ".xz", ".zst", ".7z", ".rar"), "Unpack it first.")
TAR = Kind("a tar archive", (".tar",), "Unpack it and use the files in it.")
MEDIA = Kind("audio or video", (".mp3", ".mp4", ".m4a", ".mov", ".wav", ".ogg", ".flac", ".avi", ".mkv"))
PROGRAM = Kind("a program", (".exe", ".dll", ".so", ".wasm", ".class"))
DATABASE = Kind("an SQLite database", (".sqlite", ".sqlite3", ".db"))
FONT = Kind("a font", (".woff", ".woff2", ".ttf", ".otf"))
PARQUET = Kind("a Parquet file", (".parquet",), "Save it as CSV.")

DAMAGED = (BROKEN_ZIP, LOCKED)
"""Kinds of files that a reader would support if they were complete and not encrypted."""

OLE_KINDS = (DOC, XLS, PPT, MSG, VSD)

KINDS = (
    *(PDF, DOCX, XLSX, XLSB, PPTX, VSDX, ODT, ODS, ODP, EPUB, ZIP, DOC, XLS, PPT, MSG, VSD, RTF),
    *(PNG, JPEG, GIF, TIFF, WEBP, BMP, HEIC, PACKED, TAR, MEDIA, PROGRAM, DATABASE, FONT, PARQUET),
)

# Specific signatures precede general ones (`ftypheic`, `ftyp`).
_MAGIC: tuple[tuple[int, bytes, Kind], ...] = (
    (0, b"%PDF-", PDF),
    (0, b"{\\rtf", RTF),
    (0, b"\x89PNG\r\n\x1a\n", PNG),
    (0, b"\xff\xd8\xff", JPEG),
    (0, b"II*\0", TIFF),
    (0, b"MM\0*", TIFF),
    (8, b"WEBP", WEBP),
    (8, b"WAVE", MEDIA),
    (8, b"AVI ", MEDIA),
    (4, b"ftypheic", HEIC),
    (4, b"ftypmif1", HEIC),
    (4, b"ftyp", MEDIA),
    (0, b"GIF87a", GIF),
    (0, b"GIF89a", GIF),
    (0, b"\x1f\x8b", PACKED),
    (0, b"BZh", PACKED),
    (0, b"\xfd7zXZ\0", PACKED),
    (0, b"\x28\xb5\x2f\xfd", PACKED),
    (0, b"7z\xbc\xaf\x27\x1c", PACKED),
    (0, b"Rar!\x1a\x07", PACKED),
    (257, b"ustar", TAR),
    (0, b"\x7fELF", PROGRAM),
    (0, b"MZ", PROGRAM),
    (0, b"\0asm", PROGRAM),
    (0, b"\xca\xfe\xba\xbe", PROGRAM),
    (0, b"SQLite format 3\0", DATABASE),
    (0, b"ID3", MEDIA),
    (0, b"OggS", MEDIA),
    (0, b"fLaC", MEDIA),
    (0, b"\x1aE\xdf\xa3", MEDIA),
    (0, b"wOFF", FONT),
    (0, b"wOF2", FONT),
    (0, b"OTTO\0", FONT),
    (0, b"\0\1\0\0\0", FONT),
    (0, b"PAR1", PARQUET),
)
_HEADLESS_PDF = re.compile(rb"(?:\s|%[^\r\n]{0,200}[\r\n]){0,20}\d{1,9}\s{1,3}\d{1,5}\s{1,3}obj\b")
_PREFACED_PDF = re.compile(rb"(?:\A\xef\xbb\xbf|[\r\n])%PDF-\d")
"""The `%PDF-` line of a file with something before it: a byte order mark, the headers of a download."""
_PDF_END = b"%%EOF"
_HEADER_BYTES = 16
"""A NUL among these first bytes belongs to a binary header, however few NULs follow."""
_TEXT_LIKE_KINDS = (PDF, RTF)
"""Kinds whose signature counts even in a file that could be text. Prose may begin like the others ("MZ", "GIF89a")."""


def is_headless_pdf(data: bytes) -> bool:
    """Return True for a PDF without its `%PDF-` line: it begins with an object and ends as a PDF does."""
    return _HEADLESS_PDF.match(data) is not None and _PDF_END in data[-PDF_JUNK:]


def is_prefaced_pdf(data: bytes) -> bool:
    """Return True for a PDF behind up to `PDF_JUNK` bytes of text; nothing but white space may follow its end.

    A text about PDF files may quote a whole one, but has a sentence after it.
    """
    head = data[: PDF_JUNK + 6]
    # The pattern alone takes 6 µs a text file, a sixth of finding out its format.
    if b"%PDF-" not in head or _PREFACED_PDF.search(head) is None:
        return False
    return data[-PDF_JUNK:].rstrip().endswith(_PDF_END)


def signature(data: bytes) -> Kind | None:
    """Return the kind of a file from all of its bytes; None for text and for unknown signatures.

    A polyglot file has the kind of the signature that comes first.
    """
    if data.startswith((b"PK\3\4", b"PK\5\6", b"PK\7\x08")):
        return _zip(data)
    if data.startswith(COMPOUND):
        return _ole(data)
    # Two letters are a weak signature; the four reserved bytes of a BMP header are zero.
    if data.startswith(b"BM") and data[6:10] == bytes(4):
        return BMP
    candidate = next((kind for offset, magic, kind in _MAGIC if data.startswith(magic, offset)), None)
    # Prose may begin like a signature: a file that could be text needs stronger evidence, see the last line.
    binary = is_binary(data[:HEAD_BYTES])
    if candidate is None:
        is_pdf = is_headless_pdf(data) or is_prefaced_pdf(data) or (binary and b"%PDF-" in data[: PDF_JUNK + 5])
        return PDF if is_pdf else None
    return candidate if binary or candidate in _TEXT_LIKE_KINDS or b"\0" in data[:_HEADER_BYTES] else None


def leading(head: bytes) -> Kind | None:
    """Return the kind of a file that its first bytes prove, up to `HEAD_BYTES`.

    None for text, unknown signatures, and zip and compound files: only the rest tells which kind of those they are.
    """
    return None if head.startswith((b"PK", COMPOUND)) else signature(head)


_END_OF_DIRECTORY = b"PK\5\6"
_END_RECORD_BYTES = 22
_MAX_END_BYTES = _END_RECORD_BYTES + 65_535
"""The end record and its longest comment (APPNOTE 4.3.16)."""
_ENTRY = Struct("<4s24xHHH12x")
_MAX_ENTRIES = 5_000
"""Entries of a zip's directory, or sectors of a compound file, to examine: the identifying ones are among the first,
and a hostile file may chain them in a circle."""

_MIMETYPES: tuple[tuple[bytes, Kind], ...] = (
    (b"application/vnd.oasis.opendocument.text", ODT),
    (b"application/vnd.oasis.opendocument.spreadsheet", ODS),
    (b"application/vnd.oasis.opendocument.presentation", ODP),
    (b"application/epub+zip", EPUB),
)
_MANIFEST, _MAX_MANIFEST_BYTES = "META-INF/manifest.xml", 1 << 16
_MANIFEST_ENTRY = re.compile(rb"<[\w:]{1,20}file-entry\b[^>]{0,500}>")
"""An entry of a package's manifest (OpenDocument 1.3, part 2, 4.3); the document's own path is `/`."""

# By priority: `xl/workbook.bin` tells a binary workbook from the other kind.
_PARTS: tuple[tuple[bytes, Kind], ...] = (
    (b"word/", DOCX),
    (b"xl/workbook.bin", XLSB),
    (b"xl/", XLSX),
    (b"ppt/", PPTX),
    (b"visio/", VSDX),
    (b"meta-inf/container.xml", EPUB),
)


def _zip(data: bytes) -> Kind:
    end = data.rfind(_END_OF_DIRECTORY, -_MAX_END_BYTES)
    if end < 0 or end + _END_RECORD_BYTES > len(data):
        return BROKEN_ZIP
    # OpenDocument and EPUB name their type in an uncompressed first part.
    if data[30:38] == b"mimetype":
        start = 38 + unpack_from("<H", data, 28)[0]
        declared = next((kind for mime, kind in _MIMETYPES if data.startswith(mime, start)), None)
        if declared is not None:
            return declared
    names = list(_members(data, end))
    kinds = {kind for name in names for kind in _kind_of_part(name)}
    kind = next((kind for _, kind in _PARTS if kind in kinds), None)
    return kind or (_repacked_kind(data) if _MANIFEST.encode() in names and len(names) < _MAX_ENTRIES else ZIP)


def _kind_of_part(name: bytes) -> Iterator[Kind]:
    # Names of parts have no letter case (ECMA-376 part 2), and some programs write them as paths of Windows.
    name = name.replace(b"\\", b"/").lower()
    kind = next((kind for prefix, kind in _PARTS if name.startswith(prefix)), None)
    if kind is not None:
        yield kind


def _repacked_kind(data: bytes) -> Kind:
    """Return the kind of an OpenDocument file that was packed as any zip archive is, its type somewhere within."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open(_MANIFEST) as part:
            manifest = part.read(_MAX_MANIFEST_BYTES)
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, RuntimeError, OSError, ValueError):
        return ZIP
    entries = (entry for entry in _MANIFEST_ENTRY.findall(manifest) if b'full-path="/"' in entry)
    return next((kind for entry in entries for mime, kind in _MIMETYPES if b'"' + mime in entry), ZIP)


def _members(data: bytes, end: int) -> Iterator[bytes]:
    """The names in a zip's central directory, which ends at the start `end` of the end record."""
    size, offset = unpack_from("<II", data, end + 12)
    # Data before an archive shifts all offsets in the end record, but not the size of the directory.
    at = end - size if 0 < size <= end else offset
    for _ in range(_MAX_ENTRIES):
        if at < 0 or at + 46 > end:
            return
        mark, name, extra, comment = _ENTRY.unpack_from(data, at)
        if mark != b"PK\1\2":
            return
        yield data[at + 46 : at + 46 + name]
        at += 46 + name + extra + comment


# By priority: a workbook of Excel 97 may have a stream for Excel 95, `Book`, too.
_STREAMS: tuple[tuple[str, Kind], ...] = (
    ("EncryptedPackage", LOCKED),
    ("WordDocument", DOC),
    ("PowerPoint Document", PPT),
    ("Workbook", XLS),
    ("Book", XLS),
    ("__properties_version1.0", MSG),
    ("VisioDocument", VSD),
)
_ENTRY_BYTES = 128
"""Size of a directory entry ([MS-CFB] 2.6.1)."""


def _ole(data: bytes) -> Kind:
    names = set(_streams(data))
    return next((kind for name, kind in _STREAMS if name in names), OLE)


def _streams(data: bytes) -> Iterator[str]:
    """Names directly below the root of a compound file ([MS-CFB] 2.6); streams of embedded objects are deeper."""
    entries = _directory(data)
    pending = [_links(entries, 0)[2]]
    visited: set[int] = set()
    while pending:
        number = pending.pop()
        if number in visited or number * _ENTRY_BYTES >= len(entries):
            continue
        visited.add(number)
        at = number * _ENTRY_BYTES
        length = max(0, unpack_from("<H", entries, at + 64)[0] - 2)
        yield entries[at : at + min(length, 62)].decode("utf-16-le", "replace")
        pending += _links(entries, number)[:2]


def _links(entries: bytes, number: int) -> tuple[int, int, int]:
    """The numbers of the left sibling, the right sibling and the child of a directory entry."""
    at = number * _ENTRY_BYTES + 68
    return (
        unpack_from("<III", entries, at)
        if at + 12 <= len(entries)
        else (FIRST_RESERVED, FIRST_RESERVED, FIRST_RESERVED)
    )


def _directory(data: bytes) -> bytes:
    """The bytes of the directory, whose sectors form a chain in the sector allocation table."""
    if len(data) < 512:  # noqa: PLR2004 - the header's own size
        return b""
    # The sector size is a power of two; clamped, as a damaged header may state any.
    size = 1 << max(7, min(unpack_from("<H", data, 30)[0], 16))
    tables = _allocation_sectors(data, size)
    sector: int = unpack_from("<I", data, 48)[0]
    sectors: list[bytes] = []
    while sector < FIRST_RESERVED and len(sectors) < _MAX_ENTRIES:
        start = (sector + 1) * size
        sectors.append(data[start : start + size])
        table, index = divmod(sector, size // 4)
        at = (tables[table] + 1) * size + 4 * index if table < len(tables) else len(data)
        sector = unpack_from("<I", data, at)[0] if at + 4 <= len(data) else FIRST_RESERVED
    whole = b"".join(sectors)
    return whole[: len(whole) // _ENTRY_BYTES * _ENTRY_BYTES]


def _allocation_sectors(data: bytes, size: int) -> list[int]:
    """The sectors of the sector allocation table: the header lists 109, a chain of sectors the others."""
    tables: list[int] = list(unpack_from("<109I", data, 76))
    sector: int = unpack_from("<I", data, 68)[0]
    for _ in range(_MAX_ENTRIES):
        body = data[(sector + 1) * size : (sector + 2) * size]
        if sector >= FIRST_RESERVED or len(body) < size:
            break
        *further, sector = unpack_from(f"<{size // 4}I", body)
        tables += further
    return tables
