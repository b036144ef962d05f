"""The steps between a picture and its text, with an engine that reads marks: which side is up is a dark corner."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from PIL import Image

cv2 = pytest.importorskip("cv2", reason="text recognition needs pip install 'pincite[ocr]'")

from pincite.formats.base import Blob, Raster, ReadOptions  # noqa: E402
from pincite.formats.ocr import recognise  # noqa: E402
from pincite.formats.ocr.engine import EngineLine, EngineWord, Pixels, turned  # noqa: E402
from pincite.formats.ocr.recognise import UNCERTAIN, recognise_page  # noqa: E402
from pincite.model.call import Call  # noqa: E402
from pincite.model.document import Box  # noqa: E402
from pincite.model.recognition import RecognisedLine, RecognisedPage, RecognisedPicture, RecognisedWord  # noqa: E402
from pincite.registry import FORMATS  # noqa: E402
from support.pictures import in_document, picture  # noqa: E402

UPRIGHT = "upright words"
RASTER_SIDE = 400


class CornerEngine:
    """Reads `UPRIGHT` with confidence where the dark corner is above and to the left, else a doubtful mark."""

    def __init__(self, angle: float = 0.0, doubt: float = 0.7) -> None:
        self._angle = math.radians(angle)
        self._doubt = doubt
        self.pictures: list[Pixels] = []

    def lines(self, picture: Pixels) -> list[EngineLine]:
        self.pictures.append(picture)
        if picture.min() > 200:
            return []
        scale = max(picture.shape) / RASTER_SIDE
        if picture[:10, :10].max() < 50:
            return [self._line(UPRIGHT.split(), 0.99, scale)]
        return [self._line(["?"], self._doubt, scale)]

    def turns(self, picture: Pixels) -> int:
        return next(turns for turns in range(4) if turned(picture, turns)[:10, :10].max() < 50)

    def _line(self, words: Sequence[str], confidence: float, scale: float) -> EngineLine:
        quads = [scale * self._quad(100 * index, 90) for index in range(len(words))]
        made = tuple(EngineWord(word, quad, confidence) for word, quad in zip(words, quads, strict=True))
        return EngineLine(scale * self._quad(0, 190), made)

    def _quad(self, left: float, width: float) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        level = np.array([[left, 40], [left + width, 40], [left + width, 60], [left, 60]], np.float64)
        cos, sin = math.cos(self._angle), math.sin(self._angle)
        return level @ np.array([[cos, sin], [-sin, cos]])


class DoubtfulEngine(CornerEngine):
    """Finds no side better than another."""

    def turns(self, picture: Pixels) -> int:
        del picture
        return 0


def raster(turns: int = 0, size: tuple[int, int] = (400, 200), *, blank: bool = False) -> Raster:
    pixels = np.full((size[1], size[0], 3), 255, np.uint8)
    if not blank:
        pixels[:12, :12] = 0
    picture = Image.fromarray(turned(pixels, turns))
    return Raster(1, picture.width / 2, picture.height / 2, picture)


def test_the_boxes_of_an_upright_page_are_in_its_unit() -> None:
    page = recognise_page(raster(), CornerEngine())
    assert (page.text, page.turns, page.skew, page.problem) == (UPRIGHT, 0, 0, "")
    first, second = (word.box for word in page.lines[0].words)
    assert (first.x0, first.y0, first.x1, first.y1) == (0, 20, 45, 30)
    assert second.x0 == 50 and page.lines[0].height == 10


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_turned_page_is_turned_upright(turns: int) -> None:
    page = recognise_page(raster(turns), CornerEngine())
    assert (page.text, page.turns) == (UPRIGHT, -turns % 4)
    assert (page.width, page.height) == (200, 100)


def test_slanting_lines_are_levelled() -> None:
    page = recognise_page(raster(), CornerEngine(angle=3))
    assert page.skew == pytest.approx(math.radians(3))
    tops = [word.box.y0 for word in page.lines[0].words]
    assert tops[0] == tops[1] and page.lines[0].height == pytest.approx(10)


def test_what_no_engine_reads_with_confidence_is_no_text() -> None:
    page = recognise_page(raster(1), DoubtfulEngine(doubt=0.4))
    assert (page.problem, page.lines) == (UNCERTAIN, ())


def test_a_blank_page_and_a_tiny_picture_have_no_text() -> None:
    assert recognise_page(raster(blank=True), CornerEngine()).lines == ()
    engine = CornerEngine()
    assert recognise_page(raster(size=(300, 15)), engine).lines == () and not engine.pictures


def test_a_picture_with_low_lines_is_read_again_enlarged() -> None:
    engine = CornerEngine()
    recognise_page(raster(), engine)
    assert [picture.shape[:2] for picture in engine.pictures] == [(200, 400), (400, 800)]


def test_only_a_grainy_picture_is_denoised() -> None:
    clean, engine = raster(), CornerEngine()
    recognise_page(clean, engine)  # the engine sees it twice: its lines are low
    assert np.array_equal(engine.pictures[0], np.asarray(clean.picture)[:, :, ::-1])
    grain = np.random.default_rng(1).normal(0, 22, (200, 400, 1))
    grainy = np.clip(np.asarray(clean.picture, np.float64) - 30 + grain, 0, 255).astype(np.uint8)
    recognise_page(Raster(1, 200, 100, Image.fromarray(grainy)), engine)
    paper = engine.pictures[2][50:150, 50:350]
    assert paper.std() < grainy[50:150, 50:350].std() / 3


def line(text: str, confidence: float) -> RecognisedLine:
    return RecognisedLine((RecognisedWord(text, Box(10, 10, 90, 22), confidence),), 12)


def returning(monkeypatch: pytest.MonkeyPatch, page: RecognisedPage) -> None:
    """Recognise this page in whatever picture."""

    def engine(choice: tuple[str, int, str]) -> CornerEngine:
        del choice
        return CornerEngine()

    def read(raster: Raster, engine: CornerEngine) -> RecognisedPage:
        del raster, engine
        return page

    monkeypatch.setattr(recognise, "_engine", engine)
    monkeypatch.setattr(recognise, "recognise_page", read)


def test_a_picture_inside_a_page_has_its_certain_lines_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = (line("Total", 0.97), line("blurred", 0.7), line("O", 0.99))
    page = RecognisedPage(1, 100, 50, lines=lines)
    returning(monkeypatch, page)
    row = next(row for row in FORMATS if row.name == "docx")
    blob = Blob("a.docx", in_document(picture(size=(100, 50))))
    given = [*recognise.recognise(row, blob, ["word/media/image1.png", "x"], ReadOptions(), ("e", 1, ""), Call())]
    first, missing = given
    assert isinstance(first, RecognisedPicture) and first.page is not None
    assert (first.page.text, first.confidence) == ("Total\n", 0.97)
    assert isinstance(missing, RecognisedPicture) and missing.problem == "The part x is missing"


def test_a_picture_without_certain_text_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    returning(monkeypatch, RecognisedPage(1, problem=UNCERTAIN))
    row = next(row for row in FORMATS if row.name == "docx")
    blob = Blob("a.docx", in_document(picture(size=(100, 50))))
    (given,) = recognise.recognise(row, blob, ["word/media/image1.png"], ReadOptions(), ("e", 1, ""), Call())
    assert given == RecognisedPicture("word/media/image1.png")
