"""Presentations: the eleven probes of the study, then what else a deck can hold."""

import io
import zipfile
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx.util import Inches

from pincite.errors import InvalidInput, ReadingFailed, Unsupported
from pincite.formats.base import ReadOptions
from pincite.model.document import Aside, AsideKind, Box, Cell, PageFailure
from support.decks import (
    BLANK,
    NS,
    RT,
    TITLE_AND_CONTENT,
    TITLE_SLIDE,
    Deck,
    bar_chart,
    blocks,
    box,
    edited,
    frame,
    raw,
    read,
    smart_art,
    sp,
    texts,
    unguarded,
)

SLIDE_1 = "ppt/slides/slide1.xml"


def test_each_slide_is_a_section_with_its_title_and_its_number() -> None:
    deck = Deck()
    deck.slide("One")
    box(deck.slide(layout=BLANK), "no title, only a box")
    deck.slide(" Three \v lines")
    found = deck.read()
    assert [section.path for section in found.sections] == [("One",), ("Slide 2",), ("Three lines",)]
    assert {section.level for section in found.sections} == {2}
    assert [block.page for block in blocks(found)] == [1, 2, 2, 3]
    assert (found.coverage.pages, found.coverage.read) == (3, 3)


def test_bullets_keep_their_levels() -> None:
    deck = Deck()
    body = deck.slide("T", TITLE_AND_CONTENT).placeholders[1].text_frame
    body.text = "a"
    for level, text in [(1, "b"), (2, "c"), (0, "d")]:
        line = body.add_paragraph()
        line.text, line.level = text, level
    assert texts(deck.read(), "list") == ["- a\n  - b\n    - c\n- d"]


def test_a_table_keeps_its_spans_and_its_header_row() -> None:
    deck = Deck()
    table = deck.slide("T").shapes.add_table(3, 2, Inches(1), Inches(2), Inches(4), Inches(1)).table
    for row, column, text in [(0, 0, "wide"), (1, 0, "tall"), (1, 1, "x"), (2, 1, "y")]:
        table.cell(row, column).text = text
    table.cell(0, 0).merge(table.cell(0, 1))
    table.cell(1, 0).merge(table.cell(2, 0))
    found = next(block.table for block in blocks(deck.read()) if block.table)
    assert (found.rows, found.columns, found.header_rows) == (3, 2, 1)
    assert found.cells == (
        Cell(0, 0, "wide", column_span=2, header=True),
        Cell(1, 0, "tall", row_span=2),
        Cell(1, 1, "x"),
        Cell(2, 1, "y"),
    )


def test_speaker_notes_stand_after_the_slide_as_a_quote() -> None:
    deck = Deck()
    slide = deck.slide("T")
    box(slide, "body")
    slide.notes_slide.notes_text_frame.text = "Say this.\n\nThen that."
    assert texts(deck.read())[1:] == ["body", "> Notes: Say this.\n> Then that."]


def test_a_link_keeps_its_url() -> None:
    deck = Deck()
    paragraph = box(deck.slide("T"), "see ").text_frame.paragraphs[0]
    for text in ("the ", "manual "):
        run = paragraph.add_run()
        run.text, run.hyperlink.address = text, "https://example.com/a"
    paragraph.add_run().text = "first"
    assert texts(deck.read())[1] == "see [the manual](https://example.com/a) first"


def test_a_chart_is_a_table_of_its_values() -> None:
    deck = Deck()
    chart = bar_chart(deck.slide("T"), ["Q1", "Q2", "Q3"], {"North": [1.5, None, 3], "South": [4, 5, 0.1 + 0.2]})
    chart.has_title = True
    chart.chart_title.text_frame.text = "Sales"
    assert texts(deck.read(), "table") == [
        "Sales\n\n|  | North | South |\n| --- | --- | --- |\n| Q1 | 1.5 | 4 |\n| Q2 |  | 5 |\n| Q3 | 3 | 0.3 |"
    ]


