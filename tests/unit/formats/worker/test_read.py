import hashlib

import pytest

from pincite.errors import InvalidInput
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.registry import FORMATS
from support.archives import book, odt

MARKDOWN = FORMATS[0]
BOOKS = next(row for row in FORMATS if row.name == "epub")
TEXTS = next(row for row in FORMATS if row.name == "odt")


def test_a_document_says_what_it_is() -> None:
    data = b"\xef\xbb\xbf# A\r\n\r\ntext\r\n"
    document = read_document(MARKDOWN, Blob("a/b.md", data), ReadOptions(), Call())
    assert (document.name, document.title, document.media_type) == ("a/b.md", "A", "text/markdown")
    assert document.fingerprint == hashlib.sha256(data).hexdigest()
    assert document.text == "# A\r\n\r\ntext\r\n"
    assert document.coverage.complete


def test_what_was_lost_is_said() -> None:
    document = read_document(MARKDOWN, Blob("a.md", ("ä ö ü ß " * 4).encode() + b"caf\xe9"), ReadOptions(), Call())
    assert document.text == "ä ö ü ß " * 4 + "caf\ufffd"
    assert [failure.reason for failure in document.coverage.failed] == [
        "1 place is not valid in the file's encoding and shown as U+FFFD"
    ]


def test_a_small_blank_file_is_an_empty_document() -> None:
    assert read_document(MARKDOWN, Blob("a.md", b"\n \n"), ReadOptions(), Call()).text == ""


def test_silence_from_more_than_two_kilobytes_is_a_failure() -> None:
    with pytest.raises(InvalidInput, match="No text in 3,000 bytes: it is blank"):
        read_document(MARKDOWN, Blob("a.md", b"\n" * 3000), ReadOptions(), Call())


def test_silence_has_its_first_reasons_and_the_number_of_the_others() -> None:
    spine = "".join(f'<item id="c{n}" href="{n}.xhtml"/><itemref idref="c{n}"/>' for n in range(2000))
    with pytest.raises(InvalidInput) as refused:
        read_document(BOOKS, Blob("a.epub", book(spine)), ReadOptions(), Call())
    message = refused.value.message
    assert ": The part 0.xhtml is missing; The part 1.xhtml is missing; " in message and len(message) < 1000
    assert message.endswith(" more.")


def test_silence_names_the_limit_that_cut_the_text() -> None:
    spans = "<text:span>" * 200 + "a" + "</text:span>" * 200
    data = odt(f"<text:p>{spans}</text:p>")
    with pytest.raises(InvalidInput, match=r"bytes: cut by the limit max_depth\.$"):
        read_document(TEXTS, Blob("a.odt", data), ReadOptions(), Call())
