import pytest

from pincite.errors import Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import Document
from pincite.registry import FORMATS

pytest.importorskip("kreuzberg", reason="needs pincite[more]")

from pincite.formats.kreuzberg import is_email
from pincite.formats.kreuzberg import read as read_pages

ROWS = {row.name: row for row in FORMATS if row.extra == "more"}
COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def read(name: str, data: bytes) -> Document:
    return read_document(ROWS[name], Blob(f"a.{name}", data), ReadOptions(), Call())


def test_an_email_gives_its_subject_and_who_wrote_it() -> None:
    found = read("email", b"From: a@example.com\r\nTo: b@example.com\r\nSubject: Hello\r\n\r\nthe\r\n\r\nletter\r\n")
    assert (found.title, found.properties["from"], found.properties["to"]) == (
        "Hello",
        "a@example.com",
        "b@example.com",
    )
    assert found.text.endswith("the\n\nletter")


@pytest.mark.parametrize(
    "data", [b"", b"\0" * 100, COMPOUND, b"PK\3\4", b"a letter"], ids=["nothing", "zeros", "ole", "zip", "text"]
)
def test_what_is_no_email_is_refused(data: bytes) -> None:
    assert not is_email(data)
    with pytest.raises(Unsupported, match="whatever its name says"):
        next(read_pages(Blob("a.eml", data), ReadOptions(), Call()))