def test_smart_art_is_a_list_nested_as_the_diagram_is() -> None:
    deck = Deck()
    smart_art(deck, deck.slide("T"), [("1", "0", "Plan"), ("2", "1", "Ask"), ("3", "0", "Do"), ("4", "9", "lost")])
    assert texts(deck.read(), "list") == ["- Plan\n  - Ask\n- Do\n- lost"]


def test_groups_are_read_where_they_stand_and_shapes_by_rows_from_the_left() -> None:
    deck = Deck()
    slide = deck.slide("T")
    box(slide, "last", 1, 6)
    box(slide, "right", 5, 2)
    group = slide.shapes.add_group_shape()
    box(group, "in group, below", 1, 4)
    inner = group.shapes.add_group_shape()
    box(inner, "in group, above", 1, 3.4)
    box(slide, "left", 1, 2.1)
    assert texts(deck.read())[1:] == ["left", "right", "in group, above", "in group, below", "last"]


def test_a_hidden_slide_stands_apart_with_its_number() -> None:
    deck = Deck()
    deck.slide("Shown")
    hidden = deck.slide("Secret")
    box(hidden, "plan")
    hidden._element.set("show", "0")
    deck.slide("Shown too")
    found = deck.read()
    assert [section.path for section in found.sections] == [("Shown",), ("Shown too",)]
    assert found.asides == (Aside(AsideKind.HIDDEN, "## Secret\n\nplan", 2, reason="hidden slide"),)
    assert blocks(found)[-1].page == 3
    assert (found.coverage.pages, found.coverage.hidden_spans) == (3, 1)


def test_slides_are_numbered_as_the_presentation_orders_them() -> None:
    deck = Deck()
    for title in "ABC":
        deck.slide(title)
    ids: Any = deck.file.slides._sldIdLst  # pyright: ignore[reportPrivateUsage] - there is no public way
    ids.insert(0, ids[2])
    assert [(block.title, block.page) for block in blocks(deck.read())] == [("C", 1), ("A", 2), ("B", 3)]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("<mc:Choice Requires='a14'>{}</mc:Choice><mc:Fallback>{}</mc:Fallback>", "new"),
        ("<mc:Choice Requires='a14'/><mc:Fallback>{1}</mc:Fallback>", "old"),
    ],
)
def test_of_alternate_content_one_choice_is_read(content: str, text: str) -> None:
    deck = Deck()
    made = content.format(sp("new"), sp("old"))
    raw(deck.slide("T"), f"<mc:AlternateContent {NS}>{made}</mc:AlternateContent>")
    assert texts(deck.read())[1:] == [text]


def test_numbered_lists_show_their_numbers() -> None:
    deck = Deck()
    lines = "".join(
        f'<a:p><a:pPr lvl="{level}"><a:buAutoNum type="{scheme}" {start}/></a:pPr><a:r><a:t>{text}</a:t></a:r></a:p>'
        for level, scheme, start, text in [
            (0, "arabicPeriod", 'startAt="3"', "three"),
            (1, "alphaLcParenR", "", "a"),
            (1, "alphaLcParenR", "", "b"),
            (0, "arabicPeriod", 'startAt="3"', "four"),
            (1, "romanUcParenBoth", "", "again from one"),
            (2, "arabicPlain", "", "plain"),
        ]
    )
    raw(deck.slide("T"), sp("x").replace("<a:p><a:r><a:t>x</a:t></a:r></a:p>", lines))
    assert texts(deck.read(), "list") == [
        "3. three\n  - a) a\n  - b) b\n4. four\n  - (I) again from one\n    - 1 plain"
    ]


def test_paragraphs_of_a_text_box_are_no_list() -> None:
    deck = Deck()
    box(deck.slide("T"), "one\n \ntwo\vlines")
    assert texts(deck.read())[1:] == ["one", "two\nlines"]


def test_the_file_says_its_title_else_the_first_slide_does() -> None:
    deck = Deck()
    deck.slide("First", TITLE_SLIDE)
    deck.file.core_properties.title = "PowerPoint Presentation"
    deck.file.core_properties.author = "Ada"
    assert deck.read().title == "First"
    deck.file.core_properties.title = "Results"
    found = deck.read()
    assert (found.title, found.properties["author"]) == ("Results", "Ada")


