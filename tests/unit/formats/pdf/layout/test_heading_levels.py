from pincite.formats.pdf.layout.heading_levels import (
    derive_styles,
    known_level,
    placed_looks,
)
from pincite.formats.pdf.layout.headings import Look, Place

BODY = Look(10, bold=False, italic=False, colour=0, capitals=False)


def test_a_level_that_the_outline_cannot_skip_is_that_of_the_look() -> None:
    body, title, section, part = (
        Look(size, bold=False, italic=False, colour=0, capitals=False) for size in (10, 24, 18, 14)
    )
    outlined = [(title, 1), (part, 2), (part, 2), (section, 2), (part, 3), (section, 2)]
    styles = derive_styles([(look, "Name") for look, _ in outlined], body, outlined)
    assert [styles.levels[look] for look in (title, section, part)] == [1, 2, 3]
    assert styles.raised == {part}


def test_the_label_of_a_chapter_has_no_level_of_its_own() -> None:
    body = Look(10, bold=False, italic=False, colour=0, capitals=False)
    label, title, section = (body._replace(size=size, bold=True) for size in (18, 22, 14))
    candidates = [(label, "Chapter 1"), (title, "General"), (section, "1.1 Scope"), (section, "1.2 Terms")]
    styles = derive_styles([*candidates, (label, "Chapter 2"), (title, "Duties")], body)
    assert styles.levels == {title: 1, section: 2}


def test_the_only_title_of_its_look_is_a_heading_if_its_number_is_below_another_s() -> None:
    body = Look(11, bold=False, italic=False, colour=0, capitals=False)
    section, lower = body._replace(size=14, bold=True), body._replace(size=12, bold=True)
    candidates = [(section, "1.3 Dependencies"), (section, "1.4 Load")]
    assert derive_styles([*candidates, (lower, "1.3.1 Clouds")], body).levels == {section: 1, lower: 2}
    assert derive_styles([*candidates, (lower, "1.9.1 Clouds")], body).levels == {section: 1}
    slanted = body._replace(italic=True)
    assert derive_styles([*candidates, (slanted, "1.3.1 Clouds")], body).levels == {section: 1, slanted: 2}


def test_the_only_title_in_capitals_is_a_heading_if_its_type_is_the_largest() -> None:
    body = Look(11, bold=False, italic=False, colour=0, capitals=False)
    title, section = body._replace(size=12, capitals=True), body._replace(bold=True)
    candidates = [(title, "I. GENERAL"), (section, "A. Scope"), (section, "B. Terms")]
    assert derive_styles(candidates, body).levels == {title: 1, section: 2}


def test_the_first_title_is_a_heading_if_its_type_is_a_little_larger_than_that_of_all_others() -> None:
    title, section = BODY._replace(size=11), BODY._replace(bold=True)
    sections = [(section, "Scope"), (section, "Terms")]
    assert derive_styles([(title, "Waste"), *sections], BODY).levels == {title: 1, section: 2}
    assert derive_styles([*sections, (title, "Waste")], BODY).levels == {section: 1}
    assert derive_styles([(BODY._replace(size=10.5), "Waste"), *sections], BODY).levels == {section: 1}
    assert derive_styles([(title, "Waste")], BODY).levels == {title: 1}


def test_titles_in_capitals_and_small_letters_are_of_one_level_if_their_numbers_are_as_deep() -> None:
    body = Look(10, bold=False, italic=False, colour=0, capitals=False)
    title, section = body._replace(size=14, bold=True), body._replace(bold=True)
    capitals = title._replace(capitals=True)
    titles = [(title, "2 Synopsis"), (title, "3 Notes"), (section, "Clauses"), (section, "Types")]
    levels = derive_styles([(capitals, "1 SELECT"), *titles], body).levels
    assert levels == {title: 1, capitals: 1, section: 2}
    levels = derive_styles([(capitals, "I. SALES"), (title, "1.1 Scope"), (title, "1.2 Terms")], body).levels
    assert levels == {capitals: 1, title: 2}


