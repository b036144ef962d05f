# ruff: noqa: RUF001 - Greek letters are expected
import csv
import io
import re
import zipfile
from pathlib import Path

import pytest

from pincite.errors import Cancelled, InvalidInput, ReadingFailed, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.docx.names import w
from pincite.formats.docx.numbering import number_text
from pincite.formats.ooxml import package
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import AsideKind, Block, BlockKind, Document
from pincite.registry import FORMATS
from support.word import Word, field, item, lvl, p, part_of, picture, r, styled, tbl, tc, tr, with_part
from support.word_probes import asides, blocks, cells, headings, text

DOCX = next(row for row in FORMATS if row.name == "docx")
MAIN = "word/document.xml"


def read(source: Word | bytes, max_blocks: int = 100_000) -> Document:
    data = source if isinstance(source, bytes) else source.saved()
    return read_document(DOCX, Blob("a.docx", data), ReadOptions(max_blocks=max_blocks), Call())


def all_blocks(document: Document) -> list[Block]:
    return [block for section in document.sections for block in section.blocks]


# --- headings


@pytest.mark.parametrize(
    ("name", "level"), [("heading 4", 4), ("Überschrift 2", 2), ("Titre 3", 3), ("標題 1", 1), ("Title", 1)]
)
def test_a_heading_is_known_by_the_name_of_its_style(name: str, level: int) -> None:
    assert headings(read(Word().style("x", name).add(styled("x", "T")))) == [(level, "T")]


def test_a_style_may_take_its_paragraphs_out_of_the_outline() -> None:
    word = Word().style("x", "Body", '<w:pPr><w:outlineLvl w:val="9"/></w:pPr>', based_on="Heading1")
    assert headings(read(word.add(styled("x", "T")))) == []


def test_a_paragraph_may_take_itself_out_of_the_outline() -> None:
    assert headings(read(Word().add(styled("Heading1", "T", '<w:outlineLvl w:val="9"/>')))) == []


def test_styles_that_are_based_on_each_other_end() -> None:
    word = Word().style("x", "x", based_on="y").style("y", "y", based_on="x")
    assert read(word.add(styled("x", "T"))).text == "T\n"


def test_a_heading_without_text_takes_a_number_and_is_no_heading() -> None:
    word = Word().numbers(9, lvl(0, "decimal", "%1."))
    number = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="9"/></w:numPr>'
    document = read(word.add(*(styled("Heading1", title, number) for title in ("A", "", "C"))))
    assert headings(document) == [(1, "1. A"), (1, "3. C")]


def test_bookmarks_are_anchors_of_the_block_that_holds_them() -> None:
    mark = '<w:bookmarkStart w:id="{0}" w:name="{1}"/>'
    word = Word().add(mark.format(1, "before"), p("a", inside=mark.format(2, "inside") + mark.format(3, "_GoBack")))
    document = read(word.add(tbl(tr("x", tc(p("y", inside=mark.format(4, "cell")))))))
    assert [block.anchors for block in all_blocks(document)] == [("before", "inside"), ("cell",)]


# --- lists


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


def test_a_paragraph_leaves_the_list_of_its_style() -> None:
    word = Word().add(styled("ListBullet", "in"), p("out", '<w:numPr><w:numId w:val="0"/></w:numPr>'))
    assert [block.kind for block in all_blocks(read(word))] == [BlockKind.LIST, BlockKind.PARAGRAPH]


def test_a_level_without_a_label_is_no_list() -> None:
    assert all_blocks(read(Word().numbers(9, lvl(0, "none", "")).add(item("x", 9))))[0].kind is BlockKind.PARAGRAPH


def test_a_list_that_is_not_there_leaves_a_paragraph() -> None:
    assert read(Word().add(item("x", 4711))).text == "x\n"


def test_a_continued_item_stays_one() -> None:
    word = Word().add(styled("ListBullet", "one"), styled("ListContinue", "more"), styled("ListBullet", "two"))
    assert read(word).text == "- one\n  more\n- two\n"


