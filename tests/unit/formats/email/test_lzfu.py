import struct

from pincite.formats.email.lzfu import MAX_RTF_BYTES, unpacked

EXAMPLE = bytes.fromhex(
    "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
)
"""[MS-OXRTFCP] 3.1.1."""


def packed(kind: bytes, size: int, data: bytes) -> bytes:
    return struct.pack("<II", len(data), size) + kind + bytes(4) + data


def test_the_example_of_the_standard() -> None:
    assert unpacked(EXAMPLE) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"


def test_a_reference_may_reach_into_what_it_writes() -> None:
    """[MS-OXRTFCP] 3.1.2: WXYZWXYZWXYZ…"""
    data = bytes.fromhex("1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0")
    assert unpacked(data) == b"{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}"


def test_data_without_compression() -> None:
    assert unpacked(packed(b"MELA", 5, b"{\\rtf1}")) == b"{\\rtf"


def test_damaged_data_ends_where_the_damage_is() -> None:
    assert unpacked(EXAMPLE[:30]).startswith(b"{\\rtf1\\ansi")
    assert [unpacked(data) for data in (b"", EXAMPLE[:16], packed(b"what", 9, b"x"))] == [b"", b"", b""]


def test_the_size_has_a_bound() -> None:
    assert len(unpacked(packed(b"LZFu", 1 << 31, b"\xff" + b"\x00\x0f" * 8))) < MAX_RTF_BYTES
    assert len(unpacked(packed(b"LZFu", 20, b"\xff" + b"\x00\x0f" * 800))) == 20
