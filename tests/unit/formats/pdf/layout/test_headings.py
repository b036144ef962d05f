from collections import Counter
from dataclasses import replace

import pytest

from pincite.formats.pdf.layout.headings import Look, Place, heading_look, largest_text_look, title_place
from pincite.formats.pdf.layout.paragraphs import Paragraph
from pincite.formats.pdf.page.placed_text import text_of
from pincite.formats.pdf.page.words import line_of
from pincite.model.document import BlockKind, Document
from support.pdf_layout import JOINED, read
from support.pdf_read import blocks, shown
from support.pdfs import Filled, Text, column, prose
from support.typed_pages import typed, word

BODY = Look(10, bold=False, italic=False, colour=0, capitals=False)
TEXT = typed("\n".join(["many words of text that fill the lines of a page from one margin to the other one"] * 3))


def headings(document: Document) -> list[tuple[int, str]]:
    return [(block.level, block.title) for block in blocks(document) if block.kind is BlockKind.HEADING]


def test_larger_and_bold_lines_are_headings_ranked_by_prominence() -> None:
    def chapter(number: int) -> list[Text | Filled]:
        return [
            Text(f"Chapter {number} of it", y=72, size=20),
            *prose(y=110),
            Text("A part of it", y=180, font="B"),
            *prose(y=210),
            Text("An aside", y=280, font="I"),
            *prose(y=310),
        ]

    found = read(chapter(1), chapter(2))
    expected = [(2, "A part of it"), (3, "An aside")]
    assert headings(found) == [(1, "Chapter 1 of it"), *expected, (1, "Chapter 2 of it"), *expected]


def test_a_title_with_a_name_of_code_is_a_heading_in_larger_type_alone() -> None:
    def part(number: int, size: float, y: float) -> list[Text | Filled]:
        words = [Text(f"{number} The", y=y, size=size, font="B"), Text("dak ls", x=130, y=y, size=size, font="C")]
        return [*words, *prose(y=y + 30)]

    found = read([*part(1, 12, 72), *part(2, 12, 150), *part(3, 10, 230), *part(4, 10, 310)])
    assert headings(found) == [(1, "1 The dak ls"), (1, "2 The dak ls")]


def numbered(number: str, title: str, y: float, font: str = "C") -> list[Text | Filled]:
    return [Text(number, y=y, font="B"), Text(title, x=130, y=y, font=font), *prose(y=y + 30)]


def test_a_name_of_code_behind_a_bold_number_with_two_parts_is_a_heading() -> None:
    found = read([*numbered("8.25.1", "set_seed/1", 72), *numbered("8.25.2", "get_seed/1", 150)])
    assert headings(found) == [(1, "8.25.1 set_seed/1"), (1, "8.25.2 get_seed/1")]
    assert headings(read([*numbered("8.25.1", "set it", 72, "F"), *numbered("8.25.2", "get it", 150, "F")])) == []


def test_letters_of_a_script_without_bold_type_are_a_title_behind_a_bold_number() -> None:
    def look(number: str, title: str) -> Look | None:
        words = [word(number, 0, 0, bold=True), word(title, 60, 0, first=10)]
        return heading_look(Paragraph((line_of(words),), text_of(words)), BODY)

    assert look("5.4.2", "\u8a2d\u554f") == BODY._replace(bold=True)
    assert look("5.4.2", "\u8a2d\u554f\u3002") is look("5.", "\u8a2d\u554f") is look("5.4.2", "Questions") is None


def test_a_title_in_small_letters_behind_a_number_with_more_digits_is_a_heading() -> None:
    page = [Text("4.31.2.4 eta", y=60, font="B"), *prose(y=90), Text("4.31.2.5 phi", y=150, font="B"), *prose(y=180)]
    assert headings(read(page)) == [(1, "4.31.2.4 eta"), (1, "4.31.2.5 phi")]


def test_a_title_in_larger_type_behind_a_number_with_two_parts_is_a_heading() -> None:
    def page(*texts: str) -> list[Text | Filled]:
        parts: list[Text | Filled] = [*prose()]
        for n, text in enumerate(texts):
            parts += [Text(text, y=160 + n * 90, size=12), *prose(y=185 + n * 90)]
        return parts[:-3]  # the last has no paragraph below it

    assert [title for _, title in headings(read(page("3.1 Global", "3.2 Others")))] == ["3.1 Global", "3.2 Others"]
    assert headings(read(page("A line that is as large"))) == []