def test_titles_without_a_number_between_numbered_ones_in_their_look_are_below_them() -> None:
    look = BODY._replace(bold=True)
    titles = ["A. Scope", "Persons", "Places", "B. Terms", "Names", "C. Duties", "References"]
    anew = ["A. Scope", "Persons", "Places", "Names", "B. Terms", "A. Duties", "B. Fees"]
    for sections in (titles, anew):
        styles = derive_styles([(look, title) for title in sections], BODY)
        assert sorted((one.depth, level) for one, level in styles.levels.items()) == [(1, 1), (9, 2)]
    behind = ["A. Scope", "B. Terms", "Persons", "Places", "Names", "A. Duties", "B. Fees"]
    assert derive_styles([(look, title) for title in behind], BODY).levels == {look: 1}
    titles = ["Abstract", "1. Scope", "2. Terms", "Remark", "3. Duties", "Thanks", "References"]
    assert derive_styles([(look, title) for title in titles], BODY).levels == {look: 1}


def test_titles_in_the_small_type_of_captions_are_captions() -> None:
    section, small = BODY._replace(bold=True), BODY._replace(size=9, bold=True)
    titles = [(section, "Scope"), (section, "Terms"), (small, "Table 4. Rates"), (small, "Listing 5. A program")]
    assert derive_styles([*titles, (small, "Annex 6. Persons")], BODY).levels == {section: 1}
    lower = [(small, name) for name in ("Persons", "Places", "Names")]
    assert derive_styles([*titles, *lower], BODY).levels == {section: 1, small: 2}


def test_the_labels_of_chapters_have_no_number_for_the_titles_below_them() -> None:
    look = BODY._replace(size=25, bold=True)
    titles = [text for n in range(1, 5) for text in (f"Chapter {n}", "A title of it")]
    assert derive_styles([(look, title) for title in titles], BODY).levels == {look: 1}


def test_a_title_without_a_number_is_on_the_level_of_the_shallowest_numbers_of_its_look() -> None:
    section, look = BODY._replace(size=12, bold=True), BODY._replace(bold=True)
    candidates = [(section, "5.3 Checks"), (section, "5.4 Links")]
    candidates += [(look, title) for title in ("5.3.3 In person", "5.3.3.1 General", "5.3.4 Referees", "Minors")]
    levels = derive_styles(candidates, BODY).levels
    assert levels == {section: 1, look._replace(depth=3): 2, look._replace(depth=4): 3}
    paper = [(look, title) for title in ("Abstract", "1 Introduction", "1.1 Scope", "2 Model", "References")]
    assert derive_styles(paper, BODY).levels == {look._replace(depth=1): 1, look._replace(depth=2): 2}


def test_bold_titles_with_and_without_a_number_are_above_those_in_bold_italics() -> None:
    bold, slanted = BODY._replace(bold=True), BODY._replace(bold=True, italic=True)
    names = [(bold, "Strategy"), (slanted, "Growth"), (slanted, "Talent"), (bold, "Segments"), (bold, "Materials")]
    candidates = [(bold, "Item 1. Business"), *names, (bold, "Item 2. Properties")]
    levels = derive_styles(candidates, BODY).levels
    assert [levels[look] for look in (bold._replace(depth=1), bold._replace(depth=9), slanted)] == [1, 2, 3]


def test_items_of_a_filing_are_on_one_level_with_letters_and_without() -> None:
    look = BODY._replace(bold=True)
    titles = ["Item 1. Business", "Sales", "Item 1A. Risk Factors", "Rates", "Fees", "Item 2. Properties"]
    styles = derive_styles([(look, title) for title in titles], BODY)
    assert [known_level(look, title, styles) for title in titles] == [1, 2, 1, 2, 2, 1]


def test_the_only_title_in_capitals_is_a_heading_also_below_a_running_head() -> None:
    head, title, section = (
        BODY._replace(size=8, italic=True),
        BODY._replace(bold=True, capitals=True),
        BODY._replace(bold=True),
    )
    candidates = [(head, "Studies of Time"), (title, "STATEMENTS"), (section, "Amcor 2020"), (section, "Boeing 2022")]
    assert derive_styles(candidates, BODY).levels == {title: 1, section: 2}


