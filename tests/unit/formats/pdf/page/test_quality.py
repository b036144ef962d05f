import pytest

from pincite.formats.pdf.page.quality import agrees, is_english, overrules, recognised_words
from pincite.formats.pdf.page.words import Word
from pincite.model.document import Box
from pincite.model.recognition import RecognisedLine, RecognisedPage, RecognisedWord
from support.pdf_read import document, hidden, read
from support.pdfs import DOT, PARAGRAPH, Filled, Text, column, pdf, prose

PRINTED = "the total of all items is due within thirty days of the invoice"


def test_a_scan_is_named_as_not_read() -> None:
    found = read(prose(), [Filled(0, 0, 612, 792, picture=True)])
    assert [failure.page for failure in found.coverage.failed] == [2]
    assert "OCR" in found.coverage.failed[0].reason
    assert (found.coverage.pages, found.coverage.read) == (2, 1)


def test_a_scan_in_a_form_is_one() -> None:
    form = "<</Type/XObject/Subtype/Form/BBox[0 0 1 1]/Resources<</XObject<</P 1 0 R>>>>/Length 5>>"
    data = pdf([Filled(0, 0, 612, 792, picture=True)], objects=[DOT], picture=f"{form}\nstream\n/P Do\nendstream")
    found = document(data)
    assert found.coverage.needs_ocr == 1 and "OCR" in found.coverage.reasons


def test_the_text_layer_of_a_scan_is_read_and_said_to_be_one() -> None:
    lines = [Text(line, y=100 + 12 * n, mode=3) for n, line in enumerate(PARAGRAPH)]
    found = read([Filled(0, 0, 612, 792, picture=True), *lines, Text("too small", y=300, mode=3, size=1)])
    assert found.text == " ".join(PARAGRAPH) + "\n"
    assert found.coverage.complete and "recognised in a picture (OCR)" in found.warnings[0]
    assert found.coverage.ocr_pages == (1,)
    assert hidden(found) == ["too small"]


def test_an_empty_page_is_read() -> None:
    found = read(prose(), [])
    assert found.coverage.complete and found.coverage.read == 2


def test_letters_without_a_meaning_are_said_to_be_in_doubt() -> None:
    found = read([*prose(), *column("(cid:12)(cid:13)(cid:14)(cid:15)", y=300)])
    assert "garbage" in found.coverage.failed[0].reason and found.text


def test_a_font_that_does_not_say_what_it_prints_needs_recognition_and_is_not_blank() -> None:
    found = read(prose(), column(*["ABCDEFGH" * 5] * 20, font="U"))
    (failure,) = found.coverage.failed
    assert failure.page == 2 and "do not say which characters" in failure.reason and "OCR" in failure.reason
    assert found.coverage.needs_ocr == 1 and not found.coverage.complete


def test_a_page_says_how_many_characters_it_lacks() -> None:
    found = read([*prose(), *prose(y=300), Text("\x01\x03\x04\x05 \x06\x07", y=600), Text("\x01\x03", y=620)])
    (failure,) = found.coverage.failed
    assert failure.reason == "8 characters of the page were not read: their font does not say which they are"
    assert found.coverage.needs_ocr == 0 and not found.coverage.complete


def test_bullets_without_a_character_are_no_lost_text() -> None:
    assert read([*prose(times=3), *column(*["\x01 item"] * 12, y=300)]).coverage.complete


def test_english_words_prove_a_text_whatever_its_fonts_do_not_say() -> None:
    line = "The reader finds these words as they are printed here, with or without a map of them."
    assert is_english(line.split())
    assert not is_english(["Uif", "sfbefs", "gjoet", "uiftf", "xpset", "bt", "uifz", "bsf", "qsjoufe"] * 3)
    assert not is_english(["The", "reader", "finds"])
    # A title page has few words, but long ones.
    assert is_english(["Discrimination", "and", "Calibration", "Terry", "Therneau", "February", "6,", "2023"])
    assert not is_english(["Ejtdsjnjobujpo", "boe", "Dbmjcsbujpo", "Ufssz", "Uifsofbv", "Gfcsvbsz"])


def page(*lines: tuple[str, float], confidence: float = 0.98) -> RecognisedPage:
    made: list[RecognisedLine] = []
    for number, (text, height) in enumerate(lines):
        top, left, words = 20.0 * number, 10.0, list[RecognisedWord]()
        for word in text.split():
            words.append(RecognisedWord(word, Box(left, top, left + 5 * len(word), top + height), confidence))
            left += 5 * len(word) + 1
        made.append(RecognisedLine(tuple(words), height))
    return RecognisedPage(1, 600, 800, lines=tuple(made))


def layer(text: str) -> list[Word]:
    return recognised_words(page((text, 10))).words


def test_lines_of_about_one_height_have_one_size() -> None:
    words = recognised_words(page(("Heading", 20), ("body with y", 11), ("more", 10), ("text of it", 10.5))).words
    sizes = {word.text: word.size for word in words}
    assert sizes["body"] == sizes["more"] == sizes["text"] < sizes["Heading"]


def test_words_that_an_engine_boxes_close_together_stay_two() -> None:
    one, two = recognised_words(page(("close together", 10))).words
    assert two.x0 - one.x1 == pytest.approx(0.3 * one.size)
    assert (one.y0, one.y1) == (two.y0, two.y1)


def test_a_layer_that_says_what_is_printed_is_kept() -> None:
    assert agrees(layer(PRINTED), page((PRINTED, 10)))
    assert not overrules(layer(PRINTED), page((PRINTED, 10)))


def test_garbage_is_overruled() -> None:
    assert overrules(layer("wkh wrwdo ri doo lwhpv lv gxh zlwklq"), page((PRINTED, 10)))


@pytest.mark.parametrize(
    ("text", "confidence"),
    [("wkh wrwdo ri doo lwhpv", 0.8), ("المجموع المستحق خلال ثلاثين يوما", 0.98)],
    ids=["uncertain", "script that the engine has not learned"],
)
def test_a_layer_is_never_overruled_by_what_may_be_wrong_itself(text: str, confidence: float) -> None:
    assert not overrules(layer(text), page((PRINTED, 10), confidence=confidence))


def test_nothing_recognised_overrules_nothing() -> None:
    assert not overrules(layer(PRINTED), RecognisedPage(1, 600, 800))
    assert not agrees(layer(PRINTED), RecognisedPage(1, 600, 800))