@pytest.mark.parametrize(("below", "expected"), [("It is informative.", [1, 2, 2]), ("Informative parts", [1, 1])])
def test_the_first_title_in_larger_type_leads_a_sentence(below: str, expected: list[int]) -> None:
    page = [Text("Privacy considerations", y=60, size=12), Text(below, y=85)]
    for number, y in enumerate((130, 230)):
        page += [Text(f"Notice {number * 'and consent'}", y=y, font="B"), *prose(y=y + 25)]
    assert [level for level, _ in headings(read(page))] == expected


def test_a_bold_title_whose_look_no_page_of_the_survey_has_is_a_heading_by_its_number() -> None:
    page = [Text("5.1.2 Numbers", y=60, font="B"), *prose(y=90), Text("Numbers", y=160, font="I"), *prose(y=190)]
    assert headings(read(page)) == [(1, "5.1.2 Numbers")]


def test_the_only_title_of_its_size_is_below_those_in_larger_type() -> None:
    texts = [("Metric names", 20), ("Why names have units", 14), ("Labels", 20), ("Base units", 20)]
    page = [
        part
        for n, (text, size) in enumerate(texts)
        for part in (Text(text, y=60 + n * 90, font="B", size=size), *prose(y=85 + n * 90))
    ]
    assert [level for level, _ in headings(read(page))] == [1, 2, 1, 1]


def test_the_entries_of_a_table_of_contents_are_no_headings() -> None:
    entries = [
        part
        for n in range(1, 5)
        for part in (Text(f"{n} Methods", y=60 + 20 * n, font="B"), Text(f"{9 * n}", x=500, y=60 + 20 * n, font="B"))
    ]
    assert headings(read([*entries, Text("4 Methods", y=200, font="B"), *prose(y=230)], [*prose()])) == []
    titles = [Text("Methods", y=200, font="B"), *prose(y=230), Text("Those of 22", y=300, font="B"), *prose(y=330)]
    assert headings(read([*entries, *titles])) == [(1, "Methods"), (1, "Those of 22")]


@pytest.mark.parametrize("font", ["CMMI12", "LMMathItalic12-Regular", "CMSY10"])
def test_a_formula_in_larger_type_is_no_heading(font: str) -> None:
    words = [replace(word("M(X)", 0, 0, size=14), font=font), word("=", 40, 0, first=5, size=14)]
    assert heading_look(Paragraph((line_of(words),), text_of(words)), BODY) is None
    words = [replace(word("M(X)", 0, 0, size=14), font=font), word("Models", 40, 0, first=5, size=14)]
    assert heading_look(Paragraph((line_of(words),), text_of(words)), BODY) is not None


def test_slanted_code_is_no_heading() -> None:
    def look(font: str) -> Look | None:
        words = [replace(word("Text", 0, 0), font=font, italic=True)]
        return heading_look(Paragraph((line_of(words),), text_of(words)), BODY)

    assert look("LMMonoSlant10-Regular") is None
    assert look("LMRomanSlant10-Regular") is not None


@pytest.mark.parametrize("code", ["<features>", "| Some x", "</info>", "-o name", "[1] TRUE"])
def test_bold_type_that_begins_as_code_does_is_no_heading(code: str) -> None:
    texts = ("Some of it", code, code)
    page = [
        part for n, text in enumerate(texts) for part in (Text(text, y=60 + n * 90, font="B"), *prose(y=85 + n * 90))
    ]
    assert [title for _, title in headings(read(page))] in ([], ["Some of it"])


@pytest.mark.parametrize("label", [("CHAPTER", "FIVE"), ("Chapter 5",), ("Appendix A",), ("Article 5",)])
def test_what_is_above_the_title_of_a_chapter_is_no_heading(label: tuple[str, ...]) -> None:
    above = [Text(line, y=60 + 40 * number, size=18, font="B") for number, line in enumerate(label)]
    page = [*above, Text("Control Files", y=160, size=24, font="B"), *prose(y=200)]
    assert headings(read(page)) == [(1, "Control Files")]
    assert shown(read(page))[0] == ("paragraph", label[0])