def test_the_only_title_in_the_colour_of_larger_ones_is_a_heading() -> None:
    section, lower = BODY._replace(size=14, colour=0x1F5C99), BODY._replace(size=10.5, colour=0x1F5C99)
    candidates = [(section, "Names"), (lower, "Why units?"), (section, "Labels")]
    assert derive_styles(candidates, BODY).levels == {section: 1, lower: 2}
    assert derive_styles([*candidates, (lower._replace(size=10), "page 3")], BODY).levels == {section: 1, lower: 2}
    assert derive_styles([(look._replace(colour=0), text) for look, text in candidates], BODY).levels == {
        section._replace(colour=0): 1
    }


def test_numbers_rank_looks_of_one_size_and_larger_type_goes_before_them() -> None:
    slanted, bold = BODY._replace(italic=True), BODY._replace(bold=True)
    candidates = [(slanted, "1.1 Scope"), (bold, "1.1.1 Terms"), (bold, "1.1.2 Symbols"), (slanted, "1.2 Duties")]
    assert derive_styles(candidates, BODY).levels == {slanted: 1, bold: 2}
    steps = bold._replace(size=12)
    larger = [(slanted, "1. Open"), (slanted, "2. Close"), (steps, "1.1 Scope"), (steps, "1.2 Terms")]
    assert derive_styles(larger, BODY).levels == {steps: 1, slanted: 2}


def test_no_titles_without_a_number_are_between_those_with_numbers_of_one_part_and_of_two() -> None:
    chapter, slanted, bold = BODY._replace(size=12), BODY._replace(italic=True), BODY._replace(bold=True)
    titles = [(slanted, "1.1. Scope"), (slanted, "1.2. Terms"), (bold, "Fees"), (bold, "Rents")]
    assert derive_styles([(chapter, "1. Law"), *titles], BODY).levels == {chapter: 1, slanted: 2, bold: 3}
    deeper = [(slanted, "1.1.1 Scope"), (bold, "Fees"), (slanted, "1.1.2 Terms"), (bold, "Rents")]
    assert derive_styles([(chapter, "1. Law"), *deeper], BODY).levels == {chapter: 1, bold: 2, slanted: 3}


def test_some_titles_without_a_number_change_no_rank_by_the_numbers_of_the_others() -> None:
    slanted, bold = BODY._replace(italic=True), BODY._replace(bold=True)
    candidates = [(slanted, "1.1 Scope"), (bold, "1.1.1 Terms"), (bold, "1.1.2 Symbols"), (slanted, "1.2 Duties")]
    assert derive_styles([*candidates, (slanted, "Value")], BODY).levels == {slanted: 1, bold: 2}
    assert derive_styles([*candidates, *[(slanted, "Value")] * 2], BODY).levels == {bold: 1, slanted: 2}


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


def test_the_first_title_of_a_document_is_above_its_sections_if_it_alone_is_in_capitals() -> None:
    look = BODY._replace(bold=True)
    capitals = look._replace(capitals=True)
    sections = [(look, "Scope"), (look, "Terms"), (look, "Fees")]
    assert derive_styles([(capitals, "SALE OF RIGHTS"), *sections], BODY).levels == {capitals: 1, look: 2}
    assert derive_styles([*sections, (capitals, "SALE OF RIGHTS")], BODY).levels == {look: 1}


def test_of_titles_at_the_right_and_at_the_left_those_that_come_first_are_above() -> None:
    look = BODY._replace(bold=True)
    right, left = look._replace(place=Place.RIGHT), look._replace(place=Place.LEFT)
    titles = [(right, "Duties"), (left, "Scope"), (right, "Fees"), (left, "Rates")]
    assert derive_styles(titles, BODY).levels == {right: 1, left: 2}
    assert derive_styles(titles[1:] + titles[:1], BODY).levels == {left: 1, right: 2}


def test_a_number_deeper_than_those_of_the_survey_is_a_heading_below_them() -> None:
    look = BODY._replace(bold=True)
    styles = derive_styles([(look, "1 Scope"), (look, "1.1 Terms"), (look, "1.2 Symbols")], BODY)
    assert [known_level(look, text, styles) for text in ("1.3 Units", "1.3.1 Length", "1.3.1.1.1 Feet")] == [2, 3, 3]
