"""Files that are meant to harm a reader: crafted ones by name, and honest ones with something changed in them."""

import io
import random
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping

from support import office
from support.archives import book, epub, odt, opendocument
from support.doc_read import manual
from support.outlook import msg, storage
from support.pdfs import Filled, column, pdf, prose
from support.pictures import in_document, picture
from support.ppt_read import talk
from support.tagged_pdfs import lines, row, tag, tagged_pdf

MEGABYTE = 1_000_000
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
X = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
PARAGRAPH = "<w:p><w:r><w:t>Rotate the keys.</w:t></w:r></w:p>"
_ROW = f"<w:tr>{f'<w:tc>{PARAGRAPH}</w:tc>' * 3000}</w:tr>"
LOL = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
DTD = f'<!DOCTYPE l [<!ENTITY l0 "lol">{LOL}]>'

Make = Callable[[], bytes]


def _word(body: str, head: str = "", encoding: str = "utf-8") -> bytes:
    declared = f'<?xml version="1.0" encoding="{encoding}"?>'
    document = f"{declared}{head}<w:document {W}><w:body>{body}</w:body></w:document>"
    return office.changed(office.docx(), {"word/document.xml": document.encode(encoding)})


def _slide(tree: str) -> bytes:
    slide = f"<p:sld {P} {A}><p:cSld><p:spTree><p:nvGrpSpPr/><p:grpSpPr/>{tree}</p:spTree></p:cSld></p:sld>"
    return office.changed(office.pptx(), {"ppt/slides/slide1.xml": slide.encode()})


def _sheet(rows: str, after: str = "", before: str = "") -> bytes:
    sheet = f"<worksheet {X}>{before}<sheetData>{rows}</sheetData>{after}</worksheet>"
    return office.changed(office.xlsx(), {"xl/worksheets/sheet1.xml": sheet.encode()})


def _cell(place: str, text: str = "x") -> str:
    return f'<row r="{re.sub("[A-Z]", "", place)}"><c r="{place}" t="inlineStr"><is><t>{text}</t></is></c></row>'


def _grown(archive: bytes, parts: Mapping[str, int], filling: bytes = b" ") -> bytes:
    return office.changed(archive, {name: filling * size for name, size in parts.items()})


def _lying(archive: bytes, size: int = 100) -> bytes:
    """The same zip; its headers say that every part has this size unpacked."""
    data = bytearray(archive)
    for mark, at in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
        position = data.find(mark)
        while position >= 0:
            data[position + at : position + at + 4] = size.to_bytes(4, "little")
            position = data.find(mark, position + 4)
    return bytes(data)


def _encrypted() -> bytes:
    data = bytearray(office.docx())
    for mark, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        position = data.find(mark)
        while position >= 0:
            data[position + at] |= 1
            position = data.find(mark, position + 4)
    return bytes(data)


def _without(archive: bytes, *names: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(archive)) as read:
        return office.packed({name: read.read(name) for name in read.namelist() if name not in names})


def _pdf(*objects: bytes) -> bytes:
    data, places = b"%PDF-1.7\n", list[int]()
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    end = b"trailer\n<</Size %d /Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (size, len(data))
    return data + b"xref\n0 %d\n0000000000 65535 f \n%b%b" % (size, table, end)


def _png(width: int, height: int, data: bytes = b"") -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")


def _noise(size: int, seed: int = 0) -> bytes:
    return random.Random(seed).randbytes(size)  # noqa: S311 - noise that repeats


def _stream(body: bytes, entries: bytes = b"") -> bytes:
    return b"<</Length %d %b>>\nstream\n%b\nendstream" % (len(body), entries, body)


