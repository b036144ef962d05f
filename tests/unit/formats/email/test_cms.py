import pytest

from pincite.formats.email.cms import signed_content

MESSAGE = b"Content-Type: text/plain\r\n\r\nSigned"
SIGNED_DATA, DATA = bytes.fromhex("06092a864886f70d010702"), bytes.fromhex("06092a864886f70d010701")


def element(tag: int, content: bytes) -> bytes:
    length = len(content)
    return bytes([tag]) + (bytes([length]) if length < 0x80 else b"\x82" + length.to_bytes(2, "big")) + content


def signed(string: bytes) -> bytes:
    inner = element(0x30, DATA + element(0xA0, string))
    data = element(0x30, b"\2\1\1" + element(0x31, b"") + inner)
    return element(0x30, SIGNED_DATA + element(0xA0, data))


def test_the_message_is_in_one_string() -> None:
    assert signed_content(signed(element(4, MESSAGE))) == MESSAGE
    assert signed_content(signed(element(4, MESSAGE * 20))) == MESSAGE * 20


def test_the_message_is_in_several_strings() -> None:
    parts = element(4, MESSAGE[:9]) + element(4, MESSAGE[9:])
    assert signed_content(signed(element(0x24, parts))) == MESSAGE
    assert signed_content(b"\x30\x80" + SIGNED_DATA + DATA + b"\xa0\x80\x24\x80" + parts + bytes(6)) == MESSAGE


@pytest.mark.parametrize(
    "data",
    [b"", b"\x30\x80", signed(b""), signed(element(5, b"")), SIGNED_DATA, SIGNED_DATA + DATA + b"\x04\1a"],
    ids=["nothing", "cut", "no string", "another", "no content", "no tag"],
)
def test_other_data_has_no_message(data: bytes) -> None:
    assert signed_content(data) is None


def test_damage_does_no_harm() -> None:
    whole = signed(element(4, MESSAGE))
    assert all(MESSAGE.startswith(signed_content(whole[:cut]) or b"") for cut in range(len(whole)))
