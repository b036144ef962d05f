import math
from dataclasses import replace

from pincite.evidence.quotes import Verdict, verify
from pincite.evidence.search import prepare
from pincite.formats.pdf.layout.paragraphs import (
    is_same_block,
    is_same_size,
    leading_of_page,
    leading_of_part,
    text_size,
)
from pincite.formats.pdf.page.words import line_of
from support.pdf_layout import JOINED, read
from support.pdf_read import blocks, shown
from support.pdfs import PARAGRAPH, Filled, Text, column, prose
from support.typed_pages import typed


def test_lines_are_a_paragraph_with_a_box_for_each() -> None:
    (block,) = blocks(found := read(prose()))
    assert found.text == JOINED + "\n"
    assert block.page == 1
    assert block.box_starts == (0, len(PARAGRAPH[0]) + 1, len(PARAGRAPH[0]) + len(PARAGRAPH[1]) + 2)
    first, *_, last = block.boxes
    assert 71 < first.x0 < 74 and 60 < first.y0 < first.y1 < 76 < last.y0 < last.y1 < 100


def test_a_gap_begins_a_paragraph() -> None:
    assert shown(read(prose(times=2))) == [("paragraph", JOINED)] * 2


def test_a_line_below_an_index_is_further_down_in_the_same_paragraph() -> None:
    lines = [Text(line, y=72 + 12 * number + 4 * (number > 1)) for number, line in enumerate(PARAGRAPH)]
    found = read([*lines, Text("ij", x=72 + 32.8, y=87.5, size=7)])
    assert len(shown(found)) == 1


def test_an_indent_begins_a_paragraph() -> None:
    second = [
        Text("An indented line that is no longer than others of the text", x=92, y=108),
        *column("and one more.", y=120),
    ]
    texts = [text for _, text in shown(read([*prose(), *second]))]
    assert texts == [JOINED, "An indented line that is no longer than others of the text\nand one more."]


def test_a_line_that_ends_early_after_a_full_stop_ends_a_paragraph() -> None:
    assert shown(read([*prose(), *prose(y=108)])) == [("paragraph", JOINED)] * 2


def test_lines_that_end_early_for_no_reason_keep_their_breaks() -> None:
    found = read([*column("Anna Example", "Springfield", "12 Long Street with a very long name")])
    assert shown(found) == [("paragraph", "Anna Example\nSpringfield\n12 Long Street with a very long name")]


def test_bullets_and_numbers_make_lists_with_their_depth() -> None:
    found = read(
        [
            *prose(),
            Text("• first of them", y=126),
            Text("which goes on", x=80, y=138),
            Text("• deeper", x=92, y=150),
            Text("• second", y=162),
            *prose(y=200),
            Text("1. one", y=254),
            Text("2. two", y=266),
        ]
    )
    assert shown(found)[1] == ("list", "- first of them which goes on\n  - deeper\n- second")
    assert shown(found)[3] == ("list", "1. one\n2. two")


def test_a_number_that_stands_alone_is_no_list() -> None:
    assert ("paragraph", "3. three") in shown(read([*prose(), Text("3. three", y=130)]))


def test_a_paragraph_with_marks_of_markdown_is_written_as_printed_and_is_no_heading() -> None:
    lines = (
        "# 1 of the list is a paragraph that begins with a number sign and goes",
        "on with a <T>, *stars* and _x_.",
    )
    found = read([*prose(), *column(*lines, y=200), *prose(y=300)])
    printed = " ".join(lines)
    assert shown(found) == [("paragraph", JOINED), ("paragraph", printed), ("paragraph", JOINED)]
    assert len(found.sections) == 1
    finding = verify(printed, prepare(found.text), (0, len(found.text)))
    assert finding.verdict is Verdict.EXACT and [found.text[start:end] for start, end in finding.spans] == [printed]


LEFT = (
    "The keeper of the harbour light",
    "wrote into his book every night",
    "how many ships went by and which",
    "of them had been in the harbour of",
)


RIGHT = ("the old town before, or in that of", "the island. He knew most of them.")