def test_huge_numbers_stay_small() -> None:
    start = (
        '<w:lvl w:ilvl="0"><w:start w:val="2000000000"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1"/></w:lvl>'
    )
    assert len(read(Word().numbers(9, start).add(item("x", 9, 99))).text) < 2000


# --- text


def test_code_is_one_verbatim_block() -> None:
    word = Word().style("c", "Source Code").add(styled("c", "if x:"), styled("c", "    y()"), "text")
    assert read(word).text == "```\nif x:\n    y()\n```\n\ntext\n"


def test_a_quote_is_marked() -> None:
    word = Word().add(styled("Quote", "one"), styled("IntenseQuote", "two"))
    assert text(read(word), BlockKind.QUOTE) == "> one\n>\n> two"


def test_contents_are_apart_from_the_text_and_under_their_heading() -> None:
    word = Word().style("t1", "toc 1").style("th", "TOC Heading", '<w:pPr><w:outlineLvl w:val="9"/></w:pPr>')
    gallery = '<w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr>'
    entries = styled("th", "Contents") + styled("t1", "A\t1") + p("B\t2")
    document = read(word.add(f"<w:sdt>{gallery}<w:sdtContent>{entries}</w:sdtContent></w:sdt>", styled("t1", "C")))
    assert headings(document) == [(1, "Contents")]
    assert text(document, BlockKind.CONTENTS) == "A\t1\nB\t2\nC"


def test_a_field_shows_its_result_alone() -> None:
    inner = field(" PAGEREF x ", r("7"))
    assert read(Word().add(p("page ", inside=field(" REF y ", r("see ") + inner)))).text == "page see 7\n"


@pytest.mark.parametrize(
    ("instruction", "shown"),
    [
        ('HYPERLINK "https://e.org/a" \\l "part"', "[x](https://e.org/a#part)"),
        ("HYPERLINK https://e.org/a", "[x](https://e.org/a)"),
        ('HYPERLINK \\l "part"', "x"),
        ('HYPERLINK "https://e.org/a b"', "[x](<https://e.org/a b>)"),
        ("PAGE", "x"),
    ],
)
def test_a_link_may_be_a_field(instruction: str, shown: str) -> None:
    assert read(Word().add(p("", inside=field(instruction.replace('"', "&quot;"), r("x"))))).text == f"{shown}\n"
    simple = f'<w:fldSimple w:instr="{instruction.replace(chr(34), "&quot;")}">{r("x")}</w:fldSimple>'
    assert read(Word().add(p("", inside=simple))).text == f"{shown}\n"


def test_a_link_that_runs_over_paragraphs_is_one_in_each() -> None:
    begin, end = field(' HYPERLINK "https://e.org" ', r("one") + "|").split("|")
    document = read(Word().add(p("", inside=begin), p("two", inside=end)))
    assert document.text == "[one](https://e.org)\n\n[two](https://e.org)\n"


def test_a_url_that_is_shown_stands_for_itself_and_a_place_in_the_document_is_no_link() -> None:
    word = Word()
    identity = word.link("https://e.org")
    link = f'<w:hyperlink r:id="{identity}">{r("https://e.org")}</w:hyperlink>'
    part = f'<w:hyperlink r:id="{identity}" w:anchor="x">{r("part")}</w:hyperlink>'
    word.add(p("", inside=f'{link} <w:hyperlink w:anchor="x">{r(" here ")}</w:hyperlink>{part}'))
    assert read(word).text == "https://e.org here [part](https://e.org#x)\n"


def test_an_instruction_that_does_not_end_hides_one_paragraph_at_most() -> None:
    broken = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
    stray = (
        '<w:r><w:fldChar w:fldCharType="separate"/><w:fldChar w:fldCharType="end"/><w:instrText>no</w:instrText></w:r>'
    )
    closed = f'{broken}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    word = Word().add(p("a", inside=broken + r("lost")), p("b", inside=stray), p("c", inside=closed + r("d")))
    assert read(word).text == "a\n\nb\n\ncd\n"


