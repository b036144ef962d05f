from pathlib import Path

import pytest

from pincite.formats.detect import sniff as sniffing
from pincite.formats.detect.signature import KINDS, signature
from pincite.formats.detect.sniff import detect, sniff
from pincite.registry import FORMATS, Format
from support import office
from support.pictures import PNG_HEAD

ROWS = (
    *(row for row in FORMATS if row.name in {"markdown", "text"}),
    *(
        Format(name, extensions, (media_type,), "nowhere:read", text=text)
        for name, extensions, media_type, text in (
            ("pdf", (".pdf",), "application/pdf", False),
            ("docx", (".docx",), "application/vnd.openxmlformats-officedocument.wordprocessingml.document", False),
            ("pptx", (".pptx",), "application/vnd.openxmlformats-officedocument.presentationml.presentation", False),
            ("xlsx", (".xlsx", ".xls"), "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", False),
            ("html", (".html", ".htm"), "text/html", True),
            ("csv", (".csv", ".tsv"), "text/csv", True),
            ("email", (".eml",), "message/rfc822", True),
            ("image", (".png", ".jpg", ".jpeg"), "image/png", False),
            ("ini", (".ini",), "application/x-ini", False),
        )
    ),
)


JPEG = b"\xff\xd8\xff\xe0" + bytes(20)


