import pytest

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import BlockKind, Document
from pincite.registry import FORMATS

pytest.importorskip("kreuzberg", reason="needs pincite[more]")

from pincite.formats.kreuzberg import EMAIL, RTF, media_type

ROWS = {row.name: row for row in FORMATS if row.extra == "more"}
COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def read(name: str, data: bytes) -> Document:
    return read_document(ROWS[name], Blob(f"a.{name}", data), ReadOptions(), Call())


def test_rtf_gives_text_tables_and_properties() -> None:
    found = read(
        "rtf",
        rb"{\rtf1\ansi{\info{\title Deed}{\author Ada}}plain \'e9 text\par"
        rb"\trowd\cellx1000\cellx2000 a\cell b\cell\row\pard end\par}",
    )
    kinds = [block.kind for section in found.sections for block in section.blocks]
    assert kinds == [BlockKind.PARAGRAPH, BlockKind.TABLE, BlockKind.PARAGRAPH]
    assert "plain é text" in found.text
    assert (found.title, found.properties["author"], found.media_type) == ("Deed", "Ada", RTF)


def test_an_email_gives_its_subject_and_who_wrote_it() -> None:
    found = read("email", b"From: a@example.com\r\nTo: b@example.com\r\nSubject: Hello\r\n\r\nthe\r\n\r\nletter\r\n")
    assert (found.title, found.properties["from"], found.properties["to"]) == (
        "Hello",
        "a@example.com",
        "b@example.com",
    )
    assert found.text.endswith("the\n\nletter")


def test_the_content_says_which_format_it_is() -> None:
    assert media_type(b"{\\rtf1}") == RTF
    assert media_type(b"From: x\n\n") == EMAIL


@pytest.mark.parametrize(
    "data", [b"", b"\0" * 100, COMPOUND, b"PK\3\4"], ids=["nothing", "zeros", "no parts", "a zip file"]
)
def test_what_is_none_of_them_is_refused(data: bytes) -> None:
    with pytest.raises(Unsupported, match="whatever its name says"):
        media_type(data)


def test_a_file_without_text_is_no_quiet_success() -> None:
    with pytest.raises(InvalidInput, match="nothing readable"):
        read("rtf", b"{\\rtf1" + b"{\\*\\x}" * 1000)
