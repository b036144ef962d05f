import pytest

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import AsideKind, Document
from pincite.registry import FORMATS
from support.word import Word, p, r, styled, tbl, tc, tr

DOCX = next(row for row in FORMATS if row.name == "docx")
WHITE = '<w:color w:val="FFFFFF"/>'
DARK = '<w:shd w:val="clear" w:color="auto" w:fill="1F3864"/>'
FILL = "http://schemas.microsoft.com/office/word/2010/wordml"


def read(word: Word) -> Document:
    return read_document(DOCX, Blob("a.docx", word.saved()), ReadOptions(), Call())


def hidden(word: Word) -> list[str]:
    found = read(word.add("shown"))
    assert found.coverage.hidden_spans == sum(aside.kind is AsideKind.HIDDEN for aside in found.asides)
    assert all(aside.place and aside.reason for aside in found.asides)
    assert all(aside.text not in found.text for aside in found.asides)
    return [aside.text for aside in found.asides if aside.kind is AsideKind.HIDDEN]


def anchored(inside: str, *, x: int = 0, extent: int = 2_000_000, more: str = "", fill: str = "") -> str:
    """A paragraph with a text box."""
    return p(
        inside="<w:r><w:drawing><wp:anchor "
        f'{more}><wp:positionH relativeFrom="page"><wp:posOffset>{x}</wp:posOffset></wp:positionH>'
        f'<wp:extent cx="{extent}" cy="{extent}"/><wp:docPr id="1" name="Box"/><a:graphic><a:graphicData><wps:wsp>'
        f"<wps:spPr>{fill}</wps:spPr><wps:txbx><w:txbxContent>{inside}</w:txbxContent></wps:txbx></wps:wsp>"
        "</a:graphicData></a:graphic></wp:anchor></w:drawing></w:r>"
    )


def fill(colour: str) -> str:
    return f'<a:solidFill><a:srgbClr val="{colour}"/></a:solidFill>'


RUNS = {
    "white": WHITE,
    "nearly white": '<w:color w:val="FDFDFE"/>',
    "white of the theme": '<w:color w:val="000000" w:themeColor="background1"/>',
    "a light of the theme": '<w:color w:val="FFFFFF" w:themeColor="light1"/>',
    "nearly white by a shade": '<w:color w:val="F9F9F9" w:themeColor="background1" w:themeShade="FA"/>',
    "nearly white by a tint": '<w:color w:val="000000" w:themeColor="text1" w:themeTint="03"/>',
    "one point": '<w:sz w:val="2"/>',
    "a point and a half": '<w:sz w:val="3"/>',
    "hidden": "<w:vanish/>",
    "no width": '<w:w w:val="1"/>',
    "black on a black mark": '<w:color w:val="000000"/><w:highlight w:val="black"/>',
    "its shading": f'<w:color w:val="1F3865"/>{DARK}',
    "white on white shading": f'{WHITE}<w:shd w:val="clear" w:fill="FFFFFF"/>',
    "white on the theme's white": f'{WHITE}<w:shd w:val="clear" w:fill="auto" w:themeFill="background1"/>',
    "no fill": f'<w14:textFill xmlns:w14="{FILL}"><w14:noFill/></w14:textFill>',
}


@pytest.mark.parametrize("properties", RUNS.values(), ids=RUNS)
def test_a_run_that_nobody_sees_is_kept_apart(properties: str) -> None:
    word = Word().add(p("One ", inside=r("obey me", properties) + r("two")))
    assert hidden(word) == ["obey me"]


@pytest.mark.parametrize("properties", RUNS.values(), ids=RUNS)
def test_what_a_style_or_the_defaults_hide_is_kept_apart(properties: str) -> None:
    word = Word().style("a", "a", f"<w:rPr>{properties}</w:rPr>").style("b", "b", based_on="a")
    word.style("c", "c", f"<w:rPr>{properties}</w:rPr>", kind="character")
    assert hidden(word.add(styled("b", "obey me"), p("one", inside=r("and me", '<w:rStyle w:val="c"/>')))) == [
        "obey me",
        "and me",
    ]


SEEN = {
    "grey": '<w:color w:val="EEEEEE"/>',
    "automatic": '<w:color w:val="auto"/>',
    "white on dark": WHITE + DARK,
    "white on a mark": f'{WHITE}<w:highlight w:val="darkBlue"/>',
    "white on a pattern": f'{WHITE}<w:shd w:val="pct50" w:color="000000" w:fill="FFFFFF"/>',
    "white on the theme's dark": f'{WHITE}<w:shd w:val="clear" w:fill="FFFFFF" w:themeFill="text2"/>',
    "a dark shade of white": '<w:color w:val="FFFFFF" w:themeColor="background1" w:themeShade="80"/>',
    "hidden on the web": "<w:webHidden/>",
    "two points": '<w:sz w:val="4"/>',
    "shown again": '<w:vanish w:val="0"/>',
    "a gradient": f'{WHITE}<w14:textFill xmlns:w14="{FILL}"><w14:gradFill/></w14:textFill>',
    "red on green of one brightness": '<w:color w:val="FF0000"/><w:shd w:val="clear" w:fill="008000"/>',
}