def test_boxes_are_points_of_the_slide_also_in_groups_and_for_inherited_places() -> None:
    deck = Deck()
    slide = deck.slide("T", TITLE_AND_CONTENT)
    slide.placeholders[1].text_frame.text = "body"
    group = slide.shapes.add_group_shape()
    box(group, "in", 1, 6)
    at = group._element.grpSpPr.xfrm
    at.off.x, at.off.y, at.ext.cx, at.ext.cy = 0, Inches(6), Inches(1), Inches(1)
    found = deck.read()
    where = dict(zip(texts(found), (block.boxes for block in blocks(found)), strict=True))
    assert where["## T"] == (Box(36.0, 21.63, 684.0, 111.63),)
    assert where["- body"] == (Box(36.0, 126.0, 684.0, 482.38),)
    assert where["in"] == (Box(0, 432, 72, 504),)


def test_footers_dates_and_slide_numbers_stand_apart() -> None:
    deck = Deck()
    slide = deck.slide("T")
    for kind, text in [("ftr", "Confidential"), ("sldNum", "1")]:
        raw(slide, sp(text).replace("<p:nvPr/>", f'<p:nvPr><p:ph type="{kind}" idx="11"/></p:nvPr>'))
    found = deck.read()
    assert texts(found) == ["## T"]
    assert found.asides == (Aside(AsideKind.FOOTER, "Confidential", 1), Aside(AsideKind.FOOTER, "1", 1))


def test_a_hidden_shape_stands_apart() -> None:
    deck = Deck()
    raw(deck.slide("T"), sp("unseen", 'hidden="1"'))
    found = deck.read()
    assert (texts(found), found.asides) == (["## T"], (Aside(AsideKind.HIDDEN, "unseen", 1, reason="hidden shape"),))


def _picture() -> io.BytesIO:
    buffer = io.BytesIO()
    Image.new("RGB", (4, 4)).save(buffer, "PNG")
    return buffer


def test_pictures_give_their_alternative_text_unless_they_decorate() -> None:
    deck = Deck()
    slide = deck.slide("T")
    for number in range(3):
        slide.shapes.add_picture(_picture(), Inches(1), Inches(2 + number))
    seen, _, decoration = list(slide.shapes)[1:]
    seen._element.nvPicPr.cNvPr.set("descr", "A cat\non a mat")
    seen.click_action.hyperlink.address = "https://example.com/cat (1)"
    decoration._element.nvPicPr.cNvPr.set("descr", "line")
    mark = decoration._element.nvPicPr.cNvPr
    mark.append(mark.makeelement("{http://schemas.microsoft.com/office/drawing/2017/decorative}decorative", val="1"))
    assert texts(deck.read())[1:-1] == ["![A cat on a mat]", "[A cat on a mat](<https://example.com/cat (1)>)"]


def test_comments_of_both_kinds_stand_apart_with_their_authors() -> None:
    deck = Deck()
    slide = deck.slide("T")
    deck.part(
        slide,
        RT.COMMENTS,
        "/ppt/comments/c1.xml",
        f'<p:cmLst {NS}><p:cm authorId="0"><p:text>Old</p:text></p:cm></p:cmLst>',
    )
    new = "http://schemas.microsoft.com/office/2018/10/relationships/comments"
    body = "<{0}txBody><a:p><a:r><a:t>{1}</a:t></a:r></a:p></{0}txBody>"
    xml = (
        f'<q:cmLst {NS} xmlns:q="urn:q"><q:cm authorId="9"><q:replyLst><q:reply>{body.format("q:", "Reply")}</q:reply>'
        f"</q:replyLst>{body.format('q:', 'New')}</q:cm></q:cmLst>"
    )
    deck.part(slide, new, "/ppt/comments/c2.xml", xml)
    authors = f'<p:cmAuthorLst {NS}><p:cmAuthor id="0" name="Ada"/></p:cmAuthorLst>'
    deck.part(deck.file, RT.COMMENT_AUTHORS, "/ppt/commentAuthors.xml", authors)
    assert [aside.text for aside in deck.read().asides] == ["Ada: Old", "New", "Reply"]


