"""Fonts that declare almost no size are read by the size of their glyphs."""

from support.pdf_read import document, hidden, read, words
from support.pdfs import Text, prose

GLYPHS = "ABCDEFGHIJKLM"


def type3_pdf(size: float, scale: float = 1.0, stretch: int = 100) -> bytes:
    """A page whose font draws letters of 60 by 80 units at a size of 1, in two lines.

    Args:
        size: The text matrix' scale: 0.1 makes glyphs 6 points wide and 8 high.
        scale: Height of the glyphs relative to that.
        stretch: Horizontal scaling in percent.
    """
    high = 80 * scale
    glyph = f"60 0 0 0 60 {high} d1 5 0 40 {high} re f"
    procedures = "".join(f"/{letter} 6 0 R " for letter in GLYPHS)
    font = (
        f"<</Type/Font/Subtype/Type3/FontBBox[0 0 60 {high}]/FontMatrix[1 0 0 1 0 0]/CharProcs<<{procedures}>>"
        f"/Encoding<</Type/Encoding/Differences[65 {''.join('/' + letter for letter in GLYPHS)}]>>"
        f"/FirstChar 65/LastChar {64 + len(GLYPHS)}/Widths[{'60 ' * len(GLYPHS)}]/Resources<<>>>>"
    )
    lines = (f"1 0 0 1 72 {y} cm {size} 0 0 {size} 0 0 Tm (ABCDEF) Tj" for y in (700, -14))
    shown = " ".join(
        f"{line.partition('cm')[0]}cm BT /T 1 Tf {stretch} Tz {line.partition('cm')[2]} ET" for line in lines
    )
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</T 5 0 R>>>>>>",
        f"<</Length {len(shown)}>>stream\n{shown}\nendstream",
        font,
        f"<</Length {len(glyph)}>>stream\n{glyph}\nendstream",
    ]
    body = "".join(f"{number} 0 obj {text} endobj\n" for number, text in enumerate(objects, 1))
    return f"%PDF-1.7\n{body}trailer<</Root 1 0 R/Size 7>>".encode()


def test_glyphs_that_are_larger_than_their_font_s_size_are_read() -> None:
    found = document(type3_pdf(0.1))
    assert found.text.replace("#", "").split() == ["ABCDEF", "ABCDEF"]
    assert not hidden(found)


def test_glyphs_that_are_small_themselves_stay_hidden() -> None:
    assert hidden(document(type3_pdf(0.01))) == ["ABCDEF", "ABCDEF"]


def test_glyphs_that_are_wide_but_flat_stay_hidden() -> None:
    assert hidden(document(type3_pdf(0.01, stretch=1000))) == ["ABCDEF", "ABCDEF"]
    assert hidden(document(type3_pdf(0.1, scale=0.01))) == ["ABCDEF", "ABCDEF"]


def test_small_print_of_a_font_with_a_size_stays_hidden() -> None:
    assert hidden(read([*prose(), Text("too small to be read", y=300, size=1)])) == ["too small to be read"]


def test_a_negative_size_turns_the_text_on_its_head() -> None:
    (word,) = words(Text("word", x=300, y=300, size=-12))
    assert (word.size, word.turns) == (12.0, 2)
    (upright,) = words(Text("word", x=300, y=300, size=-12, turn=(-1, 0)))
    assert (upright.size, upright.turns) == (12.0, 0)
