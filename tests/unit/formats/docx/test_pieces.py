import pytest

from pincite.errors import InvalidInput
from support.docx_read import MAIN, read
from support.word import Word, p, part_of, r, with_part


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        ("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>"),
        ("<w:sdt><w:sdtContent>", "</w:sdtContent></w:sdt>"),
        ("<w:p><w:smartTag>", "</w:smartTag></w:p>"),
        ("<w:p><w:r><w:pict><v:textbox><w:txbxContent>", "</w:txbxContent></v:textbox></w:pict></w:r></w:p>"),
    ],
)
def test_deep_nesting_ends(begin: str, end: str) -> None:
    for depth in (30, 45, 500):
        nested = p("above") + begin * depth + p("deep") + end * depth
        xml = part_of(Word().add("XX").saved(), MAIN)
        body = xml.replace(b"<w:body>", b'<w:body xmlns:v="urn:schemas-microsoft-com:vml">' + nested.encode())
        try:
            document = read(with_part(Word().saved(), MAIN, body))
        except InvalidInput:
            assert depth == 500
        else:
            assert "above" in document.text


def test_nesting_beyond_the_limit_is_said_to_be_cut() -> None:
    nested = "<w:smartTag>" * 70 + r("deep") + "</w:smartTag>" * 70
    document = read(Word().add(p("above", inside=nested)))
    assert document.text == "above\n" and document.coverage.limits_hit == ("max_depth",)
    nested = "<w:customXml>" * 70 + p("deep") + "</w:customXml>" * 70
    document = read(Word().add("above", nested))
    assert document.text == "above\n" and document.coverage.limits_hit == ("max_depth",)
