"""Word documents for tests: python-docx writes the package, raw XML what it cannot."""

import io
import zipfile
from collections.abc import Mapping
from typing import Any

import docx
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from lxml import etree

NAMESPACES = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "pic": "http://schemas.openxmlformats.org/drawingml/2006/picture",
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "dgm": "http://schemas.openxmlformats.org/drawingml/2006/diagram",
    "v": "urn:schemas-microsoft-com:vml",
}
_DECLARED = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in NAMESPACES.items())
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
_TYPES = "application/vnd.openxmlformats-officedocument.wordprocessingml."


class Word:
    """A document in the making."""

    def __init__(self) -> None:
        self.made: Any = docx.Document()

    def add(self, *xml: str) -> "Word":
        """Elements at the end of the body; a text that is no XML becomes a paragraph."""
        for text in xml:
            whole = text if text.startswith("<") else p(text)
            root = etree.fromstring(f"<x {_DECLARED}>{whole}</x>".encode())
            for element in list(root):
                self.made.element.body.insert_element_before(element, "w:sectPr")
        return self

    def style(self, identity: str, name: str, inside: str = "", based_on: str = "", kind: str = "paragraph") -> "Word":
        """A style of one's own."""
        based = f'<w:basedOn w:val="{based_on}"/>' if based_on else ""
        return self._append(
            self.made.styles.element,
            f'<w:style w:type="{kind}" w:styleId="{identity}"><w:name w:val="{name}"/>{based}{inside}</w:style>',
        )

    def numbers(self, identity: int, levels: str, *, nums: Mapping[int, str] | None = None, inside: str = "") -> "Word":
        """An abstract list and the lists (by id, with their overrides) that count in it."""
        root = self.made.part.numbering_part.element
        self._append(root, f'<w:abstractNum w:abstractNumId="{identity}">{inside}{levels}</w:abstractNum>')
        for num, overrides in (nums or {identity: ""}).items():
            self._append(root, f'<w:num w:numId="{num}"><w:abstractNumId w:val="{identity}"/>{overrides}</w:num>')
        return self

    def part(self, kind: str, xml: str, name: str = "") -> str:
        """A part of a kind (`footnotes`); its relation id."""
        body = f'<?xml version="1.0" encoding="UTF-8"?>{xml.replace(">", f" {_DECLARED}>", 1)}'
        uri = PackURI(f"/word/{name or kind}.xml")
        made = Part(uri, f"{_TYPES}{kind}+xml", body.encode(), self.made.part.package)
        return self.made.part.relate_to(made, _RELATIONS + kind)

    def link(self, url: str) -> str:
        """A relation to a URL; its id."""
        return self.made.part.relate_to(url, _RELATIONS + "hyperlink", is_external=True)

    def saved(self) -> bytes:
        """The file."""
        file = io.BytesIO()
        self.made.save(file)
        return file.getvalue()

    def _append(self, parent: Any, xml: str) -> "Word":
        parent.append(next(iter(etree.fromstring(f"<x {_DECLARED}>{xml}</x>".encode()))))
        return self


def p(text: str = "", properties: str = "", inside: str = "") -> str:
    """A paragraph of one run, then more."""
    return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else ''}{r(text) if text else ''}{inside}</w:p>"


def r(text: str, properties: str = "") -> str:
    """A run."""
    made = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{made}<w:t xml:space="preserve">{text}</w:t></w:r>'


def styled(style: str, text: str, more: str = "") -> str:
    """A paragraph of a style."""
    return p(text, f'<w:pStyle w:val="{style}"/>{more}')


def item(text: str, num: int, level: int = 0, more: str = "") -> str:
    """An item of a list."""
    return p(text, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{num}"/></w:numPr>{more}')


def lvl(level: int, form: str, text: str, more: str = "") -> str:
    """A level of an abstract list."""
    said = f'<w:start w:val="1"/><w:numFmt w:val="{form}"/>{more}<w:lvlText w:val="{text}"/>'
    return f'<w:lvl w:ilvl="{level}">{said}</w:lvl>'


def field(instruction: str, result: str) -> str:
    """A field of runs."""
    return (
        f'<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>{instruction}</w:instrText></w:r>'
        f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{result}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


def tbl(*rows: str, properties: str = "") -> str:
    """A table of rows."""
    return f"<w:tbl><w:tblPr>{properties}</w:tblPr>{''.join(rows)}</w:tbl>"


def tr(*cells: str, properties: str = "") -> str:
    """A row of cells; a text that is no XML becomes a cell."""
    made = "".join(cell if cell.startswith("<") else tc(p(cell)) for cell in cells)
    return f"<w:tr>{f'<w:trPr>{properties}</w:trPr>' if properties else ''}{made}</w:tr>"


def tc(inside: str, properties: str = "") -> str:
    """A cell."""
    return f"<w:tc>{f'<w:tcPr>{properties}</w:tcPr>' if properties else ''}{inside}</w:tc>"


def picture(alternative: str, inside: str = "<pic:pic/>") -> str:
    """A run with a picture."""
    return (
        f'<w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" descr="{alternative}"/>'
        f"<a:graphic><a:graphicData>{inside}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
    )


def with_part(data: bytes, name: str, content: bytes | None) -> bytes:
    """A file with a part replaced (None: taken away)."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for found in old.namelist():
            if found != name:
                new.writestr(found, old.read(found))
        if content is not None:
            new.writestr(name, content)
    return out.getvalue()


def part_of(data: bytes, name: str) -> bytes:
    """The bytes of a part."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return file.read(name)
