import codecs
import zlib

import pytest

from pincite.errors import Unsupported
from pincite.formats.detect.decode import Decoded, as_utf8, decode, is_binary

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
    assert decode(mark + TEXT.encode(encoding)) == Decoded(TEXT, 0, encoding)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Café, Größe", "cp1252"),
        ("# Größe\n\nxyzcp “quoted” € price\n", "cp1252"),
        ("# 会議\n\n支払い期限\n", "cp932"),
        ("第一章 总则\n\n本规定适用于采购。\n", "gb18030"),
        ("안녕하세요 세계", "cp949"),
    ],
)
def test_an_old_encoding_is_guessed_and_said_to_be_a_guess(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == Decoded(text, 0, encoding, guessed=True)


def test_a_few_bad_bytes_in_utf8_are_replaced_and_counted() -> None:
    text = "# Größe\n\nEin Satz mit Ümläuten, „Zeichen“ und Straßen.\n"
    assert decode(text.encode() + b"\xff\n") == Decoded(f"{text}\ufffd\n", 1, "utf-8")


def test_a_replacement_character_of_the_author_is_nothing_lost() -> None:
    assert decode("a\ufffdb".encode()) == Decoded("a\ufffdb", 0, "utf-8")


def test_half_a_character_at_the_end_of_utf16_is_replaced() -> None:
    assert decode(codecs.BOM_UTF16_LE + "ab".encode("utf-16-le") + b"c") == Decoded("ab\ufffd", 1, "utf-16-le")


def test_a_few_letters_in_utf16_are_no_text_by_themselves_and_are_read_under_a_texts_name() -> None:
    data = "short".encode("utf-16-le")
    assert (is_binary(data), decode(data)) == (True, Decoded("short", 0, "utf-16-le", guessed=True))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark_is_told_by_its_zeros_and_said_to_be_a_guess(encoding: str) -> None:
    assert decode(TEXT.encode(encoding)) == Decoded(TEXT, 0, encoding, guessed=True)


def test_a_nul_far_down_is_replaced() -> None:
    decoded = decode(b"a" * 10_000 + b"\0b")
    assert decoded.text.endswith("a\ufffdb") and decoded.lost == 1


@pytest.mark.parametrize(("data", "nuls"), [(b"text with a \0 in it", 1), (b"# A\n\n\0\0 and \0" + b"word " * 900, 3)])
def test_a_text_with_a_few_nuls_is_a_text(data: bytes, nuls: int) -> None:
    assert decode(data) == Decoded(data.decode().replace("\0", "\ufffd"), nuls, "utf-8")


@pytest.mark.parametrize(
    "data",
    [
        b"%PDF-1.7 no NUL here",
        b"PK\x03\x04",
        b"\x89PNG\r\n\x1a\n",
        zlib.compress(b"x" * 1000, wbits=31),
        b"four \0 in a \0 short \0 text \0",
        b"\1\0\2AB\3",
        b"GIF89\0\1",
        b"\x7fab\1\2 short",
        (b"\x7f" + bytes(3) + b"code" * 4) * 100,
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