def test_form_fields_show_their_value() -> None:
    def form(data: str) -> str:
        begin = f'<w:fldChar w:fldCharType="begin"><w:ffData>{data}</w:ffData></w:fldChar>'
        return f'<w:r>{begin}</w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'

    boxes = [form(f"<w:checkBox><w:{said}/></w:checkBox>") for said in ("checked", 'default w:val="0"')]
    choice = form('<w:ddList><w:result w:val="1"/><w:listEntry w:val="no"/><w:listEntry w:val="yes"/></w:ddList>')
    none = form('<w:ddList><w:result w:val="9"/></w:ddList>')
    assert read(Word().add(p("", inside="".join([*boxes, choice, none])))).text == "☒☐yes\n"


def test_paragraphs_that_become_one_by_a_deletion_are_one() -> None:
    word = Word().add(p("one ", "<w:rPr><w:del/></w:rPr>"), p("two"), p("", "<w:rPr><w:moveFrom/></w:rPr>"), p("three"))
    assert read(word).text == "one two\n\nthree\n"


def test_hidden_text_takes_no_number_and_a_run_may_show_itself() -> None:
    word = Word().numbers(9, lvl(0, "decimal", "%1."))
    word.style("h", "h", "<w:rPr><w:vanish/></w:rPr>").style("c", "c", "<w:rPr><w:vanish/></w:rPr>", kind="character")
    number = '<w:numPr><w:numId w:val="9"/></w:numPr>'
    shown = r("shown", '<w:vanish w:val="0"/>') + r("gone", '<w:rStyle w:val="c"/>')
    document = read(word.add(styled("h", "x", number), p("", f'<w:pStyle w:val="h"/>{number}', shown)))
    assert document.text == "1. shown\n"
    assert asides(document, AsideKind.HIDDEN) == ["x", "gone"]
    assert document.coverage.hidden_spans == 2


def test_a_word_keeps_how_it_is_said() -> None:
    ruby = f"<w:r><w:ruby><w:rt>{r('kan')}</w:rt><w:rubyBase>{r('漢')}</w:rubyBase></w:ruby></w:r>"
    assert read(Word().add(p("", inside=ruby + "<w:r><w:ruby/></w:r>"))).text == "漢(kan)\n"


@pytest.mark.parametrize(
    ("font", "code", "shown"),
    [
        ("Wingdings", "F0FC", "✓"),
        ("Symbol", "F061", "α"),
        ("Symbol", "0062", "β"),
        ("Wingdings", "F0CC", "\N{REPLACEMENT CHARACTER}"),
        ("Arial", "2713", "✓"),
        ("Arial", "D800", "\N{REPLACEMENT CHARACTER}"),
        ("Arial", "FFFFFFFF", "\N{REPLACEMENT CHARACTER}"),
        ("Arial", "no", ""),
    ],
)
def test_symbols_are_characters(font: str, code: str, shown: str) -> None:
    sign = f'<w:r><w:sym w:font="{font}" w:char="{code}"/></w:r>'
    assert read(Word().add(p("x", inside=sign))).text == f"x{shown}\n"


def test_text_that_is_set_in_a_symbol_font_is_symbols() -> None:
    fonts = '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>'
    assert read(Word().add(p("", inside=r("a b", fonts) + r("a", '<w:rFonts w:ascii="Arial"/>')))).text == "α βa\n"


def test_alternatives_are_read_once_also_around_runs() -> None:
    choices = f"<mc:Choice>{r('new')}</mc:Choice><mc:Fallback>{r('old')}</mc:Fallback>"
    both = f"<mc:AlternateContent>{choices}</mc:AlternateContent>"
    assert read(Word().add(p("", inside=both + "<mc:AlternateContent/>"))).text == "new\n"


def _m(inside: str) -> str:
    """An equation: `{x}` stands for a run."""
    return "<m:oMath>" + re.sub("{(.*?)}", r"<m:r><m:t>\1</m:t></m:r>", inside) + "</m:oMath>"


