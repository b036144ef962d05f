import pytest

from pincite.formats.email.charsets import codec, decode


@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("koi8-r", "Ключи от дома"),
        ("gb2312", "钥匙在门边"),
        ("iso-2022-jp", "鍵は玄関にあります"),
        ("x-sjis", "鍵は玄関"),
        ("windows-1251", "Ключи"),
        ("ks_c_5601-1987", "열쇠"),
        ("iso-8859-8-i", "מפתח"),
        ("utf-16", "keys"),
        ("utf-7", "Schlüssel"),
    ],
)
def test_a_text_is_read_in_its_character_set(charset: str, text: str) -> None:
    assert decode(text.encode(codec(charset)), charset) == (text, 0)


def test_valid_utf8_outranks_the_label() -> None:
    assert decode("Schlüssel".encode(), "iso-8859-1") == ("Schlüssel", 0)


def test_a_wrong_label_is_found_out() -> None:
    text = "Ключи от дома лежат под ковриком. Возьмите их, пожалуйста, сегодня вечером."
    assert decode(text.encode("cp1251"), "us-ascii") == (text, 0)
    assert decode(text.encode("cp1251"), "iso-2022-jp") == (text, 0)
    assert decode("Schlüssel für die Tür".encode("latin-1"), "no-such-set") == ("Schlüssel für die Tür", 0)


def test_latin_1_has_the_characters_of_windows() -> None:
    assert decode(b"\x93keys\x94", "iso-8859-1") == ("\u201ckeys\u201d", 0)


def test_what_is_no_character_set_has_no_codec() -> None:
    assert [codec(name) for name in ("base64", "rot13", "punycode", "", "utf-99", "\0")] == [""] * 6


def test_nul_is_no_character_of_a_text() -> None:
    assert decode(b"a\0b", "utf-8") == ("a\ufffdb", 1)
    assert decode(b"\xff\0\0\0\0\0\0\0", "")[1] > 0
