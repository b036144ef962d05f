"""Presentations for the tests, written by python-pptx and by hand where it cannot."""

import io
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

from lxml import etree
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.util import Inches

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import Block, Document, Page
from pincite.registry import FORMATS, load

PPTX = next(row for row in FORMATS if row.name == "pptx")
TITLE_SLIDE, TITLE_AND_CONTENT, TITLE_ONLY, BLANK = 0, 1, 5, 6
NS = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main"'
)


class Deck:
    """A presentation that is being written."""

    def __init__(self) -> None:
        self.file = Presentation()

    def slide(self, title: str | None = None, layout: int = TITLE_ONLY) -> Any:
        """A slide more, with its title."""
        slide = self.file.slides.add_slide(self.file.slide_layouts[layout])
        if title is not None and slide.shapes.title is not None:
            slide.shapes.title.text_frame.text = title
        return slide

    def part(self, slide: Any, kind: str, name: str, xml: str) -> str:
        """A part by hand; its relation's id."""
        package = self.file.part.package
        return slide.part.relate_to(Part(PackURI(name), "application/xml", package, xml.encode()), kind)

    def saved(self) -> bytes:
        """The file's bytes."""
        buffer = io.BytesIO()
        self.file.save(buffer)
        return buffer.getvalue()

    def read(self) -> Document:
        """What the reader makes of it."""
        return read(self.saved())


def deck() -> bytes:
    """A small presentation."""
    made = Deck()
    box(made.slide("A"), "text")
    return made.saved()


def read(data: bytes, options: ReadOptions | None = None) -> Document:
    """What the reader makes of a presentation."""
    return read_document(PPTX, Blob("deck.pptx", data), options or ReadOptions(), Call())


def unguarded(data: bytes) -> str:
    """The text that the reader gives without the guard before it."""
    items = load(PPTX)(Blob("deck.pptx", data), ReadOptions(), Call())
    return "".join(item.text for item in items if isinstance(item, Page))


def blocks(document: Document) -> list[Block]:
    """The blocks of a document in order."""
    return [block for section in document.sections for block in section.blocks]


def texts(document: Document, kind: str = "") -> list[str]:
    """The text of each block, or of each of a kind."""
    return [document.text[block.start : block.end] for block in blocks(document) if kind in ("", block.kind.value)]


def box(slide: Any, text: str, left: float = 1, top: float = 2) -> Any:
    """A text box, its corner in inches."""
    shape = slide.shapes.add_textbox(Inches(left), Inches(top), Inches(2), Inches(0.5))
    shape.text_frame.text = text
    return shape


def raw(slide: Any, xml: str) -> None:
    """A shape by hand."""
    slide.shapes._spTree.append(etree.fromstring(xml.encode()))


def sp(text: str, attributes: str = "", place: bool = True) -> str:
    """A text shape as XML."""
    at = '<a:xfrm><a:off x="914400" y="1828800"/><a:ext cx="914400" cy="914400"/></a:xfrm>' if place else ""
    body = f"<p:txBody><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody>"
    holder = f'<p:nvSpPr><p:cNvPr id="77" name="x" {attributes}/><p:cNvSpPr/><p:nvPr/></p:nvSpPr>'
    return f"<p:sp {NS}>{holder}<p:spPr>{at}</p:spPr>{body}</p:sp>"


def frame(content: str, attributes: str = "") -> str:
    """A graphic frame around something, as XML."""
    return (
        f'<p:graphicFrame {NS}><p:nvGraphicFramePr><p:cNvPr id="78" name="g" {attributes}/><p:cNvGraphicFramePr/>'
        '<p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="2743200"/><a:ext cx="914400" cy="914400"/></p:xfrm>'
        f'<a:graphic><a:graphicData uri="u">{content}</a:graphicData></a:graphic></p:graphicFrame>'
    )


def bar_chart(
    slide: Any, categories: list[Any], series: Mapping[str, list[float | None]], number: str = "General"
) -> Any:
    """A chart of columns."""
    data: Any = CategoryChartData(number_format=number)
    data.categories = categories
    for name, values in series.items():
        data.add_series(name, values)
    place = (Inches(1), Inches(2), Inches(4), Inches(3))
    return slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *place, data).chart


def smart_art(deck: Deck, slide: Any, tree: list[tuple[str, str, str]]) -> None:
    """A diagram of (id, id of the one above, text); the top is `0`."""
    points = '<dgm:pt modelId="0" type="doc"/>' + "".join(
        f'<dgm:pt modelId="{key}"><dgm:t><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt>'
        for key, _, text in tree
    )
    points += '<dgm:pt modelId="p" type="pres"><dgm:t><a:p><a:r><a:t>looks</a:t></a:r></a:p></dgm:t></dgm:pt>'
    arrows = "".join(
        f'<dgm:cxn modelId="c{key}" srcId="{above}" destId="{key}" srcOrd="{order}" destOrd="0"/>'
        for order, (key, above, _) in enumerate(tree)
    )
    xml = f"<dgm:dataModel {NS}><dgm:ptLst>{points}</dgm:ptLst><dgm:cxnLst>{arrows}</dgm:cxnLst></dgm:dataModel>"
    key = deck.part(slide, RT.DIAGRAM_DATA, "/ppt/diagrams/data1.xml", xml)
    raw(slide, frame(f'<dgm:relIds r:dm="{key}" r:lo="x" r:qs="x" r:cs="x"/>'))


def edited(data: bytes, change: Callable[[str, bytes], bytes | None]) -> bytes:
    """A zip file whose members were changed; None leaves one out."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            made = change(name, source.read(name))
            if made is not None:
                target.writestr(name, made)
    return buffer.getvalue()
