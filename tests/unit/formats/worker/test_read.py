import hashlib

import pytest

from pincite.errors import InvalidInput
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.registry import FORMATS

MARKDOWN = FORMATS[0]


def test_a_document_says_what_it_is() -> None:
    data = b"\xef\xbb\xbf# A\r\n\r\ntext\r\n"
    document = read_document(MARKDOWN, Blob("a/b.md", data), ReadOptions(), Call())
    assert (document.name, document.title, document.media_type) == ("a/b.md", "A", "text/markdown")
    assert document.fingerprint == hashlib.sha256(data).hexdigest()
    assert document.text == "# A\r\n\r\ntext\r\n"
    assert document.coverage.complete


def test_what_was_lost_is_said() -> None:
    document = read_document(MARKDOWN, Blob("a.md", b"caf\xe9"), ReadOptions(), Call())
    assert document.text == "caf\ufffd"
    assert [failure.reason for failure in document.coverage.failed] == [
        "1 place is not valid in the file's encoding and shown as U+FFFD"
    ]


def test_a_small_blank_file_is_an_empty_document() -> None:
    assert read_document(MARKDOWN, Blob("a.md", b"\n \n"), ReadOptions(), Call()).text == ""


def test_silence_from_more_than_two_kilobytes_is_a_failure() -> None:
    with pytest.raises(InvalidInput, match="No text in 3,000 bytes: it is blank"):
        read_document(MARKDOWN, Blob("a.md", b"\n" * 3000), ReadOptions(), Call())
