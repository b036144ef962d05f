import pytest

from pincite.formats.sniff import detect


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("guide/setup.md", b"# Setup", "markdown"),
        ("README.MD", b"", "markdown"),
        ("page.mdx", b"import X from 'x'", "markdown"),
        ("page.markdown", b"\xff\xfe#\0 \0a\0", "markdown"),
        ("notes.txt", b"notes", "text"),
        ("a.b/notes.text", b"notes", "text"),
        ("setup.md", b"%PDF-1.7", None),
        ("setup.md", b"PK\x03\x04", None),
        ("setup.txt", b"a\0b", None),
        ("Makefile", b"all:", None),
        (".md", b"# a name, not an extension", None),
        ("setup.md.bak", b"# Setup", None),
        ("", b"", None),
    ],
)
def test_bytes_outrank_the_extension_and_its_case_does_not_count(name: str, head: bytes, expected: str | None) -> None:
    found = detect(name, head)
    assert (found and found.name) == expected
