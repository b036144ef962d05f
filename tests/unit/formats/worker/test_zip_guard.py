import zipfile

import pytest

from pincite.errors import Cancelled, InvalidInput, ReadingFailed
from pincite.formats.base import ZipLimits
from pincite.formats.worker.zip_guard import MIN_RATIO_BYTES, guard, is_zip
from pincite.model.call import Call
from support import office

SMALL = ZipLimits(entries=10, part_bytes=2_000_000, total_bytes=3_000_000, ratio=500)
DOCTYPE = b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'


def with_lying_sizes(data: bytes, size: int) -> bytes:
    """The same zip, its directory and local headers saying that every part has this size unpacked."""
    changed = bytearray(data)
    for mark, at in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
        position = data.find(mark)
        while position >= 0:
            changed[position + at : position + at + 4] = size.to_bytes(4, "little")
            position = data.find(mark, position + 4)
    return bytes(changed)


@pytest.mark.parametrize("data", [office.docx(), office.pptx(), office.xlsx(), office.packed({"a": b""})])
def test_an_honest_file_passes(data: bytes) -> None:
    assert is_zip(data)
    guard(data, ZipLimits(), Call())


def test_a_part_may_repeat_itself_up_to_ten_megabytes() -> None:
    guard(office.packed({"a.xml": b" " * MIN_RATIO_BYTES}), ZipLimits(), Call())


@pytest.mark.parametrize(
    ("data", "limits", "said"),
    [
        (office.packed({f"{n}": b"" for n in range(11)}), SMALL, r"11 parts, more than 10 \(PINCITE_ZIP_ENTRIES\)"),
        (office.packed({"a": bytes(2_000_001)}), SMALL, r"one part of it is larger than 2 MB \(PINCITE_ZIP_PART\)"),
        (
            office.packed({"a": bytes(1_900_000), "b": bytes(1_900_000)}),
            SMALL,
            r"its parts are larger than 3 MB together \(PINCITE_ZIP_TOTAL\)",
        ),
        (
            office.packed({"a": bytes(MIN_RATIO_BYTES + 2_000_000)}),
            ZipLimits(ratio=100),
            r"grows more than 100 times \(PINCITE_ZIP_RATIO\)",
        ),
        (with_lying_sizes(office.packed({"a": bytes(2_500_000)}), 100), SMALL, "larger than 2 MB"),
        (office.packed({"a.xml": DOCTYPE}), ZipLimits(), "declares a document type"),
        (office.packed({"a.RELS": b'\xef\xbb\xbf<?xml version="1.0"?>\n<!-- > -->' + DOCTYPE}), SMALL, "document type"),
        (office.packed({"a.xml": DOCTYPE.decode().encode("utf-16")}), ZipLimits(), "document type"),
        (office.packed({"a.xml": b'<!DOCTYPE a SYSTEM "b>" [<!ENTITY b "c">]><a/>'}), ZipLimits(), "document type"),
        (office.packed({"a.xml": b'<!DOCTYPE a SYSTEM "b'}), ZipLimits(), "document type"),
        (office.packed({"a.xml": b"<!--" + b"x" * 9000 + b"-->" + DOCTYPE}), ZipLimits(), "document type"),
    ],
)
def test_what_is_more_than_a_limit_allows_is_refused(data: bytes, limits: ZipLimits, said: str) -> None:
    with pytest.raises(ReadingFailed, match=said):
        guard(data, limits, Call())


@pytest.mark.parametrize(
    "data",
    [
        office.packed({"a.xml": b"<a><![CDATA[<!DOCTYPE a>]]></a>"}),
        office.packed({"a.xml": b"<!-- <!DOCTYPE a> --><a/>"}),
        office.packed({"a.svg": DOCTYPE}),
        office.packed({"a.xml": b'<!DOCTYPE a PUBLIC "-//OpenOffice.org//DTD [ 1.0//EN" "libraries.dtd">\n<a/>'}),
        office.packed({"a.xml": b"<?a?>" * 5000 + b"<!--" * 5000}),
    ],
)
def test_a_doctype_counts_only_where_a_parser_would_heed_it(data: bytes) -> None:
    guard(data, ZipLimits(), Call())


def encrypted() -> bytes:
    data = bytearray(office.packed({"a.xml": b"<a/>"}))
    data[data.find(b"PK\1\2") + 8] |= 1
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (office.docx()[:-100], "damaged"),
        (b"PK\3\4", "damaged"),
        (encrypted(), "password"),
        (office.packed({"a": b"a" * 100}, zipfile.ZIP_BZIP2), "no office program uses"),
    ],
)
def test_what_is_damaged_or_encrypted_is_named(data: bytes, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        guard(data, ZipLimits(), Call())


def test_a_damaged_part_is_left_to_the_reader() -> None:
    data = office.packed({"a.png": b"a picture " * 100, "word/document.xml": b"<a/>"}, zipfile.ZIP_STORED)
    guard(data.replace(b"picture", b"PICTURE"), ZipLimits(), Call())
    deflated = office.packed({"a.png": bytes(range(256)) * 100})
    start = deflated.find(b"a.png") + 5
    guard(deflated[:start] + b"\xff" * 20 + deflated[start + 20 :], ZipLimits(), Call())


def test_it_stops_when_the_caller_goes_away() -> None:
    call = Call()
    call.stop.set()
    with pytest.raises(Cancelled):
        guard(office.docx(), ZipLimits(), call)