def test_a_paragraph_that_goes_on_in_the_next_column_is_one() -> None:
    found = read([*column(*LEFT, y=400), *column(*RIGHT, x=320, y=100)])
    assert shown(found) == [("paragraph", " ".join(LEFT + RIGHT))]


def test_paragraphs_at_the_foot_and_the_head_of_columns_are_two() -> None:
    for left, right in (
        (LEFT, ("The old town is before, or in that of", *RIGHT[1:])),
        ((*LEFT[:3], "of them had been in the harbour."), RIGHT),
        ((*LEFT[:3], "of them had been"), RIGHT),
        (LEFT[:1], RIGHT),
    ):
        found = read([*column(*left, y=400), *column(*right, x=320, y=100)])
        assert [text for _, text in shown(found)] == [" ".join(left), " ".join(right)]
    larger = read([*column(*LEFT, y=400), *column(*RIGHT, x=320, y=100, size=12)])
    assert len(shown(larger)) == 2


def test_code_in_smaller_type_does_not_end_a_paragraph() -> None:
    # The second line is mostly code, the third is nothing else.
    code = [
        Text("prometheus.remote.write.v2.Request.Symbols", y=84, size=8, font="C"),
        Text("is read from", x=280, y=84),
        Text("prometheus.remote.write.v2.Response.Written.Samples.And.Histograms", y=96, size=8, font="C"),
    ]
    found = read([Text(PARAGRAPH[0]), *code, *column(*PARAGRAPH[1:], y=108)])
    assert [kind for kind, _ in shown(found)] == ["paragraph"]


def test_smaller_text_that_is_no_code_is_a_paragraph_of_its_own() -> None:
    found = read([*column(*PARAGRAPH[:2]), Text("a note that is in smaller type than the text above it", y=96, size=8)])
    assert len(shown(found)) == 2


def test_a_line_that_ends_within_a_word_goes_on_though_the_next_syllable_would_have_fitted() -> None:
    lines = ("Verify that the pass-", "words of users are never shown to anyone, not even in", "part.")
    assert [text for _, text in shown(read(column(*lines)))] == [f"{lines[0]}{lines[1]} {lines[2]}"]


def test_a_line_that_ends_within_a_word_goes_on_in_a_higher_line() -> None:
    """A line with the mark of a note is higher."""
    lower = [
        Text("text of it ends in a conclu-", x=72, y=108),
        Text("sion that has a note.", x=72, y=125),
    ]
    (text,) = (text for _, text in shown(read([*prose(), *lower])))
    assert text.endswith("ends in a conclusion that has a note.")
    upper = [*lower[:1], Text("Sion is a town.", x=72, y=125)]
    assert len(shown(read([*prose(), *upper]))) == 2


def test_the_text_of_an_item_may_go_on_with_a_number_of_another_form() -> None:
    def shown_item(number: str) -> list[tuple[str, str]]:
        lines = column(
            "(a) surrendering one or more of the shares is not intended to restrict Section",
            "one of the terms of any kind that are not to be held against it as in Section",
            f"{number} of the plan in any way.",
        )
        return shown(read([*prose(), *column("(b) none", y=150), *[replace(line, y=line.y + 96) for line in lines]]))

    assert len(shown_item("4.2")[1][1].splitlines()) == 2
    assert len(shown_item("(c)")[1][1].splitlines()) == 3


def test_few_lines_above_a_table_have_the_leading_of_the_page() -> None:
    def rows(y: float) -> list[Text | Filled]:
        words = [Text(f"{label}", x=x, y=y + row * 16) for row, label in enumerate("abcd") for x in (72, 200, 330)]
        return [*words, *(Filled(60, y - 12 + row * 16, 420, y - 11 + row * 16) for row in range(5))]

    lines = column("First of the titles", "Second of the titles", "The text above a table", size=10)
    spaced = [replace(line, y=72 + number * 21) for number, line in enumerate(lines)]
    assert [text for _, text in shown(read([*spaced, *rows(150), *prose(y=260, times=2)]))][:3] == [
        line.text for line in lines
    ]