def _forms(depth: int, width: int) -> bytes:
    """A page with a form that has `width` forms in it, to a depth: `width` to the power of `depth` in all."""
    shown = b"/X Do " * width
    resources = b"/Resources <</XObject <</X %d 0 R>> >>"
    page = b"<</Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R " + resources % 5 + b">>"
    form = b"/Type /XObject /Subtype /Form /BBox [0 0 600 800] "
    inner = [_stream(shown, form + resources % (number + 6)) for number in range(depth)]
    last = _stream(b"0 0 m 9 9 l S", form)
    return _pdf(_CATALOG, b"<</Type /Pages /Kids [3 0 R] /Count 1>>", page, _stream(b"/X Do"), *inner, last)


def _nested_zips(depth: int, width: int) -> bytes:
    """As 42.zip: a zip of equal zips, to a depth, with 4 MB of zeros in each of the innermost."""
    data = office.packed({"0.dll": bytes(4 * MEGABYTE)})
    for _ in range(depth):
        data = office.packed({f"lib {number}.zip": data for number in range(width)})
    return data


def _with_picture(data: bytes) -> bytes:
    """A Word document whose picture has these bytes."""
    return office.changed(in_document(picture(size=(200, 200))), {"word/media/image1.png": data})


_CATALOG = b"<</Type /Catalog /Pages 2 0 R>>"
_PAGE = b"<</Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R>>"
_BOMB = zlib.compress(b"0 0 m 1 1 l\n" * 2_000_000, 9)