@pytest.mark.parametrize(
    ("inside", "shown"),
    [
        ("<m:sSup><m:e>{x}</m:e><m:sup>{n+1}</m:sup></m:sSup>", "x^(n+1)"),
        ("<m:sSub><m:e>{x}</m:e><m:sub>{i}</m:sub></m:sSub>", "x_i"),
        ("<m:sSubSup><m:e>{x}</m:e><m:sub>{i}</m:sub><m:sup>{2}</m:sup></m:sSubSup>", "x_i^2"),
        ("<m:sPre><m:sub>{6}</m:sub><m:sup>{14}</m:sup><m:e>{C}</m:e></m:sPre>", "_6^14 C"),
        ("<m:rad><m:deg/><m:e>{x}</m:e></m:rad>", "√(x)"),
        ("<m:rad><m:deg>{3}</m:deg><m:e>{x}</m:e></m:rad>", "∛(x)"),
        ("<m:rad><m:deg>{n}</m:deg><m:e>{x}</m:e></m:rad>", "root_n(x)"),
        ('<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>{i}</m:sub><m:e>{x}</m:e></m:nary>', "∑_i x"),
        ("<m:nary><m:sub>{a+1}</m:sub><m:sup>{b}</m:sup><m:e>{x}</m:e></m:nary>", "∫_(a+1)^b x"),
        ("<m:nary><m:e>{x}</m:e></m:nary>", "∫ x"),
        ("<m:d><m:e>{a}</m:e><m:e>{b}</m:e></m:d>", "(a|b)"),
        ('<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>{a}</m:e></m:d>', "[a]"),
        ("<m:f><m:num><m:d><m:e>{a+b}</m:e></m:d></m:num><m:den/></m:f>", "(a+b)/"),
        ("<m:func><m:fName>{sin}</m:fName><m:e>{x}</m:e></m:func>", "sin x"),
        ("<m:limLow><m:e>{lim}</m:e><m:lim>{x→0}</m:lim></m:limLow>", "lim_(x→0)"),
        ("<m:limUpp><m:e>{x}</m:e><m:lim>{y}</m:lim></m:limUpp>", "x^y"),
        ("<m:acc><m:e>{x}</m:e></m:acc>", "x\N{COMBINING CIRCUMFLEX ACCENT}"),
        (
            "<m:m><m:mr><m:e>{a}</m:e><m:e>{b}</m:e></m:mr><m:mr><m:e>{c}</m:e><m:e>{d}</m:e></m:mr></m:m>",
            "[a, b; c, d]",
        ),
        ("<m:eqArr><m:e>{a=1}</m:e><m:e>{b=2}</m:e></m:eqArr>", "a=1; b=2"),
        ("<m:box><m:boxPr/><m:e>{a}</m:e></m:box>", "a"),
        ("<m:box>" * 70 + "{deep}" + "</m:box>" * 70, "deep"),
    ],
)
def test_an_equation_is_a_line_of_text(inside: str, shown: str) -> None:
    assert read(Word().add(p("", inside=_m(inside)))).text == f"{shown}\n"


# --- drawings


def test_pictures_stand_after_their_paragraph_with_their_caption() -> None:
    word = Word().add(p("text ", inside=picture("A cat")), styled("Caption", "Figure 1: Cats"))
    document = read(word.add(p("", inside=picture("")), styled("Caption", "Figure 2")))
    assert document.text == "text\n\n![Figure 1: Cats – A cat]\n\n![Figure 2]\n"


def test_old_pictures_and_word_art_are_read() -> None:
    old = '<w:r><w:pict><v:shape alt="Old"><v:textpath string="WORDS"/><v:imagedata/></v:shape></w:pict></w:r>'
    choices = "<mc:Choice/><mc:Fallback><w:pict><v:shape alt='Fall'/></w:pict></mc:Fallback>"
    fallback = f"<mc:AlternateContent>{choices}</mc:AlternateContent>"
    assert read(Word().add(p("", inside=f"{old}<w:r>{fallback}</w:r>"))).text == "WORDS\n\n![Old]\n\n![Fall]\n"