REFERENCES = (
    "[1] Baker. The manual of the harbour light in the old town by the sea, together with all of",
    "the additions of the years after the war, which had been announced in the reports of",
    "[8] and the following, see there.",
    "[2] Carter. Another one.",
)


def test_a_title_goes_on_in_small_letters_though_their_first_word_would_have_fitted() -> None:
    def page(number: str, rest: str) -> list[Text]:
        return [Text(f"{number} Requirement", y=72, font="B"), Text(rest, y=84, font="B"), *prose(y=120)]

    for number in ("B.", "General"):
        assert shown(read(page(number, "of rates")))[0][1] == f"{number} Requirement of rates"
        assert shown(read(page(number, "Rates")))[1][1].endswith(" Rates")
        assert "www.rates.test" not in shown(read(page(number, "www.rates.test")))[0][1]


def test_a_numbered_title_goes_on_in_a_higher_line_of_its_type() -> None:
    title = "2.1 Terms of Delivery, of Payment and of Other Services that Suppliers"
    wrapped = [*prose(), Text(title, y=150, font="B"), Text("Offer", y=166, font="B")]
    assert shown(read([*wrapped, *prose(y=190)]))[1] == ("heading", f"# {title} Offer")
    two = [*prose(), Text(title, y=150, font="B"), Text("2.2 Offer", y=166, font="B")]
    assert [kind for kind, _ in shown(read([*two, *prose(y=190)]))][1:3] == ["heading"] * 2


def test_references_with_numbers_in_brackets_are_items() -> None:
    first, second, third, fourth = column(*REFERENCES, y=150)
    found = read([*prose(), first, replace(second, x=88), replace(third, x=88), fourth])
    expected = f"- {' '.join(REFERENCES[:3])}\n- {REFERENCES[3]}"
    assert shown(found) == [("paragraph", JOINED), ("list", expected)]


def test_a_list_goes_on_at_its_level_in_the_next_column() -> None:
    left = column("• One of the things that there are", "• Two of the things that there are", y=600)
    right = column("• Three of the things", "• Four of the things", x=330, y=72)
    text = column(*LEFT, *LEFT, *LEFT, *LEFT, y=100)
    _, (_, items), *_ = shown(read([*text, *left, *right, *column(*LEFT, *LEFT, x=330, y=130)]))
    assert [line[:5] for line in items.splitlines()] == ["- One", "- Two", "- Thr", "- Fou"]


def test_the_second_level_of_word_has_a_letter_for_its_bullet() -> None:
    def nested(font: str) -> list[tuple[str, str]]:
        items = [Text("• first of them", y=126), Text("o", x=92, y=138, font=font), Text("deeper", x=104, y=138)]
        return shown(read([*prose(), *items, Text("• second", y=150)]))

    assert nested("C")[1] == ("list", "- first of them\n  - deeper\n- second")
    assert ("list", "- first of them\n  - deeper\n- second") not in nested("F")


def test_the_leading_is_the_commonest_distance_of_two_lines() -> None:
    lines = typed("\n".join("abcde"), tight=14) + typed("\n\n\n\n\n\n\n\nf\n\ng", tight=14)
    assert leading_of_page(lines) == 1.4
    assert leading_of_part(lines, 1.2) == 1.4
    # Few lines show no leading: it is the page's if that is smaller.
    assert leading_of_page(lines[:3]) == math.inf
    assert leading_of_part(lines[:3], 1.2) == 1.2
    assert leading_of_part(lines[:2], math.inf) == 1.2


def test_code_within_a_text_may_be_smaller_than_it() -> None:
    text, code = typed("text\ncode", sizes={1: 8.5})
    code = line_of([replace(word, font="Courier") for word in code.words])
    mixed = line_of([*text.words, *code.words])
    assert is_same_size(text, code) and not is_same_size(text, typed("small", sizes={0: 8.5})[0])
    assert (text_size(text), text_size(code), text_size(mixed)) == (10, 0, 10)


def test_lines_side_by_side_are_not_of_one_block() -> None:
    left, below, right = typed("left\nbelow\n                right")
    assert is_same_block(left, below) and not is_same_block(left, right)
