import pytest

from pincite.formats.detect.decode import COMPOUND
from pincite.formats.detect.signature import KINDS, PDF, PROGRAM, Kind, leading, signature
from support import office
from support.pictures import PNG_HEAD

HEADLESS_PDF = b"%\xe2\xe3\xcf\xd3\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer <</Root 1 0 R>>\nstartxref\n0\n%%EOF\n"

PLAIN_PDF = b"%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer <</Root 1 0 R>>\nstartxref\n9\n%%EOF\n"

MANIFEST = (
    b'<manifest:manifest><manifest:file-entry manifest:full-path="Object 1/" '
    b'manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/><manifest:file-entry '
    b'manifest:media-type="application/vnd.oasis.opendocument.text" manifest:full-path="/"/></manifest:manifest>'
)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (office.docx(), "a Word document"),
        (office.packed({"[Content_Types].xml": office.CONTENT_TYPES, "word/document2.xml": b""}), "a Word document"),
        (office.packed({"xl/sharedStrings.xml": b"", "xl/workbook.bin": b""}), "a binary Excel workbook"),
        (b"junk" + office.xlsx(), None),
        (b"PK\x07\x08" + office.xlsx(), "an Excel workbook"),
        (office.packed({"mimetype": b"application/vnd.oasis.opendocument.text"}), "an OpenDocument text"),
        (office.packed({"mimetype": b"application/vnd.oasis.opendocument.spreadsheet"}), "an OpenDocument spreadsheet"),
        (office.packed({"mimetype": b"application/epub+zip"}), "an EPUB book"),
        (office.packed({"mimetype": b"application/x-other"}), "a zip archive"),
        (office.packed({"a/": b"", "META-INF/manifest.xml": MANIFEST, "content.xml": b""}), "an OpenDocument text"),
        (office.packed({"a/": b"", "META-INF/manifest.xml": b"<manifest/>"}), "a zip archive"),
        (office.packed({"META-INF/container.xml": b"", "mimetype": b"application/epub+zip"}), "an EPUB book"),
        (office.packed({"[content_types].xml": b"", "xl\\styles.xml": b""}), "an Excel workbook"),
        (office.packed({"Word/Document.xml": b""}), "a Word document"),
        (office.packed({"a.txt": b"a", "docs/word/a.xml": b""}), "a zip archive"),
        (office.packed({}), "a zip archive"),
        (office.docx()[:-30], "a zip file whose end is missing"),
        (office.docx()[:5000], "a zip file whose end is missing"),
        (office.ole("WordDocument"), "a Word 97 document"),
        (office.ole("SummaryInformation", "Book"), "an Excel 97 workbook"),
        (office.ole("Workbook", embedded="WordDocument"), "an Excel 97 workbook"),
        (office.ole(*"abcdefghijk", "PowerPoint Document"), "a PowerPoint 97 presentation"),
        (office.ole("__properties_version1.0"), "an Outlook message"),
        (office.ole("EncryptionInfo", "EncryptedPackage"), "an Office document that is protected by a password"),
        (office.ole("x"), "an OLE compound file of no known kind, or a damaged one"),
        (office.ole("WordDocument")[:1000], "an OLE compound file of no known kind, or a damaged one"),
        (office.ole("WordDocument")[:100], "an OLE compound file of no known kind, or a damaged one"),
        (b"%PDF-1.7\n", "a PDF document"),
        (b"\0junk\0" * 100 + b"%PDF-1.7\n", "a PDF document"),
        (b"\0junk\0" * 400 + b"%PDF-1.7\n", None),
        (HEADLESS_PDF, "a PDF document"),
        (b"\xef\xbb\xbf" + PLAIN_PDF, "a PDF document"),
        (b"Content-Type: application/pdf\r\n\r\n" + PLAIN_PDF, "a PDF document"),
        (b"It begins so:\n" + PLAIN_PDF + b"and ends so.", None),
        (b"junk\n" * 300 + PLAIN_PDF, None),
        (b"1 0 obj begins every object of a PDF.", None),
        (b"A PDF begins with %PDF-1.7 and ends with %%EOF.", None),
        (b"%PDF-1.7\n" + office.docx(), "a PDF document"),
        (b"{\\rtf1\\ansi a}", "a rich text document"),
        (PNG_HEAD, "a PNG image"),
        (b"GIF89a\1\0\1\0", "a GIF image"),
        (b"GIF89a is what such a file begins with.", None),
        (b"BM\x36\0\0\0\0\0\0\0", "a BMP image"),
        (b"BMW builds cars", None),
        (b"II*\0\x08\0\0\0", "a TIFF image"),
        (b"RIFF\x24\0\0\0WEBPVP8 ", "a WebP image"),
        (b"\x1f\x8b\x08\0\0\0", "a packed file"),
        ("UTF-16".encode("utf-16"), None),
        (b"", None),
    ],
)
def test_the_bytes_name_their_kind(data: bytes, expected: str | None) -> None:
    kind = signature(data)
    assert (kind and kind.name) == expected


def test_the_directory_of_a_large_compound_file_is_found() -> None:
    """Its second sector is named by a table that is itself named outside the header."""
    names = [*"abcdefghijk", "PowerPoint Document"]
    small = office.ole(*names)
    header, directory = bytearray(small[:512]), small[1024:]
    first = 109 * 128
    header[48:52] = first.to_bytes(4, "little")
    header[68:72] = (1).to_bytes(4, "little")
    more = (0).to_bytes(4, "little") + b"\xff" * 504 + (0xFFFFFFFE).to_bytes(4, "little")
    chain = b"".join((first + 1 + number).to_bytes(4, "little") for number in range(len(directory) // 512))
    sectors = chain.ljust(512, b"\xff") + more
    data = bytes(header) + sectors.ljust(first * 512, b"\0") + directory
    assert signature(data) is next(kind for kind in KINDS if ".ppt" in kind.extensions)


def test_a_directory_that_never_ends_is_left() -> None:
    data = bytearray(office.ole("WordDocument"))
    data[512 + 4 : 512 + 8] = (0).to_bytes(4, "little")  # the directory's first sector follows itself, for ever
    assert signature(bytes(data)) is not None
    data[48:52] = (2**31).to_bytes(4, "little")
    assert signature(bytes(data)) is not None


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"%PDF-1.4 fake content", PDF),
        (b"\x7fELF\x02\x01\x01" + bytes(20), PROGRAM),
        (b"PK\x03\x04" + bytes(30), None),
        (b"PK\x03\x04", None),
        (COMPOUND + bytes(30), None),
        (b"# Plain text", None),
        (b"", None),
    ],
)
def test_the_first_bytes_prove_some_kinds(head: bytes, kind: Kind | None) -> None:
    assert leading(head) is kind
