"""Every engine that recognises text, over real pictures; and files of pictures through its process."""

import io
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from pincite.app import App
from pincite.app.readers import build_reader_pool
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.detect.sniff import sniff
from pincite.formats.ocr.engine import Engine, Pixels, turned
from pincite.formats.worker.pool import ReaderPool
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import Document
from pincite.registry import RECOGNISERS, find, load
from pincite.settings import load as load_settings
from support.document_server import serving_documents
from support.pdf_read import FORMAT
from support.pdfs import pdf_with_picture
from support.pictures import in_document, in_slides, picture

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

LINES = (
    "Invoice number 4711 of Muster GmbH",
    "The amount of 1,204.50 is due in thirty days",
    "Thank you for your order",
)
DOCX_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
INSTALLED = {"rapidocr": find_spec("rapidocr") is not None, "tesseract": which("tesseract") is not None}


def drawn(*lines: str) -> Image.Image:
    """A page of A5 at 150 dpi."""
    picture = Image.new("RGB", (874, 1240), "white")
    draw = ImageDraw.Draw(picture)
    for row, line in enumerate(lines):
        draw.text((80, 100 + 50 * row), line, "black", ImageFont.load_default(28))
    return picture


def pixels(picture: Image.Image) -> Pixels:
    return np.ascontiguousarray(np.asarray(picture, np.uint8)[:, :, ::-1])


@pytest.fixture(scope="module", params=[row.name for row in RECOGNISERS])
def engine(request: pytest.FixtureRequest) -> Engine:
    name: str = request.param
    if not INSTALLED[name]:
        pytest.skip(f"{name} is not installed")
    return load(find(RECOGNISERS, name))(threads=2, languages="eng")


def test_words_come_line_by_line_with_their_places(engine: Engine) -> None:
    found = engine.lines(pixels(drawn(*LINES)))
    assert [" ".join(word.text for word in line.words) for line in found] == list(LINES)
    for row, line in enumerate(found):
        lefts = [word.quad[:, 0].min() for word in line.words]
        assert lefts == sorted(lefts)
        assert abs(line.quad[:, 1].mean() - (116 + 50 * row)) < 12
        assert all(0 <= word.confidence <= 1 for word in line.words)


def test_an_empty_page_has_no_lines(engine: Engine) -> None:
    assert engine.lines(pixels(drawn())) == []
    assert engine.turns(pixels(drawn())) == 0


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_the_turn_of_a_page_is_told(engine: Engine, turns: int) -> None:
    assert engine.turns(turned(pixels(drawn(*LINES)), turns)) == -turns % 4


@pytest.fixture(scope="module")
def pool() -> Iterator[ReaderPool]:
    if not INSTALLED["rapidocr"]:
        pytest.skip("text recognition needs pip install 'pincite[ocr]'")
    made = build_reader_pool(
        load_settings({"PINCITE_OCR": "auto", "PINCITE_OCR_TIMEOUT": "300", "PINCITE_READER_TIMEOUT": "120"})
    )
    yield made
    made.close()


def read(pool: ReaderPool, name: str, data: bytes) -> Document:
    return pool.read(sniff(name, data), Blob(name, data), Call())


def scan(*pages: Image.Image) -> bytes:
    made = io.BytesIO()
    pages[0].save(made, "PDF", resolution=150, save_all=True, append_images=list(pages[1:]))
    return made.getvalue()


def test_scans_are_read_page_by_page_also_on_their_side(pool: ReaderPool) -> None:
    found = read(pool, "scan.pdf", scan(drawn(*LINES), drawn(*LINES).rotate(90, expand=True)))
    assert all(found.text.count(line) == 2 for line in LINES)
    assert found.coverage.ocr_pages == (1, 2) and found.coverage.complete
    upright, sideways = (next(b for s in found.sections for b in s.blocks if b.page == page) for page in (1, 2))
    assert upright.boxes[0].x1 - upright.boxes[0].x0 == pytest.approx(
        sideways.boxes[0].y1 - sideways.boxes[0].y0, rel=0.1
    )


def test_a_picture_alone_is_read_with_words_and_confidences(pool: ReaderPool) -> None:
    made = io.BytesIO()
    drawn(*LINES).save(made, "PNG")
    found = read(pool, "scan.png", made.getvalue())
    assert "1,204.50" in found.text and found.coverage.ocr == 1
    (page,) = pool.recognised(sniff("scan.png", made.getvalue()), Blob("scan.png", made.getvalue()), Call())
    assert page.text == "\n".join(LINES) and page.confidence > 0.9