def test_the_label_of_a_chapter_in_the_look_of_its_title_is_on_no_level() -> None:
    def chapter(number: int, title: str, y: float) -> list[Text | Filled]:
        label = [Text(f"CHAPTER {number}", y=y, size=14, font="B"), Text(title, y=y + 30, size=14, font="B")]
        return [*label, *prose(y=y + 60)]

    page = [*chapter(1, "CONTROL FILES", 60), *chapter(2, "V5.1 INPUT", 200), *chapter(3, "V5.2 OUTPUT", 340)]
    assert headings(read(page)) == [(1, "CONTROL FILES"), (1, "V5.1 INPUT"), (1, "V5.2 OUTPUT")]


def test_the_number_of_a_chapter_without_a_title_and_a_part_are_headings() -> None:
    page = [Text("Chapter 5", y=60, size=18, font="B"), *prose(y=100)]
    assert headings(read(page)) == [(1, "Chapter 5")]
    page = [Text("Part II", y=60, size=18, font="B"), Text("Item 5", y=90, size=14, font="B"), *prose(y=120)]
    assert [title for _, title in headings(read(page))] == ["Part II", "Item 5"]
    page = [Text("Appendix", y=60, size=18, font="B"), Text("A Proofs", y=90, size=14, font="B"), *prose(y=120)]
    assert [title for _, title in headings(read(page))] == ["Appendix", "A Proofs"]


def test_headings_of_one_look_are_told_apart_by_their_numbers() -> None:
    texts = ("1 Scope", "1.1 Terms", "1.2 Symbols", "2 Methods", "2.1 Samples")
    page = [
        part for n, text in enumerate(texts) for part in (Text(text, y=60 + n * 90, font="B"), *prose(y=85 + n * 90))
    ]
    assert headings(read(page)) == [(1, texts[0]), (2, texts[1]), (2, texts[2]), (1, texts[3]), (2, texts[4])]


def test_what_is_in_brackets_is_no_heading() -> None:
    page = [Text("A title", font="B"), Text("(in millions)", y=96, font="B"), *prose(y=130)]
    assert headings(read(page, page)) == [(1, "A title")] * 2


def test_a_title_in_italics_may_have_its_number_in_the_type_of_the_text() -> None:
    def part(number: str, title: str, y: float) -> list[Text | Filled]:
        return [Text(number, x=200, y=y), Text(title, x=224, y=y, font="I"), *prose(y=y + 30)]

    found = read([*prose(y=60), *part("1.2.", "Some Examples", 140), *part("1.3.", "Collusion", 240)])
    assert headings(found) == [(1, "1.2. Some Examples"), (1, "1.3. Collusion")]
    assert headings(read([*part("1.", "Some Examples", 140), *part("2.", "Collusion", 240)])) == []


def test_the_label_of_a_note_is_no_heading() -> None:
    texts = ("Tips of it", "Note", "Achtung!", "Note")
    page = [
        part for n, text in enumerate(texts) for part in (Text(text, y=60 + n * 90, font="B"), *prose(y=85 + n * 90))
    ]
    assert headings(read(page)) == [(1, "Tips of it")]


def test_a_bold_beginning_of_a_paragraph_is_no_heading() -> None:
    found = read([Text("Note.", font="B"), Text("The quick brown fox jumps over the lazy dog.", x=104), *prose(y=84)])
    assert shown(found) == [("paragraph", "Note. The quick brown fox jumps over the lazy dog."), ("paragraph", JOINED)]


FOX = "The quick brown fox jumps over the lazy dog and the others."


def run_in(number: str, title: str, text: str, y: float) -> list[Text | Filled]:
    words = [Text(number, y=y), Text(title, x=92, y=y, font="B"), Text(text, x=149, y=y)]
    return [*words, *column(FOX, y=y + 12)]


def test_a_numbered_title_in_bold_that_begins_a_paragraph_is_a_heading() -> None:
    found = read(
        [*prose(), *run_in("2.1.", "Scope of it.", "All of this is text, and so is all of the next line", 120)]
    )
    assert shown(found)[1:] == [
        ("heading", "# 2.1. Scope of it."),
        ("paragraph", f"All of this is text, and so is all of the next line {FOX}"),
    ]


