"""Names from servers become names that harm nobody."""

import pytest

from pincite.sources.url.locations import parse
from pincite.sources.url.names import MAX_NAME_CHARS, declared_name, safe_name, segment_name


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://a.example/files/Report%202026.pdf?x=/y#z", "Report 2026.pdf"),
        ("https://a.example/download", "download"),
        ("https://a.example/", "document"),
        ("https://a.example", "document"),
        ("https://a.example/%E4%B8%AD%E6%96%87.docx", "中文.docx"),
        ("https://a.example/..%2f..%2fetc%2fpasswd", "passwd"),
        ("https://a.example/%FF%00.pdf", "\ufffd.pdf"),
    ],
)
def test_a_document_is_called_by_the_last_segment_of_its_url(url: str, name: str) -> None:
    assert segment_name(parse(url)) == name


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        ('attachment; filename="report.pdf"', "report.pdf"),
        ("attachment; filename=report.pdf", "report.pdf"),
        ("attachment; filename*=UTF-8''%e2%82%ac%20rates.csv", "€ rates.csv"),
        ("inline; filename=\"a.txt\"; filename*=UTF-8''b.txt", "b.txt"),
        ('attachment; filename="../../etc/passwd"', "passwd"),
        ('attachment; filename="C:\\\\temp\\\\x.pdf"', "x.pdf"),
        ("attachment; filename*=bogus''x%ZZ.pdf", "x%ZZ.pdf"),
        ('attachment; filename=""', ""),
        ("attachment", ""),
        ("", ""),
        ("attachment; filename=a\r\nX: y", "a X_ y"),
    ],
)
def test_a_server_may_name_its_file(disposition: str, name: str) -> None:
    assert declared_name(disposition) == name


@pytest.mark.parametrize(
    ("given", "name"),
    [
        (".bashrc", "bashrc"),
        ("..", "document"),
        ("a\x00b\x1b[31m.pdf", "ab[31m.pdf"),
        ("evil\u202efdp.exe", "evilfdp.exe"),
        ("a:b*c?.txt. ", "a_b_c_.txt"),
        ("  many \t spaces .md", "many spaces .md"),
        ("\ud800x", "x"),
    ],
)
def test_what_means_something_to_a_system_or_a_terminal_is_left_out(given: str, name: str) -> None:
    assert safe_name(given) == name


def test_a_long_name_keeps_its_extension() -> None:
    assert safe_name("x" * 500 + ".pdf") == "x" * (MAX_NAME_CHARS - 4) + ".pdf"
    assert safe_name("x." + "y" * 500) == "x." + "y" * (MAX_NAME_CHARS - 2)