@pytest.fixture(autouse=True)
def readers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows for the formats that the tests name, whether their readers are there or not."""
    monkeypatch.setattr(sniffing, "FORMATS", ROWS)


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("guide/setup.md", b"# Setup", "markdown"),
        ("README.MD", b"", "markdown"),
        ("page.mdx", b"import X from 'x'", "markdown"),
        ("page.markdown", b"\xff\xfe#\0 \0a\0", "markdown"),
        ("notes.txt", b"notes", "text"),
        ("a.b/notes.text", b"notes", "text"),
        ("page.md", b"<html><body>a page</body></html>", "markdown"),
        ("setup.md", b"PK\x03\x04", None),
        ("setup.txt", b"a\0b", "text"),
        ("setup.txt", b"\0a\0\0\0b", None),
        ("setup.ini", b"\0a\0\0\0b", "ini"),
        ("Makefile", b"all:", "text"),
        (".md", b"# a name, not an extension", "text"),
        ("setup.md.bak", b"# Setup", "text"),
        ("", b"", "text"),
        ("report.docx", b" \n", None),
        ("noise.txt", bytes(range(256)) * 40, None),
        ("noise.csv", bytes(range(256)) * 40, None),
        ("noise.docx", bytes(range(1, 256)) * 40, None),
    ],
)
def test_bytes_outrank_the_extension_and_its_case_does_not_count(name: str, data: bytes, expected: str | None) -> None:
    found = detect(name, data)
    assert (found and found.name) == expected


@pytest.mark.parametrize(
    ("name", "data", "expected", "said"),
    [
        ("a.pdf", office.docx(), "docx", "it is a Word document"),
        ("a.csv", office.xlsx(), "xlsx", "it is an Excel workbook"),
        ("a.docx", office.pptx(), "pptx", "it is a PowerPoint presentation"),
        ("a.png", JPEG, "image", "it is a JPEG image"),
        ("a.md", b"%PDF-1.7\n", "pdf", "it is a PDF document"),
        ("a.xls", b"<html><table><tr><td>1</td></tr></table></html>", "html", "it was read as html"),
        ("a.xlsx", b"a;b\n1;2\n3;4\n", "csv", "it was read as csv"),
        ("a.pdf", b"The page was not found.", "text", "it was read as text"),
        ("a.docx", office.ole("Workbook"), "xlsx", "it is an Excel 97 workbook"),
    ],
)
def test_a_file_with_a_lying_name_is_read_as_what_it_is_and_that_is_said(
    name: str, data: bytes, expected: str, said: str
) -> None:
    found = sniff(name, data)
    assert found.format is not None and found.format.name == expected
    assert f"Its name ends in .{name[2:]}" in found.warning and said in found.warning


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.docx", office.docx()),
        ("a.docm", office.docx()),
        ("a.JPEG", JPEG),
        ("a", office.xlsx()),
        ("a.download", office.pptx()),
        ("a.xls", office.ole("Workbook")),
        ("a.md", b"text"),
        ("a.png", PNG_HEAD),
    ],
)
def test_a_name_that_fits_or_says_nothing_is_no_lie(name: str, data: bytes) -> None:
    found = sniff(name, data)
    assert found.format is not None
    assert found.warning == ""


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"<!DOCTYPE html>\n<title>a</title>", "html"),
        (b"<?xml version='1.0'?><!-- made --><html xmlns='x'>", "html"),
        (b"\n  <div class='x'>a fragment</div>", "html"),
        ("<p>a fragment in UTF-16</p>".encode("utf-16-le"), "html"),
        (b"<note><to>a</to></note>", "text"),
        (b'name,quantity\nbolt,3\n"nut, small",5\n', "csv"),
        (b"name\tquantity\nbolt\t3\nnut\t5\n" * 500, "csv"),
        (b"One, two, three.\nFour.\nFive, six.\n", "text"),
        (b'a,"b\n' * 3 + b'"' + b"c" * 200_000, "text"),
        (b"Received: by x\nFrom: a@example.com\nTo: b@example.com\nSubject: keys\n\nHello\n", "email"),
        (b"Date: today\nThis is a diary, not a message.\nTo: be continued.\n", "text"),
    ],
)
def test_a_text_without_a_telling_name_is_told_by_its_look(data: bytes, expected: str) -> None:
    found = detect("fragment", data)
    assert found is not None and found.name == expected


@pytest.mark.parametrize(
    ("media_type", "expected"),
    [
        ("text/html; charset=utf-8", "html"),
        ("TEXT/CSV", "csv"),
        ("text/plain", "text"),
        ("application/octet-stream", "text"),
        ("application/pdf", "text"),
        ("", "text"),
    ],
)
def test_the_media_type_counts_where_content_and_name_say_nothing(media_type: str, expected: str) -> None:
    found = detect("download", b"nothing in particular", media_type)
    assert found is not None and found.name == expected
    assert detect("download", office.docx(), media_type) is next(row for row in ROWS if row.name == "docx")
    assert detect("a.md", b"# A", media_type) is FORMATS[0]


def test_what_is_read_here_comes_first_and_keeps_its_order() -> None:
    names = ["b.docx", "c.md", "a.PDF", "b.txt", "a.md", "none"]
    assert sniffing.quick_first(names) == ["c.md", "b.txt", "a.md", "none", "b.docx", "a.PDF"]


def test_kinds_share_no_extension() -> None:
    extensions = [extension for kind in KINDS for extension in kind.extensions]
    assert len(set(extensions)) == len(extensions)


def test_a_text_with_a_nul_is_read_by_its_name() -> None:
    assert sniff("a.md", b"# A\0B\n").format is sniff("a.md", b"# A\n").format


@pytest.mark.data
def test_every_file_of_the_shared_data_is_what_its_name_says(data: Path) -> None:
    signed = {extension: kind for kind in KINDS for extension in kind.extensions}
    readable = {extension for row in ROWS for extension in row.extensions}
    wrong: list[str] = []
    for path in (path for path in data.rglob("*") if path.is_file()):
        content = path.read_bytes()
        found = sniff(path.name, content)
        right = signature(content) is signed.get(path.suffix.lower()) and not found.warning
        if not right or (path.suffix.lower() in readable and found.format is None):
            wrong.append(path.name)
    assert wrong == []


def test_an_old_document_whose_directory_is_damaged_is_left_to_its_reader() -> None:
    found = sniff("a.xls", office.ole("x"))
    assert found.format is not None and found.format.name == "xlsx"
    assert found.warning == ""
    assert "Save it again in its program." in sniff("a.docx", office.ole("x")).problem


@pytest.mark.parametrize(
    ("name", "data", "said", "damaged"),
    [
        ("a.zip", office.packed({"a.txt": b"a"}), "It is a zip archive. Unpack it and use the files in it.", False),
        ("a.doc", office.ole("WordDocument"), "It is a Word 97 document. Save it as .docx.", False),
        (
            "a.docx",
            office.ole("EncryptedPackage"),
            "protected by a password. Take the password away and save it again.",
            True,
        ),
        ("a.docx", office.docx()[:4000], "It is damaged: fetch or save it again.", True),
        ("a.docx", b"\x01\0\x02\3\4\5" * 50, "it does not begin like a Word document: it may be damaged.", True),
        ("a.gz", b"\x1f\x8b\x08\0\0\0", "Unpack it first.", False),
        ("a.bin", bytes(3000), "Its content is binary, of no known format.", False),
        ("a.docx", b"", "The file is empty.", True),
    ],
)
def test_what_nobody_reads_is_named_with_what_to_do(name: str, data: bytes, said: str, damaged: bool) -> None:
    found = sniff(name, data)
    assert found.format is None
    assert said in found.problem
    assert found.damaged is damaged