def test_formulas_are_kept_as_their_text() -> None:
    deck = Deck()
    formula = "<a14:m><m:oMath><m:r><m:t>E=mc</m:t></m:r></m:oMath></a14:m>"
    formula = f"<mc:AlternateContent><mc:Choice Requires='a14'>{formula}</mc:Choice></mc:AlternateContent>"
    raw(deck.slide("T"), sp("so: ").replace("</a:p>", f"{formula}</a:p>"))
    assert texts(deck.read())[1:] == ["so: E=mc"]


def test_dates_and_percentages_of_charts_are_written_as_they_are_shown() -> None:
    deck = Deck()
    bar_chart(deck.slide("T"), [date(2024, 1, 31), date(2024, 2, 29)], {"Share": [0.07, 1]}, "0.0%")
    assert "| 2024-01-31 | 7% |\n| 2024-02-29 | 100% |" in deck.read().text


def test_charts_without_values_give_their_titles() -> None:
    deck = Deck()
    slide = deck.slide("T")
    bar_chart(slide, [], {})
    assert deck.read().coverage.complete


def test_newer_charts_are_tables_too() -> None:
    deck = Deck()
    slide = deck.slide("T")
    xml = (
        f'<cx:chartSpace {NS}><cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:lvl><cx:pt idx="0">Rent</cx:pt>'
        '<cx:pt idx="1">Food</cx:pt></cx:lvl></cx:strDim><cx:numDim type="val"><cx:lvl formatCode="General">'
        '<cx:pt idx="0">7</cx:pt><cx:pt idx="1">-2</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart>'
        "<cx:title><cx:tx><cx:txData><cx:v>Costs</cx:v></cx:txData></cx:tx></cx:title><cx:plotArea><cx:plotAreaRegion>"
        '<cx:series><cx:dataId val="0"/></cx:series><cx:series><cx:dataId val="5"/></cx:series></cx:plotAreaRegion>'
        "</cx:plotArea></cx:chart></cx:chartSpace>"
    )
    key = deck.part(slide, "http://schemas.microsoft.com/office/2014/relationships/chartEx", "/ppt/charts/x1.xml", xml)
    raw(slide, frame(f'<cx:chart r:id="{key}"/>'))
    assert texts(deck.read(), "table") == ["Costs\n\n|  | Series 1 |\n| --- | --- |\n| Rent | 7 |\n| Food | -2 |"]


def test_an_embedded_object_is_named() -> None:
    deck = Deck()
    raw(deck.slide("T"), frame("<p:oleObj progId='Excel.Sheet.12'/>", 'descr="the budget"'))
    found = deck.read()
    assert texts(found)[1:] == ["![the budget]"]
    assert "Excel.Sheet.12" in found.warnings[0]


def test_a_damaged_chart_costs_the_chart_alone_and_is_said() -> None:
    deck = Deck()
    slide = deck.slide("T")
    bar_chart(slide, ["a"], {"s": [1]})
    box(slide, "kept", 1, 6)
    raw(slide, frame('<c:chart r:id="rId99"/>'))
    found = read(edited(deck.saved(), lambda name, data: b"<c:chart" if "/charts/" in name else data))
    assert texts(found) == ["## T", "kept"]
    assert {failure.page for failure in found.coverage.failed} == {1}
    assert "chart" in found.coverage.failed[0].reason and "missing" in found.coverage.failed[1].reason
    assert (found.coverage.pages, found.coverage.read) == (1, 0)


@pytest.mark.parametrize("damage", [None, b"", b"<p:sld"], ids=["missing", "empty", "cut"])
def test_a_damaged_slide_costs_that_slide_alone(damage: bytes | None) -> None:
    deck = Deck()
    deck.slide("A")
    deck.slide("B")
    found = read(edited(deck.saved(), lambda name, data: damage if name == SLIDE_1 else data))
    assert (found.title, texts(found)) == (None, ["## B"]) or found.title == "PowerPoint Presentation"
    assert [failure.page for failure in found.coverage.failed] == [1]