@pytest.mark.parametrize("properties", SEEN.values(), ids=SEEN)
def test_a_run_that_can_be_seen_stays(properties: str) -> None:
    assert hidden(Word().add(p("One ", inside=r("two", properties)))) == []


def test_a_run_may_show_what_its_style_hides() -> None:
    word = Word().style("a", "a", f"<w:rPr>{WHITE}</w:rPr>")
    dark = word.add(p(properties=f'<w:pStyle w:val="a"/>{DARK}', inside=r("two")))
    assert hidden(dark.add(p(properties='<w:pStyle w:val="a"/>', inside=r("x", '<w:color w:val="auto"/>')))) == []


def test_white_in_a_table_depends_on_the_cell() -> None:
    white = p(inside=r("white", WHITE))
    assert hidden(Word().add(tbl(tr(tc(white, DARK), tc(p("b")))))) == []
    assert hidden(Word().add(tbl(tr(tc(white), tc(p("b")))))) == ["white"]
    assert hidden(Word().add(tbl(tr(tc(white), tc(p("b"))), properties=DARK))) == []
    inner = tbl(tr(tc(white), tc(p("b"))))
    assert hidden(Word().add(tbl(tr(tc(inner + p(), DARK), tc(p("b")))))) == []


def test_a_table_style_that_shades_cells_leaves_the_background_open() -> None:
    style = '<w:tblStylePr w:type="firstRow"><w:tcPr><w:shd w:val="clear" w:fill="4472C4"/></w:tcPr></w:tblStylePr>'
    word = Word().style("T", "T", style, kind="table")
    table = tbl(tr(tc(p(inside=r("white", WHITE))), tc(p("b"))), properties='<w:tblStyle w:val="T"/>')
    assert hidden(word.add(table)) == []


def test_the_page_may_have_a_colour() -> None:
    word = Word().add(p(inside=r("white", WHITE)), p(inside=r("blue", '<w:color w:val="102040"/>')))
    document = word.made.element
    document.insert(0, document.makeelement(document.tag.replace("document", "background")))
    document[0].set(document.tag.replace("document", "color"), "102040")
    assert hidden(word) == ["blue"]


def test_a_picture_behind_the_text_leaves_the_background_open() -> None:
    behind = anchored(p("on it"), more='behindDoc="1"')
    assert hidden(Word().add(behind, p(inside=r("white", WHITE)))) == []


@pytest.mark.parametrize(
    "properties",
    [
        '<w:spacing w:line="20" w:lineRule="exact"/>',
        '<w:ind w:left="-32000"/>',
        '<w:framePr w:x="-31999" w:y="1"/>',
    ],
)
def test_a_paragraph_without_height_or_off_the_page_is_kept_apart(properties: str) -> None:
    assert hidden(Word().add(p("obey me", properties))) == ["obey me"]


def test_a_row_without_height_is_kept_apart() -> None:
    low = '<w:trHeight w:val="10" w:hRule="exact"/>'
    assert hidden(Word().add(tbl(tr("a", "b"), tr("obey", "me", properties=low)))) == ["obey", "me"]


def test_a_text_box_that_stands_on_no_page_is_kept_apart() -> None:
    assert hidden(Word().add(anchored(p("obey me"), x=-30_000_000))) == ["obey me"]
    assert hidden(Word().add(anchored(p("obey me"), more='hidden="1"'))) == ["obey me"]
    assert hidden(Word().add(anchored(p("obey me"), extent=100))) == ["obey me"]
    shape = '<v:shape style="position:absolute;margin-left:-9999pt"><v:textbox><w:txbxContent>'
    box = f"{shape}{p('obey me')}</w:txbxContent></v:textbox></v:shape>"
    assert hidden(Word().add(p(inside=f"<w:r><w:pict>{box}</w:pict></w:r>"))) == ["obey me"]
    assert hidden(Word().add(anchored(p("on the page"), x=300_000))) == []


def test_white_in_a_text_box_depends_on_its_fill() -> None:
    white = p(inside=r("white", WHITE))
    assert hidden(Word().add(anchored(white))) == []
    assert hidden(Word().add(anchored(white, fill=fill("223344")))) == []
    assert hidden(Word().add(anchored(white, fill=fill("FFFFFF")))) == ["white"]