def test_a_picture_in_a_cell_is_named_there() -> None:
    assert cells(read(Word().add(tbl(tr(tc(p("see ", inside=picture("A cat")))), tr("x")))))[0][2] == "see\n![A cat]"


def test_charts_and_diagrams_are_read() -> None:
    word = Word()
    cache = "<c:strCache><c:pt idx='0'><c:v>{}</c:v></c:pt></c:strCache>"
    inside = ((kind, cache.format(text)) for kind, text in (("tx", "Sales"), ("cat", "2024"), ("val", "7")))
    series = f"<c:ser>{''.join(f'<c:{kind}>{values}</c:{kind}>' for kind, values in inside)}</c:ser>"
    full = word.part(
        "chart", f"<c:chartSpace><c:chart><c:plotArea>{series}</c:plotArea></c:chart></c:chartSpace>", "c1"
    )
    title = "<c:title><c:tx><a:t>Trend</a:t></c:tx></c:title>"
    bare = word.part("chart", f"<c:chartSpace><c:chart>{title}</c:chart></c:chartSpace>", "c2")
    point = "<dgm:pt modelId='1'><dgm:t><a:p><a:r><a:t>Step</a:t></a:r></a:p></dgm:t></dgm:pt>"
    data = word.part("diagramData", f"<dgm:dataModel><dgm:ptLst>{point}</dgm:ptLst></dgm:dataModel>")
    broken = word.part("chart", "<c:chartSpace>", "c3")
    shown = "".join(picture("", f'<c:chart r:id="{identity}"/>') for identity in (full, bare, broken, "rId99"))
    document = read(word.add(p("", inside=shown + picture("", f'<dgm:relIds r:dm="{data}"/>'))))
    assert "|  | Sales |\n| --- | --- |\n| 2024 | 7 |" in document.text
    assert "![Trend]" in document.text and "- Step" in document.text
    assert ["c3.xml" in failure.reason for failure in document.coverage.failed] == [True]


# --- tables


def test_cells_that_begin_later_and_merges_without_an_owner_keep_their_columns() -> None:
    late = tr("c", properties='<w:gridBefore w:val="1"/>')
    lost = tr(tc(p("d"), "<w:vMerge/>"), tc(p("e"), '<w:vMerge w:val="restart"/>'))
    document = read(Word().add(tbl(tr("a", "b"), late, lost, tr("f", tc(p(), "<w:vMerge/>")))))
    assert cells(document) == [
        (0, 0, "a", 1, 1),
        (0, 1, "b", 1, 1),
        (1, 1, "c", 1, 1),
        (2, 0, "d", 1, 1),
        (2, 1, "e", 2, 1),
        (3, 0, "f", 1, 1),
    ]


def test_a_span_of_two_thousand_million_columns_is_one_that_the_rows_use() -> None:
    document = read(Word().add(tbl(tr(tc(p("wide"), '<w:gridSpan w:val="2000000000"/>'), "end"), tr("a", "b", "c"))))
    table = blocks(document, BlockKind.TABLE)[0].table
    assert table is not None and (table.rows, table.columns) == (2, 4)


def test_deleted_rows_are_gone_and_controls_around_rows_and_cells_are_not() -> None:
    control = "<w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt>"
    rows = tr("x", properties="<w:del/>") + control.format(tr("a", control.format(tc(p("b")))))
    assert cells(read(Word().add(tbl(rows)))) == [(0, 0, "a", 1, 1), (0, 1, "b", 1, 1)]


@pytest.mark.parametrize(
    ("look", "headers"),
    [
        ('w:firstRow="1"', 1),
        ('w:firstRow="0"', 0),
        ('w:val="04A0"', 1),
        ('w:val="0000"', 0),
        ('w:val="no"', 0),
        ("", 0),
    ],
)
def test_the_first_row_names_the_columns_where_style_and_look_say_so(look: str, headers: int) -> None:
    word = Word().style("t", "Fancy", '<w:tblStylePr w:type="firstRow"/>', kind="table")
    properties = '<w:tblStyle w:val="t"/>' + (f"<w:tblLook {look}/>" if look else "")
    table = blocks(read(word.add(tbl(tr("a"), tr("b"), properties=properties))), BlockKind.TABLE)[0].table
    assert table is not None and table.header_rows == headers
    assert [cell.header for cell in table.cells] == [bool(headers), False]