def png(*lines: str) -> bytes:
    made = io.BytesIO()
    drawn(*lines).crop((0, 0, 874, 300)).save(made, "PNG")
    return made.getvalue()


@pytest.mark.parametrize(("name", "make"), [("a.docx", in_document), ("a.pptx", in_slides)])
def test_the_text_of_pictures_inside_a_file_is_read_and_marked(
    pool: ReaderPool, name: str, make: Callable[..., bytes]
) -> None:
    photograph = picture(size=(300, 300))
    found = read(pool, name, make(png(*LINES), photograph))
    (span,) = found.coverage.ocr_spans
    assert found.text[span.start : span.end].split("\n\n") == list(LINES) and span.confidence > 0.9
    assert found.coverage.ocr == 1 and found.coverage.complete and found.coverage.unread_pictures == 0


def test_a_page_of_text_keeps_it_and_gains_that_of_its_picture(pool: ReaderPool) -> None:
    with Image.open(io.BytesIO(png(*LINES))) as image:
        data = pdf_with_picture(image.convert("L"))
    alone = read_document(FORMAT, Blob("a.pdf", data), ReadOptions(ocr_pictures=0), Call())
    found = read(pool, "a.pdf", data)
    (span,) = found.coverage.ocr_spans
    assert all(line in found.text[span.start : span.end] for line in LINES)
    assert found.text[: span.start] + found.text[span.end + 2 :] == alone.text
    assert found.coverage.recognised([1], [(0, span.start)]) is None


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    """An application that recognises the text of pictures at URLs."""
    if not INSTALLED["rapidocr"]:
        pytest.skip("text recognition needs pip install 'pincite[ocr]'")
    given = {
        "PINCITE_OCR": "auto",
        "PINCITE_OCR_TIMEOUT": "300",
        "EMBEDDING_PROVIDER": "hash",
        "PINCITE_CACHE": str(tmp_path / "cache"),
        "DATA_DIR": str(tmp_path / "data"),
        "DOWNLOAD_ALLOW_PRIVATE": "1",
    }
    with closing(App(load_settings(given), None, None, ["documents"])) as app:
        yield app


def test_the_pictures_inside_a_document_have_their_text_in_the_answer(app: App) -> None:
    with serving_documents({"a.docx": (DOCX_TYPE, in_document(png(*LINES)))}) as root:
        whole = app.toolbox.call("process_document", {"document_url": f"{root}a.docx"}, Call()).model_dump()
    (shown,) = whole["images"]
    assert shown["ocr_text"].split("\n\n") == list(LINES) and shown["confidence"] > 0.9
    assert LINES[1] in whole["content"] and "(OCR)" in whole["metadata"]["warnings"][0]


def test_a_blank_page_of_a_picture_has_an_entry_without_text(app: App) -> None:
    made = io.BytesIO()
    page = drawn(*LINES)
    page.save(made, "TIFF", save_all=True, append_images=[page.point(lambda _: 255), page])
    with serving_documents({"scan.tiff": ("image/tiff", made.getvalue())}) as root:
        arguments = {"document_url": f"{root}scan.tiff"}
        found = app.toolbox.call("extract_image_text", arguments, Call()).model_dump()["ocr_results"]
    assert [bool(entry["text"]) for entry in found] == [True, False, True]
    assert found[1]["confidence"] == 0 and found[2]["metadata"]["page"] == 3


def test_the_pictures_of_a_url_are_read_by_two_functions_alike(app: App) -> None:
    made = io.BytesIO()
    drawn(*LINES).save(made, "PNG")
    with serving_documents({"scan.png": ("image/png", made.getvalue())}) as root:
        arguments = {"document_url": f"{root}scan.png"}
        (found,) = app.toolbox.call("extract_image_text", arguments, Call()).model_dump()["ocr_results"]
        whole = app.toolbox.call("process_document", arguments, Call()).model_dump()
        health = app.toolbox.call("get_system_health", {}, Call()).model_dump()
    assert found["text"] == "\n".join(LINES) and found["confidence"] > 0.9
    assert [word["text"] for word in found["metadata"]["words"]] == " ".join(LINES).split()
    (picture,) = whole["images"]
    assert (picture["image_path"], picture["ocr_text"]) == ("scan.png", found["text"])
    assert "1,204.50" in whole["content"] and "(OCR)" in whole["metadata"]["warnings"][0]
    assert health["features"]["ocr"] is True
