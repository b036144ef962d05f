from pincite.formats.pdf.page.characters import SOFT_BREAK
from pincite.formats.pdf.page.words import line_of, lines_of, lone_gap, page_words, parts_of, visual_lines
from support.drawn_pdfs import drawn_pdf, text
from support.pdf_read import words
from support.pdf_rules import opened
from support.pdfs import Text, column
from support.typed_pages import word


def test_a_word_says_how_it_is_set_and_where_it_stands() -> None:
    plain, bold, slanted = words(
        Text("plain", y=100), Text("bold", y=120, font="B", size=14), Text("slanted", y=140, font="I", colour="1 0 0")
    )
    assert (plain.text, plain.size, plain.bold, plain.italic, plain.colour) == ("plain", 10, False, False, 0)
    assert (bold.size, bold.bold, slanted.italic, slanted.colour) == (14, True, True, 0xFF0000)
    assert (plain.first, plain.last, plain.mcid, plain.turns) == (0, 4, -1, 0)
    assert plain.y0 < 100 - 6 < 100 < plain.y1


def test_turned_text_has_lines_of_its_own() -> None:
    found = words(Text("upright"), Text("turned text", x=40, y=400, turn=(0, 1)))
    assert [word.turns for word in found] == [0, 3, 3]
    assert len(visual_lines(found)) == 1


def test_lines_of_a_page_and_rows_of_a_page_differ_where_columns_do() -> None:
    found = words(*column("a one", "a two"), *column("b one", "b two", x=300))
    assert [line.text for line in lines_of(found)] == ["a one", "a two", "b one", "b two"]
    assert [line.text for line in visual_lines(found)] == ["a one b one", "a two b two"]
    assert line_of(found).x1 == max(word.x1 for word in found)


def test_a_power_above_an_index_is_in_the_line_of_both() -> None:
    """TeX raises it further than a power alone."""
    found = words(
        Text("tokens w"), Text("(i)", x=112, y=67.5, size=7.3), Text("1", x=111.7, y=75.5, size=7.3), Text(", w", x=121)
    )
    assert [line.text for line in lines_of(found)] == ["tokens w (i) 1 , w"]


def test_a_hyphen_of_the_print_in_another_style_is_of_its_word() -> None:
    """Tagged files mark it apart."""
    found = words(Text("a long appli"), Text("-", x=72 + 50.6, size=7), Text("cation here", y=84))
    assert [word.text for word in found] == ["a", "long", f"appli{SOFT_BREAK}", "cation", "here"]


def test_a_hyphen_with_marked_content_of_its_own_is_of_the_print() -> None:
    def marked(content: str, mcid: int) -> str:
        return f"/Span <</MCID {mcid}>> BDC\n{content}EMC\n"

    lines = (
        marked(text("appli", 72, 700), 0) + marked(text("-", 72 + 21.2, 700), 1) + marked(text("cation", 72, 688), 2)
    )
    with opened(drawn_pdf(lines)) as page:
        assert [word.text for word in page_words(page).words] == ["appli\u00ad", "cation"]


def test_a_hyphen_for_no_value_is_one_although_the_file_has_a_replacement_text_for_it() -> None:
    lone = f"/Span <</ActualText (-)>> BDC\n{text('-', 140, 700)}EMC\n"
    with opened(drawn_pdf(text("40,427", 72, 700) + lone + text("next", 72, 688))) as page:
        assert [word.text for word in page_words(page).words] == ["40,427", "-", "next"]


def test_the_name_of_a_font_of_tex_tells_its_weight() -> None:
    (word,) = words(Text("text", font="T"))
    assert (word.font, word.bold) == ("CMR10", False)


def test_the_stop_of_a_number_in_right_to_left_text_is_at_its_left() -> None:
    number, stop, name = word("II", 100, 0), word(".", 95, 0, 3), word("שנה", 70, 0, 5)
    assert [line.text for line in lines_of([number, stop, name])] == ["II . שנה"]
    assert len(lines_of([number, word(".", 60, 0, 3)])) == 2


def test_a_gap_parts_words_and_pieces_of_one_word_are_joined() -> None:
    assert [word.text for word in words(Text("left", x=72), Text("right", x=120))] == ["left", "right"]
    assert [word.text for word in words(Text("one", x=72), Text("Word", x=88.7))] == ["oneWord"]


def test_a_narrow_gap_parts_words_where_the_font_changes() -> None:
    number = Text("2.5", font="B")  # 13.9 points wide
    assert [word.text for word in words(number, Text("Base", x=72 + 15.6))] == ["2.5", "Base"]
    assert [word.text for word in words(number, Text("Base", x=72 + 14.9))] == ["2.5Base"]
    assert [word.text for word in words(Text("2.5"), Text("Base", x=72 + 15.5))] == ["2.5Base"]


def test_a_bullet_without_white_behind_it_is_a_word_of_its_own() -> None:
    assert [word.text for word in words(Text("•Level a•b •5"))] == ["•", "Level", "a•b", "•5"]


def test_a_style_that_changes_within_a_run_of_characters_parts_it() -> None:
    assert [word.text for word in words(Text("5", x=72), Text("2", x=77.6, y=68, size=5))] == ["5", "2"]


def test_the_only_gap_of_a_text_between_two_letters_ends_a_word() -> None:
    assert lone_gap("ifsuch", [0, 2, 0, 0.1, 0], 10) == 1


def test_other_gaps_are_within_a_word() -> None:
    # Between digits, among other gaps, too narrow, and in a text that is too short to tell.
    assert lone_gap("in5,50", [0, 0, 2, 0, 0], 10) is None
    assert lone_gap("spaced", [1, 2, 1, 1, 1], 10) is None
    assert lone_gap("ifsuch", [0, 1.4, 0, 0, 0], 10) is None
    assert lone_gap("ifs", [0, 2], 10) is None


def test_a_line_has_parts_where_its_white_is_as_many_em_of_its_type_as_asked_for() -> None:
    (line,) = visual_lines(words(Text("one two"), Text("three", x=130), Text("a", x=158, size=6), Text("four", x=164)))
    assert [[word.text for word in part] for part in parts_of(line.words, 1.0)] == [
        ["one", "two"],
        ["three", "a", "four"],
    ]
