import pytest

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.odt.reader import read as read_pages
from pincite.model.call import Call
from pincite.model.document import AsideKind, BlockKind, Page
from support.archives import odp, odt, opendocument
from support.odt_read import read, read_bytes
from support.office import docx

NOTE = "<text:note text:note-class='{}'><text:note-citation>{}</text:note-citation><text:note-body><text:p>{}</text:p>"
MATH = "<math:math xmlns:math='http://www.w3.org/1998/Math/MathML'><math:semantics><math:mrow>{}</math:mrow>"


def note(kind: str, label: str, text: str) -> str:
    return NOTE.format(kind, label, text) + "</text:note-body></text:note>"


def test_footnotes_follow_their_section_and_endnotes_the_text() -> None:
    found = read(
        f"<text:p>a{note('footnote', '1', 'one')} b{note('endnote', 'i', 'end')} c{note('footnote', '1', 'two')}"
        "</text:p><text:h text:outline-level='1'>H</text:h><text:p>d</text:p>"
    )
    assert found.text == "a[^1] b[^i] c[^3]\n\n[^1]: one\n\n[^3]: two\n\n# H\n\nd\n\n[^i]: end\n"


def test_a_formula_is_read_as_a_person_would_type_it() -> None:
    formula = MATH.format(
        "<math:msup><math:mi>x</math:mi><math:mn>2</math:mn></math:msup><math:mo>+</math:mo><math:mn>1</math:mn>"
    )
    found = read(
        "<text:p>so <draw:frame><draw:object xlink:href='./Object 1'/></draw:frame> holds</text:p>",
        parts={"Object 1/content.xml": f"{formula}</math:semantics></math:math>"},
    )
    assert found.text == "so x^2+1 holds\n"


def test_a_chart_is_a_table_of_its_numbers() -> None:
    cells = "".join(f"<table:table-cell><text:p>{text}</text:p></table:table-cell>" for text in ("2020", "7"))
    table = f"<table:table><table:table-row>{cells}</table:table-row></table:table>"
    found = read(
        "<text:p><draw:frame><draw:object xlink:href='./Object 2'/></draw:frame></text:p>",
        parts={"Object 2/content.xml": opendocument(f"<office:body>{table}</office:body>")},
    )
    assert found.text == "|  |  |\n| --- | --- |\n| 2020 | 7 |\n"


def test_comments_and_margins_are_apart() -> None:
    styles = opendocument(
        "<office:master-styles><style:master-page><style:header><text:p>Draft</text:p></style:header><style:header-left>"
        "<text:p>Draft</text:p></style:header-left><style:footer><text:p>Page 1</text:p></style:footer>"
        "</style:master-page></office:master-styles>",
        "document-styles",
    )
    comment = "<office:annotation><dc:creator>Ada</dc:creator><text:p>Why?</text:p></office:annotation>"
    found = read(f"<text:p>a{comment}</text:p>", parts={"styles.xml": styles})
    assert found.text == "a\n"
    assert [(aside.kind, aside.text) for aside in found.asides] == [
        (AsideKind.HEADER, "Draft"),
        (AsideKind.FOOTER, "Page 1"),
        (AsideKind.COMMENT, "Ada: Why?"),
    ]


def test_a_picture_may_have_text_that_was_not_read() -> None:
    found = read("<text:p>a<draw:frame><draw:image xlink:href='Pictures/a.png'/></draw:frame></text:p>")
    assert found.coverage.unread_pictures == 0, "a part that is missing is no picture"


def test_a_damaged_part_is_a_gap() -> None:
    found = read("<text:p>a</text:p>", parts={"styles.xml": "<broken"})
    assert found.text == "a\n"
    assert "styles.xml is damaged" in found.coverage.failed[0].reason


def test_an_identifier_that_is_no_name_is_no_damage() -> None:
    """AbiWord writes such identifiers of RDF."""
    assert read("<text:p><text:span xml:id='geo1#dec09r3'>a</text:span></text:p>").text == "a\n"


def test_a_protected_file_says_so() -> None:
    manifest = '<manifest><file-entry full-path="content.xml"><encryption-data/></file-entry></manifest>'
    with pytest.raises(InvalidInput, match="password"):
        read_bytes(odt("<text:p>a</text:p>", parts={"META-INF/manifest.xml": manifest}))


def test_other_files_are_refused() -> None:
    no_text = opendocument("<office:body><office:spreadsheet/></office:body>")
    for data in (b"text", odt("", parts={"content.xml": no_text})):
        with pytest.raises(Unsupported, match="whatever its name says"):
            list(read_pages(Blob("a.odt", data), ReadOptions(), Call()))
    with pytest.raises(InvalidInput, match=r"content\.xml is missing"):
        list(read_pages(Blob("a.odt", docx()), ReadOptions(), Call()))


def _frame(of: str, *paragraphs: str) -> str:
    inside = "".join(f"<text:p>{text}</text:p>" for text in paragraphs)
    return f"<draw:frame presentation:class='{of}'><draw:text-box>{inside}</draw:text-box></draw:frame>"


def _slides(slides: str, styles: str = "") -> list[Page]:
    _, *pages = read_pages(Blob("a.odp", odp(slides, styles)), ReadOptions(), Call())
    return [page for page in pages if isinstance(page, Page)]


def test_a_slide_is_a_page_that_begins_with_its_title() -> None:
    notes = f"<presentation:notes>{_frame('notes', 'Say this.', 'And that.')}</presentation:notes>"
    items = "".join(f"<text:list-item><text:p>{text}</text:p></text:list-item>" for text in ("one", "two"))
    outline = f"<draw:frame><draw:text-box><text:list>{items}</text:list></draw:text-box></draw:frame>"
    first = f"<draw:page>{outline}{_frame('title', 'Growth', 'this year')}{notes}</draw:page>"
    pages = _slides(f"{first}<draw:page>{_frame('title')}{_frame('', 'alone')}</draw:page>")
    assert [(page.number, page.text) for page in pages] == [
        (1, "## Growth this year\n\n- one\n- two\n\nSay this.\nAnd that.\n"),
        (2, "## Slide 2\n\nalone\n"),
    ]
    assert pages[0].blocks[-1].kind is BlockKind.QUOTE


def test_a_hidden_slide_is_kept_apart() -> None:
    style = "<style:drawing-page-properties presentation:visibility='hidden'/>"
    styles = f"<style:style style:name='dp1' style:family='drawing-page'>{style}</style:style>"
    (page,) = _slides(f"<draw:page draw:style-name='dp1'>{_frame('title', 'Draft')}</draw:page>", styles)
    assert (page.text, [(aside.kind, aside.reason) for aside in page.asides]) == (
        "",
        [(AsideKind.HIDDEN, "hidden slide")],
    )


def test_a_deck_without_slides_and_damage_in_one_are_said() -> None:
    (empty,) = _slides("")
    assert [failure.reason for failure in empty.failures] == ["it has no slides"]
    frame = _frame("title", "Growth")
    first, second = _slides(f"<draw:page>{frame}</draw:page><draw:page>{frame}<draw:frame></draw:page>")
    assert (first.text, second.text) == ("## Growth\n", "## Growth\n")
    assert len(first.failures) == 1 and not second.failures
