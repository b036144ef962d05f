from pincite.model.document import AsideKind, Document
from support.pdf_layout import read
from support.pdfs import Text, prose


def asides(document: Document, kind: AsideKind) -> list[tuple[int | None, str]]:
    return [(aside.page, aside.text) for aside in document.asides if aside.kind is kind]


def test_running_heads_and_feet_are_kept_apart() -> None:
    pages = [
        [Text("A Report", y=30), *prose(y=100), Text(f"Page {number} of 4", x=280, y=770)] for number in range(1, 5)
    ]
    found = read(*pages)
    assert "Report" not in found.text
    assert asides(found, AsideKind.HEADER) == [(number, "A Report") for number in range(1, 5)]
    assert asides(found, AsideKind.FOOTER) == [(number, f"Page {number} of 4") for number in range(1, 5)]


def test_pages_that_begin_with_the_same_text_keep_it() -> None:
    found = read(*[[*prose(y=60), *prose(y=96), *prose(y=132)]] * 4)
    assert not found.asides


def test_the_second_of_two_pages_has_no_head_that_the_first_one_keeps() -> None:
    pages = [[Text("Draft", x=500, y=30, font="B"), *prose(y=100)] for _ in range(2)]
    found = read(*pages)
    assert asides(found, AsideKind.HEADER) == [(2, "Draft")]
    assert found.text.count("Draft") == 1 and "#" not in found.text
    moved = [[Text("Draft", x=x, y=30), *prose(y=100)] for x in (400, 500)]
    assert not read(*moved).asides


def test_page_numbers_in_roman_numerals_are_running_feet() -> None:
    found = read(*[[*prose(y=100), Text(number, x=300, y=770)] for number in ("ii", "iii")])
    assert asides(found, AsideKind.FOOTER) == [(1, "ii"), (2, "iii")]


def test_heads_that_change_with_the_chapter_are_told_by_their_page_numbers() -> None:
    names = ("Introduction", "Methods", "Results", "Discussion", "Summary")
    pages = [[Text(f"{name} {number + 10}", y=30), *prose(y=100)] for number, name in enumerate(names)]
    assert [text for _, text in asides(read(*pages), AsideKind.HEADER)] == [
        f"{name} {n + 10}" for n, name in enumerate(names)
    ]


def test_a_heading_at_the_top_of_every_page_stays_if_it_is_large_or_moves() -> None:
    large = [[Text("Control Objective", y=40, size=16), *prose(y=100)] for _ in range(4)]
    moving = [[Text("Control Objective", y=40 + 12 * n, font="B"), *prose(y=130)] for n in range(4)]
    assert not read(*large).asides
    assert not read(*moving).asides


def test_a_banner_that_most_pages_repeat_is_a_head_but_for_the_title_on_the_first() -> None:
    pages = [[Text("Care of Roses", y=40, size=18), *prose(y=100)] for _ in range(8)]
    found = read(*pages)
    assert found.text.count("Care of Roses") == 1
    assert asides(found, AsideKind.HEADER) == [(number, "Care of Roses") for number in range(2, 9)]


def test_a_banner_may_have_a_number_that_is_the_same_on_all_pages() -> None:
    found = read(*[[Text("IST8303", y=40, size=18), *prose(y=100)] for _ in range(8)])
    assert found.text.count("IST8303") == 1


