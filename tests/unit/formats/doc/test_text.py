import struct

import pytest

from pincite.errors import InvalidInput
from pincite.formats.doc.fib import Fib, Stories
from pincite.formats.doc.text import joined, read_text
from support.compound import doc, old_doc
from support.doc_read import fib


def with_pieces(main: bytes, *places: int) -> Fib:
    """A head whose text is in pieces of three characters, each by their offsets as a file has them."""
    bounds = struct.pack(f"<{len(places) + 1}I", *(3 * number for number in range(len(places) + 1)))
    table = bounds + b"".join(struct.pack("<HIH", 0, raw, 0) for raw in places)
    entry = b"\x01\x02\x00xx\x02" + struct.pack("<I", len(table)) + table
    head = fib(doc("text\r")).main[:1200]
    place = head.find(struct.pack("<II", 16, 21))
    whole = head[:place] + struct.pack("<II", 0, len(entry)) + head[place + 8 :]
    return Fib(whole.ljust(2000, b"\0") + main, entry, Stories(3 * len(places), 0, 0, 0, 0, 0, 0))


def test_pieces_are_of_one_or_two_bytes_a_character() -> None:
    head = with_pieces(b"ab\x93" + "Ωmg".encode("utf-16-le"), 1 << 30 | 2 * 2000, 2003)
    text = read_text(head)
    assert text.units == "ab“Ωmg"
    assert [text.offset(position) for position in (0, 2, 3, 5, 6)] == [2000, 2002, 2003, 2007, 0]
    assert [(start, end, piece.width) for start, end, piece in text.spans(1, 5)] == [(1, 3, 1), (3, 5, 2)]


def test_pieces_beyond_the_file_end_the_text() -> None:
    assert read_text(with_pieces(b"abc", 1 << 30 | 2 * 2000, 90_000)).units == "abc"


def test_pieces_that_repeat_each_other_are_refused() -> None:
    head = with_pieces(b"abc", *[1 << 30 | 2 * 2000] * 1000)
    with pytest.raises(InvalidInput, match="damaged"):
        read_text(head)


def test_word_6_has_bytes_in_one_piece() -> None:
    assert read_text(fib(old_doc(b"\xe9t\xe9\r"))).units == "été\r"
    wide = read_text(fib(old_doc("日本\r".encode("utf-16-le"), flags=0x1000)))
    assert wide.units.startswith("日本\r")


def test_pairs_of_units_are_one_character() -> None:
    assert joined("\ud83d\ude00 \ud83d") == "😀 �"
