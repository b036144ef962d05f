from pincite.formats.pdf.layout.heading_levels import derive_styles, known_level
from pincite.formats.pdf.layout.headings import Look
from pincite.formats.pdf.layout.placed_looks import placed_looks
from pincite.formats.pdf.layout.title_places import Place

BODY = Look(10, bold=False, italic=False, colour=0, capitals=False)


def test_titles_with_numbers_have_their_level_by_these() -> None:
    centred, left = BODY._replace(place=Place.CENTRE), BODY._replace(place=Place.LEFT)
    titles = [(centred, "1 Duties"), (left, "2 Scope"), (centred, "3 Fees"), (left, "4 Rates")]
    assert placed_looks(titles) == {}
    assert placed_looks([(look, text[2:]) for look, text in titles]) == {BODY: Place.CENTRE}
    # Of two levels at two places one may have numbers.
    lettered = [(centred, "A. Duties"), (left, "Scope"), (centred, "B. Fees"), (left, "Rates"), (left, "Terms")]
    assert placed_looks(lettered) == {}


def test_centred_titles_are_above_those_of_their_type_at_the_left_if_both_come_by_turns() -> None:
    look = BODY._replace(bold=True)
    centred, left = look._replace(place=Place.CENTRE), look._replace(place=Place.LEFT)
    titles = [(centred, "Duties"), (left, "Scope"), (left, "Terms"), (centred, "Fees"), (left, "Rates")]
    styles = derive_styles(titles, BODY)
    assert styles.levels == {centred: 1, left: 2}
    # A title that fills its column is at the place of most.
    assert known_level(look, "Rates of the first year", styles) == 2
    cover = [(centred, "Report"), (centred, "Of the year"), (left, "Scope"), (left, "Terms")]
    assert derive_styles(cover, BODY).levels == {look: 1}


def test_the_first_title_of_a_document_is_above_its_sections_if_it_alone_is_centred_or_in_capitals() -> None:
    look = BODY._replace(bold=True)
    centred, left, capitals = (
        look._replace(place=Place.CENTRE),
        look._replace(place=Place.LEFT),
        look._replace(capitals=True),
    )
    sections = [(left, "Scope"), (left, "Terms"), (left, "Fees")]
    assert derive_styles([(centred, "Sale of rights"), *sections], BODY).levels == {centred: 1, left: 2}
    assert derive_styles([(capitals, "SALE OF RIGHTS"), *sections], BODY).levels == {capitals: 1, look: 2}
    assert derive_styles([*sections, (centred, "Sale of rights")], BODY).levels == {look: 1}
    assert derive_styles([*sections, (capitals, "SALE OF RIGHTS")], BODY).levels == {look: 1}


def test_of_titles_at_the_right_and_at_the_left_those_that_come_first_are_above() -> None:
    look = BODY._replace(bold=True)
    right, left = look._replace(place=Place.RIGHT), look._replace(place=Place.LEFT)
    titles = [(right, "Duties"), (left, "Scope"), (right, "Fees"), (left, "Rates")]
    assert derive_styles(titles, BODY).levels == {right: 1, left: 2}
    assert derive_styles(titles[1:] + titles[:1], BODY).levels == {left: 1, right: 2}