@pytest.mark.parametrize(
    "part", ["notesSlides/notesSlide1.xml", "slideLayouts/slideLayout6.xml", "slideMasters/slideMaster1.xml"]
)
def test_what_stands_around_a_slide_costs_no_text_of_its_own(part: str) -> None:
    deck = Deck()
    slide = deck.slide("T")
    box(slide, "kept")
    slide.notes_slide.notes_text_frame.text = "note"
    found = read(edited(deck.saved(), lambda name, data: b"<" if name.endswith(part) else data))
    assert texts(found)[:2] == ["## T", "kept"]
    assert found.coverage.complete == ("notes" not in part)


def test_a_deck_that_shows_nothing_says_so() -> None:
    deck = Deck()
    with pytest.raises(InvalidInput, match="no slides"):
        deck.read()
    deck.slide("T")._element.set("show", "0")
    with pytest.raises(InvalidInput, match="hidden or damaged"):
        deck.read()


def test_slides_after_the_limit_are_left_out_and_said() -> None:
    deck = Deck()
    for title in "ABC":
        deck.slide(title)
    found = read(deck.saved(), ReadOptions(max_pages=2))
    assert texts(found) == ["## A", "## B"]
    assert (found.coverage.pages, found.coverage.read, found.coverage.limits_hit) == (3, 2, ("max_pages",))


def test_a_file_of_another_kind_is_refused_in_words() -> None:
    with pytest.raises(Unsupported, match="no zip"):
        unguarded(b"hello")
    with pytest.raises(InvalidInput, match="password"):
        unguarded(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"))
    with pytest.raises(InvalidInput, match="damaged or cut short"):
        unguarded(Deck().saved()[:3000])
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", "hello")
    with pytest.raises(Unsupported, match="no presentation"):
        unguarded(buffer.getvalue())


def test_strict_files_read_like_transitional_ones() -> None:
    deck = Deck()
    box(deck.slide("T"), "strict")
    old, new = b"http://schemas.openxmlformats.org/", b"http://purl.oclc.org/ooxml/"

    def strict(_: str, data: bytes) -> bytes:
        for kind in (b"presentationml", b"drawingml", b"officeDocument"):
            data = data.replace(old + kind + b"/2006/", new + kind + b"/")
        return data

    assert texts(read(edited(deck.saved(), strict))) == ["## T", "strict"]


def test_entities_are_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("SECRET")
    deck = Deck()
    box(deck.slide("T"), "MARK")

    def attack(name: str, data: bytes) -> bytes:
        if name != SLIDE_1:
            return data
        head = f'<!DOCTYPE x [<!ENTITY e SYSTEM "{secret.as_uri()}"><!ENTITY f "inner">]>'.encode()
        return data.replace(b"?>", b"?>" + head, 1).replace(b"MARK", b"&e;&f;")

    attacked = edited(deck.saved(), attack)
    assert "SECRET" not in unguarded(attacked)
    with pytest.raises(ReadingFailed, match="document type"):
        read(attacked)


def test_a_failure_is_named_with_its_slide() -> None:
    deck = Deck()
    deck.slide("A")
    raw(deck.slide("B"), frame('<dgm:relIds r:dm="rId99"/>'))
    assert deck.read().coverage.failed == (PageFailure(2, "slide 2: The part of a relIds is missing."),)


@pytest.mark.data
def test_nothing_of_a_real_deck_is_lost(data: Path) -> None:
    found = read((data / "office" / "test.pptx").read_bytes())
    markers = [
        "2cdda5c8-e50e-4db4-b5f0-9722a649f455",
        "04191ea8-5c73-4215-a1d3-1cfb43aaaf12",
        "44bf7d06-5e7a-4a40-a2e1-a2e42ef28c8a",
    ]
    markers += [
        "1b92870d-e3b5-4e65-8153-919f4ff45592",
        "a3f6004b-6f4f-4ea8-bee3-3741f4dc385f",
        "a3f6004b-6f4f-4ea8-bee3-3741f4dc385f",
    ]
    assert [marker for marker in markers if marker not in found.text] == []
    assert (found.coverage.pages, len(found.sections), found.coverage.complete) == (6, 6, True)
    assert found.sections[4].path == ("A Nested Shape parsing",)
