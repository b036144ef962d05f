"""Bold and slanted type of fonts without a name, as those of prints of Chromium are for variable fonts."""

from pincite.formats.pdf.document import open_document
from pincite.formats.pdf.page.page import open_page
from pincite.formats.pdf.page.unnamed_faces import bold_faces, slanted_faces
from pincite.formats.pdf.page.words import page_words

TEXT, BOLD, SLANTED, LIGATURE = "TBSL"
LETTERS = "abcdefghij"
GLYPHS = {TEXT: (60, 5, 55), BOLD: (66, 5, 60), SLANTED: (60, 10, 70), LIGATURE: (80, 0, 80)}
"""Advance of `a` of each font, and the left and right edges of its glyph, in hundredths of the size; the next letters
are wider."""
STEP = 4


def letters(face: int, text: str, width: float) -> list[tuple[int, str, float]]:
    return [(face, letter, width) for letter in text]


def test_a_font_with_wider_letters_than_that_of_the_text_is_bold() -> None:
    text = letters(1, "the text of a page, fix", 0.5)
    assert bold_faces([*text, *letters(2, "a title", 0.55), *letters(3, "slanted", 0.51)], 1) == {2}
    assert not bold_faces([*text, *letters(2, "xy", 0.55)], 1)
    # One letter in ten may have a width of its own.
    assert bold_faces([*text, *letters(2, "the page, oxi", 0.55), *letters(2, "f", 0.9)], 1) == {2}
    # In fonts of formulas some letters are much wider, others narrower.
    assert not bold_faces([*text, *letters(2, "a title", 0.55), *letters(2, "f", 0.8), *letters(2, "x", 0.48)], 1)
    assert not bold_faces(text, 1)


def edges(face: int, text: str, *, reaching: bool) -> list[tuple[int, str, bool]]:
    return [(face, letter, reaching) for letter in text]


def test_a_font_whose_letters_lean_out_of_their_place_is_slanted() -> None:
    text = [*edges(1, "texofpag", reaching=False), *edges(1, "fr", reaching=True)]
    assert slanted_faces([*text, *edges(2, "slanted", reaching=True), *edges(3, "bold", reaching=False)], 1) == {2}
    assert not slanted_faces([*text, *edges(2, "fit", reaching=True)], 1)
    # Where the letters of the text have no white at their sides either, nothing is told.
    assert not slanted_faces([*edges(1, "tight", reaching=True), *edges(2, "slanted", reaching=True)], 1)


def type3_pdf(*lines: list[tuple[str, str]]) -> bytes:
    """A page of lines whose parts are in the fonts of `GLYPHS`; `a` in that of ligatures is `fi`."""
    codes = "/CIDInit/ProcSet findresource begin begincmap 1 begincodespacerange <00><FF> endcodespacerange"
    cmap = f"{codes} 1 beginbfchar <61><00660069> endbfchar endcmap end"
    names = "".join(f"/{font} {6 + (1 + len(LETTERS)) * number} 0 R" for number, font in enumerate(GLYPHS))
    shown = " ".join(
        f"BT 1 0 0 1 72 {700 - 20 * row} Tm {' '.join(f'/{font} 10 Tf ({part}) Tj' for font, part in line)} ET"
        for row, line in enumerate(lines)
    )
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<<{names}>>>>>>",
        f"<</Length {len(shown)}>>stream\n{shown}\nendstream",
        f"<</Length {len(cmap)}>>stream\n{cmap}\nendstream",
    ]
    for font, (width, left, right) in GLYPHS.items():
        widths = [width + STEP * number for number in range(len(LETTERS))]
        first = len(objects) + 2
        procedures = "".join(f"/{letter} {first + number} 0 R " for number, letter in enumerate(LETTERS))
        objects.append(
            f"<</Type/Font/Subtype/Type3/FontBBox[0 0 140 80]/FontMatrix[.01 0 0 .01 0 0]/CharProcs<<{procedures}>>"
            f"/Encoding<</Type/Encoding/Differences[97 {' '.join(f'/{letter}' for letter in LETTERS)}]>>"
            f"/FirstChar 97/LastChar 106/Widths{widths}/Resources<<>>"
            f"{'/ToUnicode 5 0 R' if font == LIGATURE else ''}>>".replace(",", "")
        )
        for own in widths:
            edge = right + own - width
            glyph = f"{own} 0 {left} 0 {edge} 80 d1 {left} 0 {edge - left} 80 re f"
            objects.append(f"<</Length {len(glyph)}>>stream\n{glyph}\nendstream")
    body = "".join(f"{number} 0 obj {text} endobj\n" for number, text in enumerate(objects, 1))
    return f"%PDF-1.7\n{body}trailer<</Root 1 0 R/Size {len(objects) + 1}>>".encode()


def faces(*lines: list[tuple[str, str]]) -> list[tuple[str, bool, bool]]:
    """Text, bold and italic of the words of a page."""
    with open_document(type3_pdf(*lines)) as file, open_page(file.document, 1) as page:
        return [(word.text, word.bold, word.italic) for word in page_words(page).words]


def test_words_of_fonts_without_a_name_are_bold_and_italic_by_their_letters() -> None:
    found = faces([(TEXT, "abcdefghij")], [(TEXT, "jihgfedcba")], [(BOLD, "abcde")], [(SLANTED, "hacedig")])
    assert found[1:] == [("jihgfedcba", False, False), ("abcde", True, False), ("hacedig", False, True)]


def test_a_word_that_begins_with_a_ligature_in_another_font_is_as_bold_as_its_letters() -> None:
    found = faces([(TEXT, "abcdefghij")], [(TEXT, "acgi")], [(BOLD, "abcde")], [(LIGATURE, "a"), (BOLD, "egh")])
    assert found[2:] == [("abcde", True, False), ("fiegh", True, False)]
    # A ligature touches its edges: it is no slanted letter.
    assert faces([(TEXT, "abcdefghij")], [(LIGATURE, "a"), (TEXT, "egh")])[-1] == ("fiegh", False, False)