def test_a_table_of_one_cell_around_headings_is_a_frame() -> None:
    document = read(Word().add(tbl(tr(tc(styled("Heading1", "T") + p("text"))))))
    assert document.text == "# T\n\ntext\n"


def test_lists_and_code_in_cells_keep_their_lines() -> None:
    word = Word().numbers(9, lvl(0, "decimal", "%1.") + lvl(1, "bullet", "•"))
    assert cells(read(word.add(tbl(tr(tc(item("a", 9) + item("b", 9, 1)), "x")))))[0][2] == "1. a\n  - b"


def test_a_caption_goes_to_what_it_names() -> None:
    table = tbl(tr("a"), tr("b"))
    caption = styled("Caption", "{}")
    word = Word().add(table, caption.format("Table 1"), "text", p("", inside=picture("Cat")), caption.format("Table 2"))
    word.add(table, p("", inside=picture("Dog")), caption.format("Figure 2"), table, "end", caption.format("Alone"))
    document = read(word)
    tables = [block.table.caption for block in blocks(document, BlockKind.TABLE) if block.table]
    assert tables == ["Table 1", "Table 2", ""]
    assert text(document, BlockKind.FIGURE) == "![Cat]\n![Figure 2 – Dog]"
    assert document.text.endswith("end\n\nAlone\n")


# --- notes, comments, margins, properties


def test_footnotes_stand_at_the_end_of_their_section_and_endnotes_at_the_end() -> None:
    word = Word()
    for kind in ("footnote", "endnote"):
        notes = "".join(f'<w:{kind} w:id="{n}">{p(f"{kind} {n}")}</w:{kind}>' for n in (1, 2))
        word.part(f"{kind}s", f"<w:{kind}s>{notes}</w:{kind}s>")

    def mark(kind: str, identity: int) -> str:
        return f'<w:r><w:{kind}Reference w:id="{identity}"/></w:r>'

    word.add(p("a", inside=mark("endnote", 1) + mark("footnote", 2)))
    word.add(styled("Heading1", "B"), tbl(tr(tc(p("c", inside=mark("footnote", 1) + mark("footnote", 2))), "d")))
    word.add(p("e", inside=mark("footnote", 99)))
    document = read(word)
    assert document.text.startswith("a[^i][^1]\n\n[^1]: footnote 2\n\n# B\n\n")
    assert "| c[^2][^1] | d |" in document.text
    assert document.text.endswith("e\n\n[^2]: footnote 1\n\n[^1]: footnote 2\n\n[^i]: endnote 1\n")


def test_a_text_in_the_margin_is_kept_once() -> None:
    word = Word().add("body")
    word.made.add_section()
    for section in word.made.sections:
        section.header.is_linked_to_previous = False
        section.header.paragraphs[0].text = "Same"
    assert asides(read(word), AsideKind.HEADER) == ["Same"]


def test_a_comment_without_an_author_is_its_text() -> None:
    word = Word().add("body")
    word.part("comments", f"<w:comments><w:comment>{p('Why?')}</w:comment><w:comment>{p()}</w:comment></w:comments>")
    assert asides(read(word), AsideKind.COMMENT) == ["Why?"]


@pytest.mark.parametrize(("named", "language"), [("de_AT", "de-AT"), ("", "en-US"), ("no language!", "en-US")])
def test_the_language_is_the_one_that_the_document_names(named: str, language: str) -> None:
    word = Word().add("body")
    word.made.core_properties.language = named
    assert read(word).language == language


