import pytest

from support.html_pages import read


@pytest.mark.parametrize(
    ("encoding", "declaration"),
    [
        ("utf-8-sig", '<meta charset="latin1">'),
        ("utf-16", ""),
        ("utf-8", "<meta charset=windows-1252>"),
        ("utf-8", "<meta charset=nonsense>"),
        ("cp1252", '<meta charset="iso-8859-1">'),
        ("shift_jis", '<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">'),
        ("iso2022_jp", "<meta charset=iso-2022-jp>"),
        ("gb18030", "<meta charset='gb2312'>"),
        ("cp1251", ""),
        ("cp932", "<meta charset=euc-jp>"),
    ],
)
def test_a_page_is_read_in_its_encoding(encoding: str, declaration: str) -> None:
    words = {"cp1252": "Über “Größe”", "cp1251": "Съешь же ещё этих мягких французских булок, да выпей чаю. " * 5}
    said = words.get(
        encoding, "日本語の文書です。これは試験の頁です。" if encoding != "gb18030" else "中文网页编码测试"
    )
    document = read(f"<html><head>{declaration}</head><p>{said}</p>".encode(encoding))
    assert document.text.strip() == said.strip()
    assert document.coverage.complete


def test_bytes_that_cannot_be_read_are_counted() -> None:
    document = read(b"<meta charset=utf-8><p>" + "Größe ".encode() * 20 + b"\xff</p>")
    assert document.text.endswith("Größe \ufffd\n")
    assert "1 place is not valid" in document.coverage.failed[0].reason


@pytest.mark.parametrize("name", ["base64", "punycode", "rot13"])
def test_a_codec_that_is_no_character_set_is_not_used(name: str) -> None:
    assert (
        read(f"<meta charset={name}><p>Schl\xfcssel f\xfcr die T\xfcr".encode("latin-1")).text
        == "Schlüssel für die Tür\n"
    )
