from support.pdf_read import read
from support.pdfs import Text, prose


def test_control_characters_of_a_font_are_no_text() -> None:
    found = read([*prose(), Text("a\x01b\x1fc", y=300)])
    assert found.text.endswith("a\ufffdb\ufffdc\n")