def test_properties_of_the_program_and_of_a_person_are_kept() -> None:
    data = Word().add("body").saved()
    custom = b'<Properties><property name="Project"><vt xmlns="x">Apollo</vt></property><property/></Properties>'
    data = with_part(data, "docProps/custom.xml", custom)
    kind = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships/custom-properties"
    relation = b'<Relationship Id="rId77" Type="' + kind + b'" Target="docProps/custom.xml"/></Relationships>'
    relations = part_of(data, "_rels/.rels").replace(b"</Relationships>", relation)
    properties = read(with_part(data, "_rels/.rels", relations)).properties
    assert properties["Project"] == "Apollo" and "Word" in properties["application"]


def test_an_embedded_document_is_said_to_be_missing() -> None:
    document = read(Word().add("a", '<w:altChunk r:id="rId1"/>'))
    assert [failure.reason for failure in document.coverage.failed] == [
        "a document that is embedded in this one was not read"
    ]


# --- damage


def test_parts_that_are_not_there_are_done_without() -> None:
    data = Word().add(styled("Heading1", "T"), item("x", 1)).saved()
    relations = part_of(data, "word/_rels/document.xml.rels")
    document = read(with_part(data, "word/_rels/document.xml.rels", None))
    assert document.text == "T\n\nx\n" and len(document.warnings) == 2
    assert b"styles.xml" in relations
    document = read(with_part(data, "word/styles.xml", None))
    assert document.text == "T\n\n- x\n" and "styles.xml is missing" in document.coverage.failed[0].reason


@pytest.mark.parametrize(
    "name", ["word/styles.xml", "word/numbering.xml", "word/_rels/document.xml.rels", "_rels/.rels"]
)
def test_a_broken_part_is_a_failure_that_is_told_and_the_text_is_read(name: str) -> None:
    document = read(with_part(Word().add("text").saved(), name, b"<broken"))
    assert document.text == "text\n"
    assert [name in failure.reason for failure in document.coverage.failed] == [True]


def test_broken_properties_are_none() -> None:
    assert read(with_part(Word().add("text").saved(), "docProps/core.xml", b"<broken")).title is None


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "missing"), (b"<broken", "damaged"), (f'<document xmlns="{w("x")[1:-2]}"/>'.encode(), "no body")],
)
def test_a_broken_main_part_is_refused(content: bytes | None, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        read(with_part(Word().saved(), MAIN, content))


def test_another_kind_of_document_is_refused() -> None:
    with pytest.raises(Unsupported, match="no Word document"):
        read(with_part(Word().saved(), MAIN, b"<worksheet/>"))


def test_a_strict_document_is_read_as_a_transitional_one() -> None:
    data = Word().add(styled("Heading1", "T")).saved()
    for name in (MAIN, "word/styles.xml"):
        strict = re.sub(
            rb"http://schemas.openxmlformats.org/(wordprocessingml)/2006/main",
            rb"http://purl.oclc.org/ooxml/\1/main",
            part_of(data, name),
        )
        data = with_part(data, name, strict)
    assert read(data).text == "# T\n"


def test_entities_are_refused() -> None:
    xml = part_of(Word().add("a&amp;lol;b").saved(), MAIN).replace(b"&amp;lol;", b"&lol;")
    bomb = xml.replace(b"<w:document", b'<!DOCTYPE x [<!ENTITY lol "lol">]><w:document', 1)
    with pytest.raises(ReadingFailed, match="declares a document type"):
        read(with_part(Word().saved(), MAIN, bomb))


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        ("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>"),
        ("<w:sdt><w:sdtContent>", "</w:sdtContent></w:sdt>"),
        ("<w:p><w:smartTag>", "</w:smartTag></w:p>"),
        ("<w:p><w:r><w:pict><v:textbox><w:txbxContent>", "</w:txbxContent></v:textbox></w:pict></w:r></w:p>"),
    ],
)
def test_deep_nesting_ends(begin: str, end: str) -> None:
    for depth in (30, 45, 500):
        nested = p("above") + begin * depth + p("deep") + end * depth
        xml = part_of(Word().add("XX").saved(), MAIN)
        body = xml.replace(b"<w:body>", b'<w:body xmlns:v="urn:schemas-microsoft-com:vml">' + nested.encode())
        try:
            document = read(with_part(Word().saved(), MAIN, body))
        except InvalidInput:
            assert depth == 500
        else:
            assert "above" in document.text


