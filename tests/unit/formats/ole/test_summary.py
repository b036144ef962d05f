import struct

import pytest

from pincite.formats.ole.compound import CompoundFile
from pincite.formats.ole.summary import encoding, properties
from support.compound import compound
from support.doc_read import manual


def summary(*values: tuple[int, bytes]) -> bytes:
    """A stream of summary information: one set of properties."""
    places, body = b"", b""
    for identity, value in values:
        places += struct.pack("<II", identity, 8 + 8 * len(values) + len(body))
        body += value
    return (
        bytes(44) + struct.pack("<I", 48) + struct.pack("<II", 8 + len(places) + len(body), len(values)) + places + body
    )


def text(words: bytes) -> bytes:
    return struct.pack("<II", 0x1E, len(words)) + words


def test_the_properties_of_a_file_have_the_names_of_newer_formats() -> None:
    assert properties(CompoundFile(manual())) == {"title": "Pump manual", "author": "Ada Weber"}


def test_text_is_decoded_by_its_code_page() -> None:
    data = summary((1, struct.pack("<II", 2, 1251)), (2, text("Ключи\0".encode("cp1251"))))
    assert properties(CompoundFile(compound({"\x05SummaryInformation": data}))) == {"title": "Ключи"}


def test_times_are_in_utc_and_those_not_set_are_left_out() -> None:
    day = struct.pack("<IQ", 0x40, 132_539_328_000_000_000)
    data = summary((12, day), (13, struct.pack("<IQ", 0x40, 0)))
    assert properties(CompoundFile(compound({"\x05SummaryInformation": data}))) == {"created": "2021-01-01T00:00:00Z"}


@pytest.mark.parametrize("data", [b"", bytes(60), summary((2, b"")), summary((2, text(b"")))])
def test_damaged_properties_are_none(data: bytes) -> None:
    assert properties(CompoundFile(compound({"\x05SummaryInformation": data}))) == {}


@pytest.mark.parametrize(
    ("code_page", "name"),
    [(1252, "cp1252"), (65001, "utf-8"), (1200, "utf-16-le"), (10000, "mac-roman"), (4, "cp1252")],
)
def test_code_pages_have_encodings(code_page: int, name: str) -> None:
    assert encoding(code_page) == name