ZIPPED: dict[str, Make] = {
    "part bomb.docx": lambda: _grown(office.docx(), {"word/document.xml": 25 * MEGABYTE}),
    "total bomb.xlsx": lambda: _grown(office.xlsx(), {f"xl/x{n}.xml": 9 * MEGABYTE for n in range(5)}),
    "ratio bomb.pptx": lambda: _grown(office.pptx(), {"ppt/media/a.bin": 15 * MEGABYTE}, b"\0"),
    "lying sizes bomb.docx": lambda: _lying(_grown(office.docx(), {"word/document.xml": 25 * MEGABYTE})),
    "lying sizes.docx": lambda: _lying(office.docx()),
    "zip in zip bomb.zip": lambda: office.packed({"a.zip": office.packed({"b": bytes(20 * MEGABYTE)})}),
    "many parts.docx": lambda: office.changed(office.docx(), {f"word/{n}.xml": b"<a/>" for n in range(2000)}),
    "entity bomb.docx": lambda: _word("<w:p><w:r><w:t>&l9;</w:t></w:r></w:p>", DTD),
    "entity bomb in UTF-16.docx": lambda: _word("<w:p><w:r><w:t>&l9;</w:t></w:r></w:p>", DTD, "utf-16"),
    "long entity.docx": lambda: _word("&a;" * 50_000, f'<!DOCTYPE a [<!ENTITY a "{"a" * 50_000}">]>'),
    "external entity.docx": lambda: _word(
        "<w:p><w:r><w:t>&a;</w:t></w:r></w:p>", '<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/hostname">]>'
    ),
    "entity in relations.xlsx": lambda: office.changed(office.xlsx(), {"xl/_rels/workbook.xml.rels": DTD.encode()}),
    "encrypted part.docx": _encrypted,
    "encrypted.docx": lambda: office.ole("EncryptionInfo", "EncryptedPackage"),
    "truncated.docx": lambda: office.docx()[:9000],
    "truncated.pptx": lambda: office.pptx()[:-40],
    "without its document.docx": lambda: _without(office.docx(), "word/document.xml"),
    "without styles and relations.docx": lambda: _without(
        office.docx(), "word/styles.xml", "word/_rels/document.xml.rels"
    ),
    "without content types.xlsx": lambda: _without(office.xlsx(), "[Content_Types].xml"),
    "without a slide.pptx": lambda: _without(office.pptx(), "ppt/slides/slide1.xml"),
    "without a sheet.xlsx": lambda: _without(office.xlsx(), "xl/worksheets/sheet1.xml"),
    "parts are folders.docx": lambda: office.changed(office.docx(), {"word/document.xml/": b""}),
    "climbing names.docx": lambda: office.changed(office.docx(), {"../../../etc/passwd": b"root"}),
}
WORD: dict[str, Make] = {
    "deep.docx": lambda: _word("<w:sdt>" * 100_000 + "</w:sdt>" * 100_000),
    "tables in tables.docx": lambda: _word("<w:tbl><w:tr><w:tc>" * 2000 + PARAGRAPH + "</w:tc></w:tr></w:tbl>" * 2000),
    "giant span.docx": lambda: _word(
        "<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val='2000000000'/></w:tcPr>" + PARAGRAPH + "</w:tc></w:tr></w:tbl>"
    ),
    "endless columns.docx": lambda: _word(f"<w:tbl>{_ROW * 30}</w:tbl>"),
    "long paragraph.docx": lambda: _word(f"<w:p><w:r><w:t>{'key ' * 2_000_000}</w:t></w:r></w:p>"),
    "many paragraphs.docx": lambda: _word(PARAGRAPH * 120_000),
    "odd numbers.docx": lambda: _word(
        "<w:p><w:pPr><w:outlineLvl w:val='-9'/><w:numPr><w:ilvl w:val='99'/><w:numId w:val='x'/></w:numPr></w:pPr>"
        "<w:r><w:t>Rotate the keys.</w:t></w:r></w:p>"
    ),
    "broken markup.docx": lambda: _word("<w:p><w:r>"),
    "wrong root.docx": lambda: office.changed(office.docx(), {"word/document.xml": b"<html>Rotate</html>"}),
    "circle of styles.docx": lambda: office.changed(
        office.docx(),
        {
            "word/styles.xml": (
                f"<w:styles {W}>"
                + "".join(
                    f"<w:style w:type='paragraph' w:styleId='s{n}'><w:basedOn w:val='s{(n + 1) % 3}'/></w:style>"
                    for n in range(3)
                )
                + "</w:styles>"
            ).encode(),
            "word/document.xml": (
                f"<w:document {W}><w:body><w:p><w:pPr><w:pStyle w:val='s0'/></w:pPr><w:r><w:t>Rotate</w:t></w:r></w:p>"
                "</w:body></w:document>"
            ).encode(),
        },
    ),
}
SLIDES: dict[str, Make] = {
    "groups in groups.pptx": lambda: _slide("<p:grpSp>" * 5000 + "</p:grpSp>" * 5000),
    "giant span.pptx": lambda: _slide(
        "<p:graphicFrame><p:nvGraphicFramePr/><p:xfrm/><a:graphic>"
        "<a:graphicData uri='http://schemas.openxmlformats.org/drawingml/2006/table'><a:tbl><a:tblGrid/>"
        "<a:tr><a:tc gridSpan='2000000000' rowSpan='2000000000'><a:txBody><a:p><a:r><a:t>Rotate</a:t></a:r></a:p>"
        "</a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    ),
    "broken markup.pptx": lambda: _slide("<p:sp>"),
    "odd levels.pptx": lambda: _slide(
        "<p:sp><p:nvSpPr/><p:spPr/><p:txBody><a:p><a:pPr lvl='-5'/><a:r><a:t>Rotate</a:t></a:r></a:p></p:txBody></p:sp>"
    ),
}
SHEETS: dict[str, Make] = {
    "sparse.xlsx": lambda: _sheet(_cell("A1") + _cell("XFD1048576")),
    "giant merge.xlsx": lambda: _sheet(_cell("A1"), "<mergeCells><mergeCell ref='A1:XFD1048576'/></mergeCells>"),
    "lying dimension.xlsx": lambda: _sheet(_cell("A1"), before="<dimension ref='A1:XFD1048576'/>"),
    "shared string that is not there.xlsx": lambda: _sheet("<row r='1'><c r='A1' t='s'><v>999999</v></c></row>"),
    "places beyond the sheet.xlsx": lambda: _sheet(_cell("ZZZZ99999999")),
    "wide.xlsx": lambda: _sheet("".join(_cell(f"{column}1") for column in ("A", "XFD"))),
    "not a number.xlsx": lambda: _sheet("<row r='1'><c r='A1'><v>1e999</v></c><c r='B1' t='d'><v>x</v></c></row>"),
    "broken markup.xlsx": lambda: _sheet("<row>"),
    "long cell.xlsx": lambda: _sheet(_cell("A1", "key " * 1_000_000)),
    "empty book.xls": lambda: office.ole("Workbook"),
    "circle of sectors.xls": lambda: office.ole("Workbook")[:516] + bytes(4) + office.ole("Workbook")[520:],
}
PAGES: dict[str, Make] = {
    "deep.html": lambda: b"<html><body>" + b"<div>" * 100_000 + b"Rotate the keys.",
    "deep inline.html": lambda: b"<html><body><p>" + b"<b>" * 100_000 + b"Rotate the keys.",
    "lists in lists.html": lambda: b"<html><body>" + b"<ul><li>" * 20_000 + b"Rotate the keys.",
    "tables in tables.html": lambda: b"<html><body>" + b"<table><tr><td>" * 5000 + b"Rotate the keys.",
    "giant span.html": lambda: b"<table><tr><td colspan=2000000000 rowspan=2000000000>Rotate</td></tr></table>",
    "endless rows.html": lambda: b"<table>" + b"<tr><td>a<td>b" * 100_000 + b"</table>",
    "long attribute.html": lambda: b"<html><body><p title='" + b"a" * 5 * MEGABYTE + b"'>Rotate the keys.</p>",
    "open tags.html": lambda: b"<html><body>" + b"<p <a <b <i " * 100_000 + b">Rotate the keys.",
    "script alone.html": lambda: b"<html><body><script>" + b"rotate();" * 1000 + b"</script></body></html>",
    "zeros.html": lambda: b"<html><body><p>Rotate\0 the\0 keys.</p>" * 100,
    "entities.html": lambda: b"<html><body><p>" + b"&amp" * 100_000 + b"&#1114112;&#xD800;&lol;</p>",
    "comment without end.html": lambda: b"<html><body><p>Rotate</p><!-- " + b"- " * 100_000,
}
TEXTS: dict[str, Make] = {
    "long line.csv": lambda: b"key," * 1_000_000,
    "open quote.csv": lambda: b'name,quantity\n"bolt,3\n' + b"nut,5\n" * 100_000,
    "many columns.csv": lambda: (b"a;" * 20_000 + b"\n") * 5,
    "zeros.csv": lambda: b"name,quantity\nbo\0lt,3\n" * 100,
    "UTF-16 without a mark.csv": lambda: "name;quantity\nbolt;3\n".encode("utf-16-le") * 50,
    "UTF-16.md": lambda: "# Keys\n\nRotate them.\n".encode("utf-16"),
    "half a character.txt": lambda: "keys".encode("utf-16") + b"\0",
    "quotes in quotes.md": lambda: b"> " * 20_000 + b"Rotate",
    "open brackets.md": lambda: b"[" * 50_000 + b"Rotate",
    "noise.txt": lambda: _noise(50_000),
    "noise.csv": lambda: _noise(50_000, 1),
    "zeros.md": lambda: bytes(50_000),
    "blank.md": lambda: b" \n" * 50_000,
}
OTHERS: dict[str, Make] = {
    "a workbook.csv": office.xlsx,
    "a document.pdf": office.docx,
    "a presentation.docx": office.pptx,
    "a page.xls": lambda: b"<html><table><tr><td>bolt</td><td>3</td></tr></table></html>",
    "an image.docx": lambda: _png(1, 1, b"\0\0\0\0"),
    "noise.docx": lambda: b"PK\3\4" + _noise(50_000),
    "noise.xlsx": lambda: _noise(50_000, 2),
    "noise.pdf": lambda: b"%PDF-1.7\n" + _noise(50_000),
    "noise.png": lambda: b"\x89PNG\r\n\x1a\n" + _noise(50_000),
    "noise.doc": lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + _noise(50_000),
    "empty.docx": lambda: b"",
    "two things at once.pdf": lambda: _pdf(_CATALOG, b"<</Type /Pages /Kids [] /Count 0>>") + office.docx(),
    "junk in front.pdf": lambda: _noise(1000) + _pdf(_CATALOG, b"<</Type /Pages /Kids [] /Count 0>>"),
    "pages in pages.pdf": lambda: _pdf(_CATALOG, b"<</Type /Pages /Kids [2 0 R] /Count 1000000>>"),
    "flate bomb.pdf": lambda: _pdf(
        _CATALOG,
        b"<</Type /Pages /Kids [3 0 R] /Count 1>>",
        _PAGE,
        b"<</Length %d /Filter /FlateDecode>>\nstream\n%b\nendstream" % (len(_BOMB), _BOMB),
    ),
    "a million pages said.pdf": lambda: _pdf(
        _CATALOG, b"<</Type /Pages /Kids [3 0 R] /Count 1000000>>", _PAGE, _stream(b"BT ET")
    ),
    "a million kids.pdf": lambda: _pdf(
        _CATALOG, b"<</Type /Pages /Kids [" + b"3 0 R " * 1_000_000 + b"] /Count 1000000>>", _PAGE, _stream(b"BT ET")
    ),
    "a page of 70 metres.pdf": lambda: _pdf(
        _CATALOG,
        b"<</Type /Pages /Kids [3 0 R] /Count 1>>",
        b"<</Type /Page /Parent 2 0 R /MediaBox [0 0 200000 200000] /Contents 4 0 R /Resources <</Font <</F "
        b"<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>> >> >> >>",
        _stream(b"BT /F 5000 Tf 72 100000 Td (Rotate the keys.) Tj ET"),
    ),
    "forms in forms.pdf": lambda: _forms(2000, 1),
    "a tree of forms.pdf": lambda: _forms(24, 2),
    "a wide tree of forms.pdf": lambda: _forms(4, 40),
    "a form in itself.pdf": lambda: _pdf(
        _CATALOG,
        b"<</Type /Pages /Kids [3 0 R] /Count 1>>",
        b"<</Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources <</XObject <</X 5 0 R>> >> >>",
        _stream(b"/X Do"),
        _stream(
            b"/X Do /X Do",
            b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources <</XObject <</X 5 0 R>> >>",
        ),
    ),
    "zips in zips.zip": lambda: _nested_zips(5, 16),
    "zips in zips.docx": lambda: _nested_zips(5, 16),
    "a picture of 100 million.docx": lambda: _with_picture(_png(30_000, 30_000, b"")),
    "a picture that is cut.docx": lambda: _with_picture(picture(size=(200, 200))[:500]),
    "a picture that is none.docx": lambda: _with_picture(_noise(5000)),
    "large as a house.pdf": lambda: _pdf(
        _CATALOG,
        b"<</Type /Pages /Kids [3 0 R] /Count 1>>",
        b"<</Type /Page /Parent 2 0 R /MediaBox [0 0 20000000 20000000]>>",
    ),
    "large as a house.png": lambda: _png(60_000, 60_000),
    "truncated.png": lambda: _png(100, 100, bytes(30_100))[:60],
    "groups in groups.rtf": lambda: b"{\\rtf1" + b"{" * 100_000 + b"Rotate" + b"}" * 100_000 + b"}",
}
_ITEM = '<item id="{0}" href="{1}" media-type="application/xhtml+xml"/>'
_LISTS = "<text:list><text:list-item>{}</text:list-item></text:list>"
_TABLES = "<table:table><table:table-row><table:table-cell>{}</table:table-cell></table:table-row></table:table>"
_NOTES = "<text:note><text:note-body><text:p>{}</text:p></text:note-body></text:note>"
_BODY = "<office:body><office:text><text:p>{}</text:p></office:text></office:body>"


def _book_of(items: str, order: str, parts: Mapping[str, str | bytes]) -> bytes:
    return book(f"<manifest>{items}</manifest><spine>{order}</spine>", parts)


def _nested(around: str, text: str, depth: int) -> str:
    before, _, after = around.partition("{}")
    return before * depth + text + after * depth


BOOKS: dict[str, Make] = {
    "bomb.epub": lambda: _grown(epub("<p>Rotate.</p>"), {"c0.xhtml": 25 * MEGABYTE}),
    "lying sizes.epub": lambda: _lying(epub("<p>Rotate the keys.</p>" * 500)),
    "truncated.epub": lambda: epub("<p>Rotate the keys.</p>" * 500)[:4000],
    "without its package.epub": lambda: _without(epub("<p>Rotate.</p>"), "book.opf"),
    "entity bomb.epub": lambda: office.changed(epub("<p>Rotate.</p>"), {"book.opf": DTD.encode() + b"<l>&l9;</l>"}),
    "chapters outside.epub": lambda: _book_of(
        _ITEM.format("a", "../../../../etc/hostname"), '<itemref idref="a"/>', {"a.xhtml": "<p>Rotate.</p>"}
    ),
    "a chapter often.epub": lambda: _book_of(
        "".join(_ITEM.format(f"c{n}", "a.xhtml") for n in range(20_000)),
        "".join(f'<itemref idref="c{n}"/>' for n in range(20_000)),
        {"a.xhtml": f"<body>{'<p>Rotate the keys.</p>' * 1000}</body>"},
    ),
    "chapters that are missing.epub": lambda: _book_of(
        "".join(_ITEM.format(f"c{n}", f"{n}.xhtml") for n in range(20_000)),
        "".join(f'<itemref idref="c{n}"/>' for n in range(20_000)),
        {},
    ),
    "a book as its own chapter.epub": lambda: _book_of(_ITEM.format("a", "book.opf"), '<itemref idref="a"/>', {}),
}
OPEN_TEXTS: dict[str, Make] = {
    "bomb.odt": lambda: _grown(odt(""), {"content.xml": 25 * MEGABYTE}),
    "lying sizes.odt": lambda: _lying(odt("<text:p>Rotate the keys.</text:p>" * 500)),
    "truncated.odt": lambda: odt("<text:p>Rotate the keys.</text:p>" * 500)[:4000],
    "encrypted.odt": lambda: odt(
        "", parts={"META-INF/manifest.xml": "<manifest><encryption-data/></manifest>", "content.xml": _noise(2000)}
    ),
    "entity bomb.odt": lambda: odt("", parts={"content.xml": DTD + opendocument(_BODY.format("&l9;"))}),
    "lists in lists.odt": lambda: odt(_nested(_LISTS, "<text:p>Rotate.</text:p>", 90)),
    "deep lists.odt": lambda: odt(_nested(_LISTS, "<text:p>Rotate.</text:p>", 50_000)),
    "tables in tables.odt": lambda: odt(_nested(_TABLES, "<text:p>Rotate.</text:p>", 60)),
    "spans in spans.odt": lambda: odt(
        _nested("<text:p>{}</text:p>", _nested("<text:span>{}</text:span>", "a", 200), 1)
    ),
    "a million columns.odt": lambda: odt(
        "<table:table><table:table-row table:number-rows-repeated='1000000'><table:table-cell "
        "table:number-columns-repeated='1000000'><text:p>a</text:p></table:table-cell></table:table-row></table:table>"
    ),
    "giant spans.odt": lambda: odt(
        "<table:table><table:table-row><table:table-cell table:number-columns-spanned='2000000000' "
        "table:number-rows-spanned='2000000000'><text:p>a</text:p></table:table-cell></table:table-row></table:table>"
    ),
    "a billion spaces.odt": lambda: odt("<text:p>a<text:s text:c='1000000000'/>b</text:p>" * 1000),
    "odd numbers.odt": lambda: odt(
        "<text:h text:outline-level='-9' text:start-value='1e9'>Keys</text:h>"
        "<text:list text:style-name='x'><text:list-item text:start-value='99999999999'><text:p>a</text:p>"
        "</text:list-item></text:list>"
    ),
    "a note in itself.odt": lambda: odt(_nested("<text:p>{}</text:p>", _nested(_NOTES, "a", 60), 1)),
    "many notes.odt": lambda: odt(
        "<text:p>a<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>b</text:p>"
        "</text:note-body></text:note></text:p>" * 5000
    ),
    "many styles.odt": lambda: odt(
        "<text:p text:style-name='s0'>Rotate.</text:p>" * 3000,
        "".join(f"<style:style style:name='s{n}' style:parent-style-name='s{n + 1}'/>" for n in range(20_000)),
    ),
    "a style of itself.odt": lambda: odt(
        "<text:p text:style-name='s'>Rotate.</text:p>", "<style:style style:name='s' style:parent-style-name='s'/>"
    ),
}
CRAFTED: dict[str, Make] = {
    **ZIPPED, **WORD, **SLIDES, **SHEETS, **PAGES, **TEXTS, **OTHERS, **BOOKS, **OPEN_TEXTS,
}  # fmt: skip
"""File name → what makes it. None is made before it is needed, some are large."""

HONEST: dict[str, Make] = {
    "a.docx": office.docx,
    "a.pptx": office.pptx,
    "a.xlsx": office.xlsx,
    "a.xls": lambda: office.ole("Workbook"),
    "a.html": lambda: (
        b"<html lang=en><head><title>Keys</title></head><body><main><h1 id=k>Keys</h1><p>Rotate <b>them</b>.</p>"
        b"<ul><li>daily<ul><li>or so</ul></ul><table><tr><th>a<th>b<tr><td rowspan=2>1<td>2<tr><td>3</table>"
        b"<pre><code class='language-sh'>keys rotate</code></pre></main></body></html>"
    ),
    "a.csv": lambda: b'name;quantity;"in stock"\n' + b"".join(b'"bolt %d";%d;1,5\n' % (n, n) for n in range(20)),
    "a.pdf": lambda: pdf(prose(), column("Keys", size=20), outline=[("Keys", 2)]),
    "a.md": lambda: (
        b"---\ntitle: Keys\n---\n\n# Keys\n\n- a\n  - b\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sh\nx\n```\n"
    ),
}
_PARAGRAPHS = "<text:h text:outline-level='1'>Keys</text:h><text:p>Rotate <text:span>them</text:span> monthly.</text:p>"
_TREE = tag("Document", lines("H1", "Keys", y=72), lines("P", "Rotate.", y=100), tag("Table", row("a", "b", y=140)))
HONEST.update(
    {
        "with a picture.docx": lambda: _with_picture(picture(size=(200, 200))),
        "with a picture.pdf": lambda: pdf([*prose(), Filled(72, 300, 400, 500, picture=True)], prose()),
        "tagged.pdf": lambda: tagged_pdf([_TREE]),
        "a.odt": lambda: odt(_PARAGRAPHS * 5),
        "a.doc": manual,
        "a.ppt": talk,
        "a.epub": lambda: epub("<h1>Keys</h1><p>Rotate them.</p>", "<h1>Locks</h1><p>Oil them.</p>"),
        "a.rtf": lambda: (
            rb"{\rtf1\ansi{\fonttbl{\f0\fcharset204 Arial;}}{\stylesheet{\s1 heading 1;}}{\colortbl;\red9;}"
            rb"{\*\listtable{\list{\listlevel\levelnfc0{\leveltext\'02\'00.;}}\listid7}}"
            rb"{\*\listoverridetable{\listoverride\listid7\ls1}}{\info{\title Keys}}"
            rb"\pard\s1 Keys\par\pard\ls1 plain \'e9 \u8211 ?{\footnote note}\par{\cf1\b bold}\par"
            rb"\trowd\cellx9\cellx19\pard\intbl a\cell b\cell\row{\field{\*\fldinst HYPERLINK x}{\fldrslt y}}\par}"
        ),
        "a.eml": lambda: (
            b"From: a@example.org\nTo: b@example.org\nSubject: Keys\nMIME-Version: 1.0\n"
            b'Content-Type: multipart/mixed; boundary="x"\n\n--x\nContent-Type: text/plain\n\nRotate them.\n--x\n'
            b"Content-Type: text/html\nContent-Transfer-Encoding: base64\n\nPHA+YTwvcD4=\n--x--\n"
        ),
        "a.msg": lambda: msg({0x37: "Keys", 0x1000: "Rotate them."}, attachments=[storage(8, {0x3701: b"a,b"})]),
        "a.txt": lambda: "Keys\n\nRotate them – monthly.\n".encode() * 20,
        "a.rst": lambda: b"====\nKeys\n====\n\nRotate :term:`them`.\n\nDaily\n-----\n\n.. note:: or so\n" * 5,
        "a.adoc": lambda: b"= Keys\n\n== Daily\n\nRotate them.\n\n----\n== no title\n----\n\nOr so\n~~~~~\n" * 5,
        **{
            f"a.{kind.lower()}": lambda kind=kind: picture(kind=kind)
            for kind in ("PNG", "JPEG", "GIF", "TIFF", "WEBP", "BMP")
        },
    }
)
_NUMBERS = (b"-1", b"0", b"2147483648", b"99999999999999999999", b"1e999", b"x", b"")


def mutated(data: bytes, seed: str) -> bytes:
    """An honest file with something changed in it; the same seed changes the same thing."""
    dice = random.Random(seed)  # noqa: S311 - chance that repeats
    if data.startswith(b"PK") and dice.random() < 2 / 3:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            name = dice.choice([name for name in archive.namelist() if name.endswith((".xml", ".rels"))])
            return office.changed(data, {name: dice.choice(_CHANGES)(archive.read(name), dice)})
    return dice.choice(_CHANGES)(data, dice)


def _flip(data: bytes, dice: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(dice.choice((1, 3, 30))):
        changed[dice.randrange(len(data))] = dice.randrange(256)
    return bytes(changed)


def _cut(data: bytes, dice: random.Random) -> bytes:
    return data[: dice.randrange(len(data))]


def _leave_out(data: bytes, dice: random.Random) -> bytes:
    start, end = sorted(dice.randrange(len(data)) for _ in range(2))
    return data[:start] + data[min(end, start + 200) :]


def _splice(data: bytes, dice: random.Random) -> bytes:
    start, end = sorted(dice.randrange(len(data)) for _ in range(2))
    at = dice.randrange(len(data))
    return data[:at] + data[start:end] * dice.choice((1, 2, 20)) + data[at:]


def _renumber(data: bytes, dice: random.Random) -> bytes:
    numbers = list(re.finditer(rb'"(\d+)"|>(\d+)<', data))
    if not numbers:
        return _flip(data, dice)
    start, end = dice.choice(numbers).span()
    return data[: start + 1] + dice.choice(_NUMBERS) + data[end - 1 :]


def _swap_tags(data: bytes, dice: random.Random) -> bytes:
    tags = list(re.finditer(rb"</?[\w:]+", data))
    if not tags:
        return _flip(data, dice)
    tag, second_tag = dice.choice(tags), dice.choice(tags)
    return data[: tag.start()] + second_tag[0] + data[tag.end() :]


_CHANGES = (_flip, _cut, _leave_out, _splice, _renumber, _swap_tags)