def test_page_numbers_in_larger_type_are_heads_and_the_numbers_of_chapters_are_titles() -> None:
    pages = [[*prose(y=100), Text(str(number + 4), x=300, y=770, size=16)] for number in range(1, 9)]
    assert asides(read(*pages), AsideKind.FOOTER) == [(number, str(number + 4)) for number in range(2, 9)]
    chapters = [[Text(str(number // 2), y=40, size=18), *prose(y=100)] for number in range(1, 9)]
    assert not read(*chapters).asides


def test_a_large_heading_with_a_number_on_every_page_stays() -> None:
    found = read(*[[Text(f"Record {number}", y=40, size=18), *prose(y=100)] for number in range(1, 9)])
    assert not found.asides


def test_a_numbered_line_that_is_all_of_each_page_is_its_text() -> None:
    found = read(*[[Text(f"Clause {number} binds the supplier")] for number in range(1, 41)])
    assert found.text.split("\n")[16] == "Clause 17 binds the supplier"
    assert not found.asides


def test_a_page_number_below_the_only_line_of_each_page_is_a_foot() -> None:
    pages = [[Text(f"Clause {n} binds the supplier"), Text(f"Page {n} of 9", x=280, y=770)] for n in range(1, 10)]
    found = read(*pages)
    assert found.text.split("\n")[4] == "Clause 5 binds the supplier"
    assert asides(found, AsideKind.FOOTER)[4] == (5, "Page 5 of 9")


def test_the_head_of_a_page_without_text_of_its_own_is_no_text_if_other_pages_have_some() -> None:
    full = [[Text("A Report", y=30), *prose(y=100)] for _ in range(5)]
    found = read(*full, [Text("A Report", y=30)])
    assert asides(found, AsideKind.HEADER)[-1] == (6, "A Report")


def test_a_head_with_its_page_number_is_none_of_an_empty_page() -> None:
    names = ("Introduction", "Methods", "Results", "Discussion", "Summary")
    pages = [[Text(f"{name} {number + 10}", y=30), *prose(y=100)] for number, name in enumerate(names)]
    found = read(*pages[:3], [Text("Interlude 13", y=30)], pages[4])
    assert "Interlude" not in found.text
    assert (4, "Interlude 13") in asides(found, AsideKind.HEADER)


def test_sections_that_begin_the_pages_keep_their_numbers_and_titles() -> None:
    titles = ("Scope", "Terms", "Duties", "Payment", "Delay", "Notice", "Law")
    found = read(*[[Text(f"{n} {title}"), *prose(y=100)] for n, title in enumerate(titles, 1)])
    assert not found.asides
    assert all(title in found.text for title in titles)


def test_heads_of_short_chapters_are_told_by_the_place_of_heads() -> None:
    names = [f"{one} {other}" for one in ("Early", "Late", "Plain", "Open") for other in ("Stones", "Rivers", "Towns")]
    left = [[Text("A History of the Land", y=30), *prose(y=100, times=3)] for _ in range(24)]
    right = [[Text(names[n // 2], x=400, y=30), *prose(y=100, times=3)] for n in range(24)]
    found = read(*(page for both in zip(left, right, strict=True) for page in both))
    assert len(asides(found, AsideKind.HEADER)) == 48
    assert "Rivers" not in found.text


def test_heads_whose_one_side_changes_on_each_page_are_told_by_the_other() -> None:
    sections = ("Aims", "Terms", "Roles", "Tools", "Files", "Rules")
    pages = [
        [Text("Chapter 5. Basics", y=30), Text(f"5.{n}. {name}", x=400, y=30), *prose(y=100)]
        for n, name in enumerate(sections, 1)
    ]
    found = asides(read(*pages), AsideKind.HEADER)
    assert [text for _, text in found] == [f"Chapter 5. Basics 5.{n}. {name}" for n, name in enumerate(sections, 1)]


def test_heads_in_a_type_of_their_own_may_change_on_each_page() -> None:
    names = ("The scope", "What is meant", "Who pays", "The end")
    pages = [[Text(f"{number}.1 {name}", y=30, font="I"), *prose(y=100)] for number, name in enumerate(names, 1)]
    assert [text for _, text in asides(read(*pages), AsideKind.HEADER)] == [page[0].text for page in pages]
    # Bold ones may be the headings of the pages, and those in the type of the text its first lines.
    for font in "BF":
        pages = [[Text(f"{n}.1 {name}", y=30, font=font), *prose(y=100)] for n, name in enumerate(names, 1)]
        assert not read(*pages).asides


def test_rows_of_a_table_at_the_top_of_pages_are_no_heads() -> None:
    names = ("Bolt", "Nut", "Washer", "Screw", "Rivet", "Pin")
    pages = [
        [
            Text(name, y=60),
            Text("in stock", x=400, y=60),
            Text(name * 2, y=74),
            Text("sold", x=400, y=74),
            *prose(y=100),
        ]
        for name in names
    ]
    assert not read(*pages).asides


def test_names_of_columns_that_a_table_repeats_on_each_page_are_no_heads() -> None:
    def page(number: int, left: int) -> list[Text]:
        names = [Text("Name", x=72, y=60, font="B"), Text("State", x=left, y=60, font="B")]
        bolts = [Text(f"Bolt {'abcd'[number]}{'xyz'[row]}", x=72, y=78 + 13 * row) for row in range(3)]
        return [*names, *bolts, *(Text("sold", x=300, y=78 + 13 * row) for row in range(3)), *prose(y=130)]

    assert not read(*(page(number, left=300) for number in range(4))).asides
    apart = read(*(page(number, left=400) for number in range(4)))
    assert len(asides(apart, AsideKind.HEADER)) == 4


def test_page_numbers_below_the_text_of_pages_that_are_not_full_are_feet() -> None:
    pages = [
        [*prose(y=100), *prose(y=160, times=n % 3), Text(f"A-{n}", x=300, y=240 + 60 * (n % 3))] for n in range(1, 9)
    ]
    assert asides(read(*pages), AsideKind.FOOTER) == [(n, f"A-{n}") for n in range(1, 9)]


def test_a_number_below_the_text_that_does_not_rise_with_the_pages_is_text() -> None:
    pages = [[*prose(y=100), Text(str(7 * n % 11), x=300, y=240)] for n in range(1, 9)]
    assert not read(*pages).asides


def test_a_first_row_in_plain_type_that_repeats_a_title_is_a_head_of_a_short_document() -> None:
    titles = [Text("1.2 How to use it", y=100, size=14, font="B"), *prose(y=130)]
    head, other = Text("1.2 How to use it", x=400, y=40), Text("1.3 What to use it for", x=400, y=40)
    found = read([head, *titles], [head, *prose(y=100)], [other, *prose(y=100)])
    assert asides(found, AsideKind.HEADER) == [(1, head.text), (2, head.text)]
