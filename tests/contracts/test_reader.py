"""What every reader and every renderer of the registry must hold."""

import io

import pytest
from PIL import Image

from pincite.errors import Cancelled, InvalidInput, NotFound, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.detect.sniff import detect
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import Head, Page
from pincite.registry import FORMATS, Format, load, load_renderer
from pincite.services.reading.lines import from_lines, to_lines
from support.archives import epub, odt
from support.compound import doc, ppt
from support.decks import deck
from support.packages import offered
from support.pdfs import Text, pdf, prose
from support.pictures import picture
from support.word import Word, styled, tbl, tr
from support.workbooks import grid

SAMPLES: dict[str, bytes] = {
    "markdown": b"---\ntitle: T\n---\n\nintro\n\n# A\n\ntext\n\n<h2>B</h2>\n\n- x\n- y\n",
    "text": b"one\ntwo\n\nthree\n",
    "notebook": b'{"cells": [{"cell_type": "markdown", "source": "# A"}, {"cell_type": "code", "source": "1"}]}',
    "html": b"<title>T</title><h1 id=a>A</h1><p>text</p><table><tr><th>b<td>c</table>",
    "pptx": deck(),
    "image": picture({"Title": "A cat", "Description": "on a mat"}),
    "rtf": b"{\\rtf1 {\\b Bold}\\par text\\par}",
    "odt": odt("<text:h text:outline-level='1'>A</text:h><text:p>text</text:p>"),
    "epub": epub("<h1>A</h1><p>text</p>"),
    "email": b"From: a@example.com\r\nTo: b@example.com\r\nSubject: Hello\r\n\r\ntext\r\n",
    "doc": doc("First paragraph\rSecond one\r"),
    "ppt": ppt("Title", "text"),
    "docx": Word().add(styled("Heading1", "A"), "text", tbl(tr("a", "b"))).saved(),
    "pdf": pdf([*prose(), Text("A part", y=130, font="B"), *prose(y=160)]),
    "csv": b"name,age\nAnn,3\nBob,4\n",
    "sheets": grid([["name", "age"], ["Ann", 3], ["Bob", 4]]),
    **offered("formats"),
}
HOSTILE = {
    "empty": b"",
    "blank": b" \n" * 2000,
    "zeros": bytes(5000),
    "pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n",
    "zip": b"PK\x03\x04" + bytes(100),
    "random": bytes(range(256)) * 20,
    "not UTF-8": b"\xff\xfe\xfd" * 100,
    "marks alone": b"\xef\xbb\xbf",
    "half a character": b"\xff\xfea",
    "surrogates": b"\xff\xfe" + "\ud800x".encode("utf-16-le", "surrogatepass"),
    "nested": b"> " * 5000 + b"- " * 5000,
    "one line": b"word " * 20000,
}


def _needs(row: Format) -> list[pytest.MarkDecorator]:
    """Skips a format whose optional part is not installed."""
    try:
        load(row)
    except Unsupported as missing:
        return [pytest.mark.skip(reason=missing.message)]
    return []


formats = pytest.mark.parametrize("row", [pytest.param(row, id=row.name, marks=_needs(row)) for row in FORMATS])
shown = pytest.mark.parametrize("row", [pytest.param(row, id=row.name) for row in FORMATS if row.renderer])


@formats
def test_there_is_a_sample(row: Format) -> None:
    assert row.name in SAMPLES


@formats
def test_its_names_lead_to_it(row: Format) -> None:
    for extension in row.extensions:
        assert extension == extension.lower() and extension.startswith(".")
        assert detect(f"folder/name{extension}", SAMPLES[row.name]) is row
        assert detect(f"NAME{extension.upper()}", SAMPLES[row.name]) is row


@formats
def test_it_gives_one_head_then_pages_whose_blocks_are_in_order(row: Format) -> None:
    head, *pages = load(row)(Blob("name", SAMPLES[row.name]), ReadOptions(), Call())
    assert isinstance(head, Head) and pages
    for page in pages:
        assert isinstance(page, Page) and page.blocks
        position = 0
        for block in page.blocks:
            assert position <= block.start < block.end <= len(page.text)
            assert page.text[block.start : block.end].strip()
            assert bool(block.level) == (block.kind.value == "heading")
            position = block.end


@formats
def test_the_same_bytes_give_the_same_document(row: Format) -> None:
    blob = Blob("name", SAMPLES[row.name])
    assert read_document(row, blob, ReadOptions(), Call()) == read_document(row, blob, ReadOptions(), Call())


@formats
@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_hostile_bytes_are_read_or_refused(row: Format, data: bytes) -> None:
    try:
        document = read_document(row, Blob("name", data), ReadOptions(), Call())
    except (Unsupported, InvalidInput) as refused:
        message = refused.message
    else:
        message = "read"
        assert "".join(document.text[section.start : section.end] for section in document.sections) == document.text
        document.text.encode()
    assert message


@formats
def test_it_stops_when_the_caller_goes_away(row: Format) -> None:
    call = Call()
    call.stop.set()
    with pytest.raises(Cancelled):
        read_document(row, Blob("name", SAMPLES[row.name]), ReadOptions(), call)


@formats
def test_its_document_survives_the_disk(row: Format) -> None:
    document = read_document(row, Blob("name", SAMPLES[row.name]), ReadOptions(), Call())
    assert from_lines(to_lines(document)) == document


@shown
@pytest.mark.parametrize("width", [1, 100, 1000])
def test_a_page_is_rendered_as_wide_as_wanted(row: Format, width: int) -> None:
    data = load_renderer(row)(Blob("name", SAMPLES[row.name]), 1, width, ReadOptions(), Call())
    picture = Image.open(io.BytesIO(data))
    picture.load()
    assert (picture.format, picture.width) == ("PNG", width)


@shown
@pytest.mark.parametrize("page", [-1, 0, 2, 10**12])
def test_a_page_that_is_not_there_is_told_with_the_number_of_pages(row: Format, page: int) -> None:
    with pytest.raises(NotFound, match=rf"There is no page {page}\. The file has (one page|pages 1 to 1)\."):
        load_renderer(row)(Blob("name", SAMPLES[row.name]), page, 100, ReadOptions(), Call())


@shown
@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_hostile_bytes_are_not_rendered(row: Format, data: bytes) -> None:
    with pytest.raises((Unsupported, InvalidInput)) as refused:
        load_renderer(row)(Blob("name", data), 1, 100, ReadOptions(), Call())
    assert refused.value.message


@shown
def test_it_does_not_render_when_the_caller_goes_away(row: Format) -> None:
    call = Call()
    call.stop.set()
    with pytest.raises(Cancelled):
        load_renderer(row)(Blob("name", SAMPLES[row.name]), 1, 100, ReadOptions(), call)
