import pytest

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.rtf.reader import rasterise
from pincite.formats.rtf.reader import read as read_pages
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import AsideKind, BlockKind, Document
from pincite.registry import FORMATS
from support.pictures import picture

ROW = next(row for row in FORMATS if row.name == "rtf")


def read(body: str, header: str = "") -> Document:
    data = f"{{\\rtf1\\ansi\\ansicpg1252{header} {body}}}".encode("latin-1")
    return read_document(ROW, Blob("a.rtf", data), ReadOptions(), Call())


def texts(document: Document) -> list[str]:
    return [document.text[block.start : block.end] for section in document.sections for block in section.blocks]


def test_paragraphs_and_properties() -> None:
    found = read(r"plain \'e9 text\par {\b bold} # 1 *x*\par", r"{\info{\title Deed}{\author Ada}{\company X}}")
    assert texts(found) == ["plain é text", "bold # 1 *x*"]
    assert (found.title, found.properties) == ("Deed", {"title": "Deed", "author": "Ada"})


def test_styles_make_headings() -> None:
    header = r"{\stylesheet{\s0 Normal;}{\s1\b heading 1;}{\*\cs10 Strong;}{\s2\sbasedon1 Mine;}}"
    found = read(r"\pard\s1 One\par\pard text\par\pard\s2 Two\par\pard\outlinelevel1 Three\par", header)
    assert texts(found) == ["# One", "text", "# Two", "## Three"]


def test_letters_are_those_of_their_font() -> None:
    header = r"{\fonttbl{\f0 Arial;}{\f1\fcharset204 Arial Cyr;}{\f2\fcharset128 MS Mincho;}}"
    found = read(r"\f0 \'e9 {\f1 \'ea\'eb} {\f2 \'93\'fa\'96\'7b} \u937 ?\uc0\u-10179\u-8704 .\par", header)
    assert texts(found) == ["é кл 日本 Ω😀."]


def test_signs_have_their_characters() -> None:
    found = read(r"\ldblquote a\rdblquote\~\endash  b\_c\-d\tab e\line f\par\{x\}\\")
    assert texts(found) == ["“a”\xa0– b-cd\te\nf", "{x}\\"]


LISTS = (
    r"{\*\listtable{\list{\listlevel\levelnfc4\levelstartat3{\leveltext\'02\'00);}{\levelnumbers\'01;}}"
    r"{\listlevel\levelnfc23{\leveltext\'01\u8226 ?;}}\listid77}}"
    r"{\*\listoverridetable{\listoverride\listid77\listoverridecount0\ls5}}"
)


def test_items_have_the_number_of_their_list() -> None:
    item = r"{\listtext\pard x.\tab}\pard\ls5\ilvl"
    assert (
        read(rf"{item}0 Drain\par{item}1 lid\par{item}0 Close\par", LISTS).text == "- c) Drain\n  - lid\n- d) Close\n"
    )


def test_a_label_for_older_programs_is_used_without_a_list() -> None:
    assert texts(read(r"{\pntext\pard 1.\tab}{\*\pn\pnlvlbody}Drain\par")) == ["1. Drain"]


def test_tables_have_spans_and_headers() -> None:
    head = r"\trowd\trhdr\cellx1000\cellx3000 \pard\intbl Type\cell Flow, pressure\cell\row "
    first = r"\trowd\clvmgf\cellx1000\cellx2000\cellx3000 \pard\intbl A\par 7\cell 20\cell 3\cell\row "
    second = r"\trowd\clvmrg\cellx1000\cellx2000\cellx3000 \pard\intbl\cell 25\cell 4\cell\row "
    found = read(rf"{head}{first}{second}\pard end\par")
    (table,) = [block.table for section in found.sections for block in section.blocks if block.table]
    assert (table.rows, table.columns, table.header_rows) == (3, 3, 1)
    spans = {cell.text: (cell.row_span, cell.column_span) for cell in table.cells}
    assert (spans["A\n7"], spans["Flow, pressure"], spans["25"]) == ((2, 1), (1, 2), (1, 1))
    assert texts(found)[-1] == "end"