def test_nesting_beyond_the_limit_is_said_to_be_cut() -> None:
    nested = "<w:smartTag>" * 70 + r("deep") + "</w:smartTag>" * 70
    document = read(Word().add(p("above", inside=nested)))
    assert document.text == "above\n" and document.coverage.limits_hit == ("max_depth",)
    nested = "<w:customXml>" * 70 + p("deep") + "</w:customXml>" * 70
    document = read(Word().add("above", nested))
    assert document.text == "above\n" and document.coverage.limits_hit == ("max_depth",)


def test_a_part_that_is_too_large_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "PART_BYTES", 1000)
    with pytest.raises(InvalidInput, match="too large"):
        read(Word())


def test_a_part_that_is_packed_wrongly_is_damaged() -> None:
    data = bytearray(Word().add("text " * 500).saved())
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as file:
        place = file.getinfo(MAIN).header_offset + 60
    data[place : place + 40] = b"\xff" * 40
    with pytest.raises(InvalidInput, match="damaged"):
        read(bytes(data))


def test_a_relation_that_leads_out_of_the_package_is_not_followed() -> None:
    data = with_part(Word().add(styled("Heading1", "T")).saved(), "word/styles.xml", None)
    relations = part_of(data, "word/_rels/document.xml.rels")
    outside = relations.replace(b'Target="styles.xml"', b'TargetMode="External" Target="https://e.org/styles.xml"')
    document = read(with_part(data, "word/_rels/document.xml.rels", outside))
    assert document.text == "T\n" and "no styles" in document.warnings[0] and not document.coverage.failed


def test_too_many_blocks_are_one() -> None:
    document = read(Word().add(*"abcdef"), max_blocks=3)
    assert len(all_blocks(document)) == 3 and document.coverage.limits_hit == ("max_blocks",)


def test_reading_stops_when_the_caller_goes_away() -> None:
    call = Call()
    call.stop.set()
    with pytest.raises(Cancelled):
        read_document(DOCX, Blob("a.docx", Word().saved()), ReadOptions(), call)


# --- real documents


@pytest.mark.data
def test_the_verification_standard_is_read_to_the_cell(data: Path) -> None:
    """Two cells differ in the file itself: a number, and marks of emphasis that the CSV keeps."""
    folder = data / "asvs-4.0.3"
    document = read((folder / "asvs-4.0.3-en.docx").read_bytes())
    assert len(headings(document)) == 165
    tables = [block.table for block in blocks(document, BlockKind.TABLE) if block.table]
    assert len(tables) == 75
    printed: dict[str, list[str]] = {}
    for table in tables:
        rows: dict[int, dict[int, str]] = {}
        for cell in table.cells:
            rows.setdefault(cell.row, {})[cell.column] = cell.text
        printed |= {row.get(0, ""): [row.get(column, "") for column in range(1, 7)] for row in rows.values()}
    with (folder / "asvs-4.0.3-en.csv").open(encoding="utf-8", newline="") as file:
        wanted = {row["req_id"]: list(row.values())[5:] for row in csv.DictReader(file)}
    printed = {f"V{key.strip('*V')}": row for key, row in printed.items()}
    assert len(wanted) == 286
    assert {key for key, row in wanted.items() if printed[key] != row} == {"V3.4.3", "V10.3.3"}
    assert all(key.lstrip("V") in document.text for key in wanted)


@pytest.mark.data
def test_every_item_of_a_file_of_lists_has_its_label_and_level(data: Path) -> None:
    document = read((data / "office" / "docx_lists.docx").read_bytes())
    lines = text(document, BlockKind.LIST).splitlines()
    assert len(lines) == 48
    assert {"  - 1.1 Morning Walk", "    - Pick up citrus and green onions", "3. WORKSHOP AND TOOL SHED"} <= set(lines)
