import codecs
import zlib

import pytest

from pincite.errors import Unsupported
from pincite.formats.detect.decode import as_utf8, decode, decode_any, is_binary

TEXT = "# Größe\r\n\r\nein\rzwei\u2028drei\n"


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_the_mark_decides_and_is_dropped_and_line_ends_stay(mark: bytes, encoding: str) -> None:
    assert decode(mark + TEXT.encode(encoding)) == (TEXT, 0)


def test_what_is_no_utf8_is_replaced_and_counted() -> None:
    assert decode("Café, Größe".encode("latin-1")) == ("Caf\ufffd, Gr\ufffd\ufffde", 3)


def test_a_replacement_character_of_the_author_is_nothing_lost() -> None:
    assert decode("a\ufffdb".encode()) == ("a\ufffdb", 0)


def test_half_a_character_at_the_end_of_utf16_is_replaced() -> None:
    assert decode(codecs.BOM_UTF16_LE + "ab".encode("utf-16-le") + b"c") == ("ab\ufffd", 1)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark_is_told_by_its_zeros(encoding: str) -> None:
    assert decode(TEXT.encode(encoding)) == (TEXT, 0)


def test_a_nul_far_down_is_replaced() -> None:
    text, lost = decode(b"a" * 10_000 + b"\0b")
    assert text.endswith("a\ufffdb") and lost == 1


@pytest.mark.parametrize(("data", "nuls"), [(b"text with a \0 in it", 1), (b"# A\n\n\0\0 and \0" + b"word " * 900, 3)])
def test_a_text_with_a_few_nuls_is_a_text(data: bytes, nuls: int) -> None:
    assert decode(data) == (data.decode().replace("\0", "\ufffd"), nuls)
    assert decode_any(data).text == data.decode().replace("\0", "\ufffd")


@pytest.mark.parametrize(
    "data",
    [
        b"%PDF-1.7 no NUL here",
        b"PK\x03\x04",
        b"\x89PNG\r\n\x1a\n",
        zlib.compress(b"x" * 1000, wbits=31),
        b"four \0 in a \0 short \0 text \0",
        (b"\x7f" + bytes(3) + b"code" * 4) * 100,
        "short".encode("utf-16-le"),
        b"\1\0\2\0\3\0\4\0" * 10,
        "UTF-32 without a mark".encode("utf-32-le"),
        bytes(range(1, 256)),
    ],
)
def test_binary_data_is_refused(data: bytes) -> None:
    assert is_binary(data)
    with pytest.raises(Unsupported, match="binary"):
        decode(data)


@pytest.mark.parametrize("data", [b"", b"plain", b"\x1b[31mred\x1b[0m\f\v\b", "日本語".encode("shift-jis")])
def test_text_is_not_binary(data: bytes) -> None:
    assert not is_binary(data)


@pytest.mark.parametrize(
    ("charset", "text"),
    [("windows-1251", "Люди"), ("iso-8859-1", "Größe"), ("shift_jis", "日本"), ("UTF-16LE", "abc")],
)
def test_the_encoding_that_a_server_declares_is_believed_of_what_is_no_utf_8(charset: str, text: str) -> None:
    told = as_utf8(text.encode(charset), f'text/plain; charset="{charset}"')
    assert told.decode("utf-8-sig") == text or charset == "UTF-16LE"  # which is valid UTF-8 by chance


@pytest.mark.parametrize(
    ("data", "content_type"),
    [
        ("Größe".encode(), "text/plain; charset=iso-8859-1"),
        (codecs.BOM_UTF16_LE + "Größe".encode("utf-16-le"), "text/html; charset=iso-8859-1"),
        (b"Gr\xf6\xdfe", "text/plain"),
        (b"Gr\xf6\xdfe", "text/plain; charset=nonsense"),
        (b"Gr\xf6\xdfe", "text/plain; charset=base64"),
        (b"\x81\x8d", "text/plain; charset=ascii"),
        (b"%PDF-1.7 \xff", "application/pdf; charset=iso-8859-1"),
        (b"\xff\xd8\xff", "\r\nx: y"),
    ],
)
def test_no_other_bytes_are_touched(data: bytes, content_type: str) -> None:
    assert as_utf8(data, content_type) == data
