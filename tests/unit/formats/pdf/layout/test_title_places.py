import pytest

from pincite.formats.pdf.layout.paragraphs import Paragraph
from pincite.formats.pdf.layout.title_places import Place, title_place
from pincite.formats.pdf.page.placed_text import text_of
from support.typed_pages import typed

TEXT = typed("\n".join(["many words of text that fill the lines of a page from one margin to the other one"] * 3))


def paragraph(page: str) -> Paragraph:
    """A paragraph as it is typed."""
    lines = typed(page)
    return Paragraph(tuple(lines), text_of(word for line in lines for word in line.words))


def place_of(title: str, *others: Paragraph) -> Place:
    """The place of a title above some parts."""
    return title_place([paragraph(title), *others], 0)


PROSE = paragraph("\n".join(line.text for line in TEXT))
WIDTH = len(TEXT[0].text)


@pytest.mark.parametrize(
    ("title", "place"),
    [
        ("Scope", Place.LEFT),
        ("Scope".center(WIDTH), Place.CENTRE),
        ("Scope".rjust(WIDTH), Place.RIGHT),
        (" Scope", Place.LEFT),
        ("    Scope", Place.INDENTED),
        (TEXT[0].text, Place.UNKNOWN),
    ],
)
def test_a_title_is_between_the_edges_of_the_text_below_it(title: str, place: Place) -> None:
    assert place_of(title, PROSE) is place


def test_a_title_has_no_place_without_text_in_its_column() -> None:
    assert place_of("Scope") is Place.UNKNOWN
    assert place_of("Scope", paragraph("A few words")) is Place.UNKNOWN
    beside = paragraph("\n".join(" " * 100 + line.text for line in TEXT))
    assert place_of("Scope", beside) is Place.UNKNOWN
    assert place_of("Scope", beside, PROSE) is Place.LEFT


def test_text_above_a_title_shows_its_column_too() -> None:
    assert title_place([PROSE, paragraph("Scope".center(WIDTH))], 1) is Place.CENTRE


def test_a_title_at_the_right_may_end_right_of_the_text_below_it() -> None:
    assert place_of("Scope".rjust(WIDTH + 5), PROSE) is Place.RIGHT
    assert place_of("Scope of it all".rjust(WIDTH + 20), PROSE) is Place.UNKNOWN


@pytest.mark.parametrize(
    ("rest", "place"),
    [
        ("of it".rjust(WIDTH), Place.RIGHT),
        ("of it".center(WIDTH), Place.CENTRE),
        ("of it", Place.LEFT),
        ("          of it", Place.UNKNOWN),
    ],
)
def test_a_title_whose_first_line_fills_its_column_has_the_place_of_its_last_one(rest: str, place: Place) -> None:
    assert place_of(f"{TEXT[0].text}\n{rest}", PROSE) is place
