from pathlib import Path

import pytest

from pincite.formats.docx.numbering import number_text
from pincite.model.document import BlockKind
from support.docx_read import all_blocks, read
from support.word import Word, item, lvl, styled
from support.word_probes import headings, text


def test_a_heading_without_text_takes_a_number_and_is_no_heading() -> None:
    word = Word().numbers(9, lvl(0, "decimal", "%1."))
    number = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="9"/></w:numPr>'
    document = read(word.add(*(styled("Heading1", title, number) for title in ("A", "", "C"))))
    assert headings(document) == [(1, "1. A"), (1, "3. C")]


def test_a_heading_without_text_that_ends_a_section_takes_no_number() -> None:
    """As Word counts in the contents that it wrote into IHO's S-102: the break stands where chapter 1 would be."""
    word = Word().numbers(9, lvl(0, "decimal", "%1."))
    number = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="9"/></w:numPr>'
    break_alone = styled("Heading1", "", f"{number}<w:sectPr/>")
    document = read(
        word.add(break_alone, styled("Heading1", "A", f"{number}<w:sectPr/>"), styled("Heading1", "B", number))
    )
    assert headings(document) == [(1, "1. A"), (1, "2. B")]


@pytest.mark.parametrize(
    ("form", "labels"),
    [
        ("decimal", ["1.", "2.", "3."]),
        ("lowerLetter", ["a.", "b.", "c."]),
        ("upperLetter", ["A.", "B.", "C."]),
        ("lowerRoman", ["i.", "ii.", "iii."]),
        ("upperRoman", ["I.", "II.", "III."]),
        ("decimalZero", ["01.", "02.", "03."]),
        ("ordinal", ["1st.", "2nd.", "3rd."]),
        ("none", [".", ".", "."]),
        ("chineseCounting", ["一.", "二.", "三."]),
        ("decimalEnclosedCircle", ["①.", "②.", "③."]),
        ("somethingNew", ["1.", "2.", "3."]),
    ],
)
def test_a_list_counts_in_its_format(form: str, labels: list[str]) -> None:
    document = read(Word().numbers(9, lvl(0, form, "%1.")).add(*[item("x", 9)] * 3))
    assert [line.removeprefix("- ").split()[0] for line in document.text.splitlines()] == labels


@pytest.mark.parametrize(
    ("form", "count", "label"),
    [
        ("chineseCounting", 10, "十"),
        ("chineseCounting", 42, "四十二"),
        ("chineseCounting", 120, "120"),
        ("ordinal", 12, "12th"),
        ("decimalEnclosedCircle", 21, "21"),
        ("upperRoman", 1949, "MCMXLIX"),
        ("upperRoman", 0, "0"),
    ],
)
def test_a_number_is_written_in_its_format(form: str, count: int, label: str) -> None:
    assert number_text(count, form) == label


def _labels(word: Word) -> list[str]:
    return [line.strip().removeprefix("- ").split()[0] for line in read(word).text.splitlines() if line]


def test_a_deeper_level_begins_anew_below_the_next_item() -> None:
    word = Word().numbers(9, lvl(0, "decimal", "%1.") + lvl(1, "decimal", "%1.%2"))
    assert _labels(word.add(*(item("x", 9, level) for level in (0, 1, 1, 0, 1)))) == ["1.", "1.1", "1.2", "2.", "2.1"]


def test_a_level_that_never_restarts_goes_on() -> None:
    levels = lvl(0, "decimal", "%1.") + lvl(1, "decimal", "(%2)", '<w:lvlRestart w:val="0"/>')
    assert _labels(Word().numbers(9, levels).add(*(item("x", 9, n) for n in (0, 1, 0, 1)))) == [
        "1.",
        "(1)",
        "2.",
        "(2)",
    ]


def test_a_legal_level_shows_all_numbers_as_decimal() -> None:
    levels = lvl(0, "upperRoman", "%1.") + lvl(1, "decimal", "%1.%2", "<w:isLgl/>")
    assert _labels(Word().numbers(9, levels).add(item("x", 9), item("x", 9, 1))) == ["I.", "1.1"]


def test_lists_that_share_their_numbers_go_on_and_one_that_starts_anew_does_so_once() -> None:
    anew = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>'
    other = f'<w:lvlOverride w:ilvl="0">{lvl(0, "decimal", "#%1")}</w:lvlOverride>'
    word = Word().numbers(9, lvl(0, "decimal", "%1)"), nums={9: "", 10: "", 11: anew, 12: other})
    assert _labels(word.add(*(item("x", num) for num in (9, 10, 11, 11, 12)))) == ["1)", "2)", "7)", "8)", "#9"]


def test_a_list_may_take_its_levels_from_a_numbering_style() -> None:
    word = Word().numbers(9, lvl(0, "decimal", "[%1]")).numbers(10, "", inside='<w:numStyleLink w:val="Lists"/>')
    word.style("Lists", "Lists", '<w:pPr><w:numPr><w:numId w:val="9"/></w:numPr></w:pPr>', kind="numbering")
    assert _labels(word.add(item("x", 10))) == ["[1]"]


def test_a_level_without_a_label_is_no_list() -> None:
    assert all_blocks(read(Word().numbers(9, lvl(0, "none", "")).add(item("x", 9))))[0].kind is BlockKind.PARAGRAPH


def test_a_list_that_is_not_there_leaves_a_paragraph() -> None:
    assert read(Word().add(item("x", 4711))).text == "x\n"


def test_huge_numbers_stay_small() -> None:
    start = (
        '<w:lvl w:ilvl="0"><w:start w:val="2000000000"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1"/></w:lvl>'
    )
    assert len(read(Word().numbers(9, start).add(item("x", 9, 99))).text) < 2000


@pytest.mark.data
def test_every_item_of_a_file_of_lists_has_its_label_and_level(data: Path) -> None:
    document = read((data / "office" / "docx_lists.docx").read_bytes())
    lines = text(document, BlockKind.LIST).splitlines()
    assert len(lines) == 48
    assert {"  - 1.1 Morning Walk", "    - Pick up citrus and green onions", "3. WORKSHOP AND TOOL SHED"} <= set(lines)