@pytest.mark.parametrize(("number", "title"), [("2.", "Scope of it."), ("2.1.", "Scope of it"), ("2.1.", "of it.")])
def test_other_bold_words_that_begin_a_paragraph_are_none(number: str, title: str) -> None:
    assert not headings(read([*prose(), *run_in(number, title, "All of this is text.", 120)]))


def test_a_title_of_few_letters_after_a_number_of_many_digits_is_a_heading() -> None:
    page = [Text("5.4 F1", y=60, font="B", size=14), *prose(y=90), Text("5.3 Scope", y=150, font="B", size=14)]
    assert [title for _, title in headings(read([*page, *prose(y=180)]))] == ["5.4 F1", "5.3 Scope"]


def test_a_single_bold_title_among_those_in_capitals_is_a_heading() -> None:
    def titled(title: str, y: float) -> list[Text | Filled]:
        return [Text(title, y=y, font="B"), *prose(y=y + 25)]

    pages = [*titled("METHODS", 60), *titled("RESULTS", 150), *titled("Thanks", 240)]
    assert [title for _, title in headings(read(pages))] == ["METHODS", "RESULTS", "Thanks"]
    assert headings(read(titled("Thanks", 240))) == []


def test_a_sentence_in_bold_is_no_heading() -> None:
    assert not headings(read([Text("This is said with force.", y=60, font="B"), *prose(y=90)] * 1))


def test_a_bold_line_with_a_number_of_two_parts_is_a_heading_also_before_a_full_stop() -> None:
    page = [
        Text("2.2. Handling of it.", y=60, font="B"),
        *prose(y=90),
        Text("2.3. Rest.", y=150, font="B"),
        *prose(y=180),
    ]
    assert headings(read(page)) == [(1, "2.2. Handling of it."), (1, "2.3. Rest.")]
    assert headings(read([Text("2. Call it.", y=60, font="B"), *prose(y=90)])) == []


def test_of_two_titles_with_one_text_on_a_page_the_outline_names_the_larger() -> None:
    parts = [("Date", 20), ("Terms", 16), ("Date", 13), ("Fees", 13)]
    page = [
        part
        for n, (title, size) in enumerate(parts)
        for part in (Text(title, y=60 + 90 * n, size=size, font="B"), *prose(y=90 + 90 * n))
    ]
    found = read(page, outline=(("Date", 0), ("Terms", 0)))
    assert headings(found)[-1] == (2, "Fees")


def test_the_outline_names_headings_that_look_like_text() -> None:
    page = [Text("Scope", y=60), *prose(y=100, times=2)]
    assert headings(read(page, outline=(("Scope", 1),))) == [(1, "Scope")]
    assert headings(read(page)) == []


def test_of_two_texts_with_a_title_of_the_outline_the_larger_is_the_heading() -> None:
    """A list names the headings below it."""
    page = [Text("Scope", y=60), *prose(y=100), Text("Scope", y=200, size=16), *prose(y=230, times=2)]
    assert headings(read(page, outline=(("Scope", 1),))) == [(1, "Scope")]


def test_code_that_is_most_of_a_document_is_not_its_body_text() -> None:
    code = [
        line
        for n in range(6)
        for line in column(*["print(value)  # shown as it is"] * 6, y=200 + 80 * n, size=8, font="C")
    ]
    found = read([Text("A Title", y=60, size=16, font="B"), *prose(y=90), Text("Now look at this", y=160), *code])
    assert [block.title for section in found.sections for block in section.blocks if block.title] == ["A Title"]


def test_body_text_on_a_page_of_small_print_is_no_heading() -> None:
    small = [line for part in range(8) for line in column(*["Small print of references goes on"] * 6, y=90 + 75 * part)]
    small = [Text(part.text, y=part.y, size=7) for part in small]
    found = read(prose(times=9), prose(times=9), [*small, Text("What the others are set in", y=740)])
    assert headings(found) == []


def test_a_stamp_on_the_side_is_no_heading() -> None:
    stamp = Text("A stamp in the margin", x=30, y=600, size=20, turn=(0, 1))
    assert headings(read([stamp, *prose(times=3)])) == []
    side = [Text(line.text, x=100 + line.y, y=600, turn=(0, 1)) for line in prose(times=3)]
    assert headings(read([stamp, *side])) == [(1, "A stamp in the margin")]