def test_a_table_in_a_cell_is_its_text() -> None:
    inner = r"\pard\intbl\itap2 x\nestcell y\nestcell{\*\nesttableprops\trowd\cellx10\cellx20\nestrow}"
    found = read(rf"\trowd\cellx500\cellx900 \pard\intbl a\par{inner}\pard\intbl\cell b\cell\row\pard end\par")
    assert texts(found) == ["|  |  |\n| --- | --- |\n| a x \\| y | b |", "end"]


def test_fields_notes_and_comments() -> None:
    link = r'{\field{\*\fldinst HYPERLINK "https://example.com/"}{\fldrslt here}}'
    note = r"{\super\chftn{\footnote\pard {\super\chftn} By the key.}}"
    end = r"{\footnote\ftnalt At the end.}"
    comment = r"{\*\atnid BL}{\*\atnauthor Bo Li}\chatn{\*\annotation\pard check}"
    found = read(rf"See {link}{note}{end}{comment}.\par{{\field{{\*\fldinst PAGE}}}}")
    assert texts(found) == ["See [here](https://example.com/)[^1][^i].", "[^1]: By the key.", "[^i]: At the end."]
    assert [(aside.kind, aside.text) for aside in found.asides] == [(AsideKind.COMMENT, "Bo Li: check")]


def test_what_is_not_printed_is_left_out() -> None:
    body = r"{\header Series 7\par}{\footerf Rev. B}a{\v secret}{\deleted gone}{\*\unknown x}{\cf2 white}b\par"
    found = read(body, r"{\colortbl;\red255\green0\blue0;\red255\green255\blue255;}")
    assert texts(found) == ["ab"]
    assert {(aside.kind, aside.text) for aside in found.asides} == {
        (AsideKind.HIDDEN, "secret"),
        (AsideKind.HIDDEN, "white"),
        (AsideKind.HEADER, "Series 7"),
        (AsideKind.FOOTER, "Rev. B"),
    }


def test_text_boxes_and_unicode_alternatives_are_read() -> None:
    shape = r"{\shp{\*\shpinst{\sp{\sn x}{\sv y}}{\shptxt\pard in the box\par}}{\shprslt\par old}}"
    assert texts(read(rf"a{shape}\par{{\upr{{old}}{{\*\ud{{n\u233 ?w}}}}}}\par")) == ["a", "in the box", "néw"]


def test_a_picture_can_be_recognised() -> None:
    png = picture(size=(200, 120), kind="PNG").hex()
    data = (
        rf"{{\rtf1 See{{\*\shppict{{\pict\pngblip {png}}}}}{{\nonshppict{{\pict\wmetafile8 00}}}} here\par}}".encode()
    )
    document = read_document(ROW, Blob("a.rtf", data), ReadOptions(), Call())
    assert (document.text, document.coverage.unread_pictures) == ("See here\n", 1)
    (raster,) = rasterise(Blob("a.rtf", data), ["word/image1.png"], ReadOptions(), Call())
    assert (raster.width, raster.height) == (200, 120)


def test_groups_may_be_nested_without_end() -> None:
    found = read("{" * 100_000 + "deep" + "}" * 100_000 + r" after\par")
    assert texts(found) == ["deep after"]


def test_a_truncated_file_has_what_is_there() -> None:
    data = rb"{\rtf1 one\par\trowd\cellx9 \intbl two\cell {\footnote thr"
    assert "two" in read_document(ROW, Blob("a.rtf", data), ReadOptions(), Call()).text


def test_other_files_and_files_without_text_are_refused() -> None:
    with pytest.raises(Unsupported, match="not RTF"):
        next(read_pages(Blob("a.rtf", b"PK\3\4"), ReadOptions(), Call()))
    with pytest.raises(InvalidInput, match="blank"):
        read(r"{\*\x}" * 1000)


def test_code_is_no_list() -> None:
    header = r"{\stylesheet{\s3 HTML Preformatted;}}"
    kinds = [block.kind for section in read(r"\pard\s3 a = 1\par", header).sections for block in section.blocks]
    assert kinds == [BlockKind.CODE]