def test_captions_are_no_headings_but_show_that_their_look_is_one_of_headings() -> None:
    texts = ("Table 6.1: Size of the market", "Growth of the market", "Source: the panorama of industry, 1997")
    page = [
        part for n, text in enumerate(texts) for part in (Text(text, y=60 + n * 90, font="B"), *prose(y=85 + n * 90))
    ]
    assert headings(read(page)) == [(1, texts[1])]


def test_names_of_code_in_capitals_are_no_headings() -> None:
    page = [
        part
        for n, title in enumerate(("REMOTE_ADDR", "THE_REQUEST"))
        for part in (Text(title, y=60 + n * 90), *prose(y=85 + n * 90))
    ]
    assert headings(read(page)) == []


def test_a_name_of_code_is_a_heading_where_others_in_its_look_are() -> None:
    page = [
        part
        for n, title in enumerate(("CAPACITY", "MAX_SHARDS"))
        for part in (Text(title, y=60 + n * 90, font="B"), *prose(y=85 + n * 90))
    ]
    assert headings(read(page)) == [(1, "CAPACITY"), (1, "MAX_SHARDS")]


def test_a_title_in_larger_type_may_have_many_lines_in_a_narrow_column() -> None:
    title = column(
        "On the effects of",
        "the slipstream as",
        "determined from",
        "distributions on",
        "a large model of",
        "it",
        size=16,
    )
    assert len(headings(read([*title, *prose(y=300, times=3)]))) == 1


def test_a_long_sentence_in_larger_type_leads_into_a_text_and_is_no_heading() -> None:
    lead = column(
        "The directors present their report together with the audited",
        "financial statements of the company and of its subsidiaries for",
        "the year that ended in June. They are responsible for both of",
        "them, and for the controls that their preparation asks for.",
        y=100,
        size=16,
    )
    title = Text("Report of the directors", y=60, size=20)
    assert [title for _, title in headings(read([title, *lead, *prose(y=200, times=3)]))] == ["Report of the directors"]


def test_titles_in_larger_type_below_each_other_are_two_if_the_first_has_room_for_the_next_word() -> None:
    titles = [Text("Quick search", y=60, size=16), Text("Navigation", y=84, size=16)]
    long = [
        Text("What the committee of experts decided in the matter", y=300, size=16),
        Text("of rivers", y=320, size=16),
    ]
    found = headings(read([*titles, *prose(y=110, times=3), *long, *prose(y=350, times=3)]))
    assert [title for _, title in found] == [
        "Quick search",
        "Navigation",
        "What the committee of experts decided in the matter of rivers",
    ]


def test_a_title_goes_on_in_a_further_line_behind_a_word_with_which_none_ends() -> None:
    def page(first: str) -> list[Text | Filled]:
        title = [Text(line, y=200 + 25 * n, size=14, font="B") for n, line in enumerate((first, "Sandboxing"))]
        return [*prose(times=2), *title, *prose(y=260)]

    assert headings(read(page("Sanitization and"))) == [(1, "Sanitization and Sandboxing")]
    assert headings(read(page("Sanitization"))) == [(1, "Sanitization"), (1, "Sandboxing")]


def test_a_name_in_capitals_that_the_text_below_explains_is_no_heading() -> None:
    def page(*names: str) -> list[Text | Filled]:
        texts = [(name, f"{name} is short for a list of all columns.") for name in names]
        rest = [Text("OTHERS", y=400), *prose(y=430), Text("LAST ONES", y=500), *prose(y=530)]
        return [
            *(Text(line, y=60 + 90 * n + 30 * m) for n, text in enumerate(texts) for m, line in enumerate(text)),
            *rest,
        ]

    assert [title for _, title in headings(read(page("NATURAL", "CROSS JOIN")))] == ["OTHERS", "LAST ONES"]


def test_a_title_that_is_a_name_in_capitals_is_on_the_level_of_the_others_in_its_look() -> None:
    titles = [Text("SELECT", y=60, size=14, font="B"), Text("SELECT finds rows.", y=90)]
    others = [
        part for n in (1, 2) for part in (Text(f"Notes {n}", y=90 * n + 60, size=14, font="B"), *prose(y=90 * n + 90))
    ]
    assert {level for level, _ in headings(read([*titles, *others]))} == {1}


def test_a_line_in_slightly_larger_type_above_a_paragraph_is_a_heading() -> None:
    def page(size: float, *titles: str) -> list[Text | Filled]:
        return [
            part
            for n, text in enumerate(titles)
            for part in (Text(text, y=60 + n * 90, size=size), *prose(y=85 + n * 90))
        ]

    assert [title for _, title in headings(read(page(12, "The rules", "The examples")))] == [
        "The rules",
        "The examples",
    ]
    assert headings(read(page(10.5, "The rules", "The examples"))) == []
    assert headings(read(page(12, "It rules.", "It was said so."))) == []
    names = [Text("Ada Lovelace", y=60, size=12), Text("Analytical Society, London", y=80)]
    others = [Text("Mary Somerville", y=110, size=12), Text("Royal Society, London", y=130)]
    assert headings(read([*names, *others, *prose(y=200, times=3)])) == []


def test_type_that_titles_of_one_line_have_is_that_of_titles_with_two_lines_and_above_one() -> None:
    def part(y: float, *title: str, text: int = 3) -> list[Text | Filled]:
        return [*column(*title, y=y, size=12), *prose(y=y + 15 * len(title) + 10)[:text]]

    long = ("The rules of the houses and of all of the", "committees")
    pages = [*part(60, "The rules"), *part(150, "The examples"), *part(240, *long), *part(345, "The end", text=1)]
    assert [title for _, title in headings(read(pages))] == ["The rules", "The examples", " ".join(long), "The end"]


def test_bold_words_with_white_behind_them_begin_paragraphs_below_the_headings_in_their_look() -> None:
    def paragraph(title: str, y: float) -> list[Text | Filled]:
        first = [Text(title, y=y, font="B"), Text("All that the experts have decided in the matter.", x=180, y=y)]
        return [*first, *prose(y=y + 12)]

    page = [Text("The rules", y=60, font="B"), *prose(y=90), *paragraph("Scope", 160), *paragraph("Time limits", 240)]
    page += [Text("The examples", y=330, font="B"), *prose(y=360)]
    assert headings(read(page)) == [(1, "The rules"), (2, "Scope"), (2, "Time limits"), (1, "The examples")]


def test_of_bold_titles_that_end_with_a_full_stop_some_are_alone_on_their_line() -> None:
    def paragraph(title: str, y: float) -> list[Text | Filled]:
        first = [Text(title, y=y, font="B"), Text("All that the experts have decided in the matter.", x=200, y=y)]
        return [*first, *prose(y=y + 12)]

    alone = [Text("Time limits of all of it.", y=300, font="B"), *prose(y=312)]
    page = [*prose(y=60), *paragraph("Scope of the rules.", 130), *paragraph("Duties of all.", 215), *alone]
    titles = ["Scope of the rules.", "Duties of all.", "Time limits of all of it."]
    assert headings(read(page)) == [(1, title) for title in titles]
    assert headings(read([*prose(y=60), *alone])) == []


def test_the_text_of_a_document_of_tables_in_small_type_has_the_largest_common_type() -> None:
    table, title = BODY._replace(size=5), BODY._replace(size=16)
    assert largest_text_look(Counter({table: 600, BODY: 250, title: 20})) == BODY
    assert largest_text_look(Counter({table: 600, BODY: 100})) == table


def test_a_name_with_more_digits_than_letters_is_a_title_before_a_year_if_others_are_in_its_look() -> None:
    def titled(title: str, y: float) -> list[Text | Filled]:
        return [Text(title, y=y, font="B"), *prose(y=y + 25)]

    pages = [*titled("Amcor 2021", 60), *titled("3M 2022", 150), *titled("Boeing 2022", 240), *titled("1,204 a 2", 330)]
    assert [title for _, title in headings(read(pages))] == ["Amcor 2021", "3M 2022", "Boeing 2022"]


def test_a_title_with_a_number_may_end_with_a_full_stop_if_others_are_in_its_look() -> None:
    def titled(title: str, y: float) -> list[Text | Filled]:
        return [Text(title, y=y, font="I"), *prose(y=y + 25)]

    titles = ["2.1 Scope", "2.2 Joins of all.", "2.3 Clauses"]
    pages = [part for number, title in enumerate(titles) for part in titled(title, 60 + 90 * number)]
    assert [title for _, title in headings(read(pages))] == titles
    assert headings(read(titled("2.2 Joins of all.", 60))) == []


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
