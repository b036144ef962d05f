"""Text recognition on pages whose text is known: one command, one table.

    python eval/ocr/ocr.py [--engine rapidocr|tesseract] [--threads 2] [--turns] [VARIANT ...]

Four pages of PINCITE_DATA (prose, an English and a German invoice, a statement of cash flows) are rasterised, made
worse and recognised; their text layer is the truth. CER is the edit distance by the characters of the truth, words in
the truth's lines by their height on the page; "solid" is without white space. Numbers count as often as they occur.
`--turns` tells the turn of 32 pictures.
"""

import argparse
import io
import os
import re
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageFilter
from rapidfuzz.distance import Levenshtein

from pincite.formats.base import Blob, Raster, ReadOptions
from pincite.formats.ocr.engine import Engine
from pincite.formats.ocr.recognise import recognise_page
from pincite.formats.pdf.document import open_document
from pincite.formats.pdf.page.page import open_page
from pincite.formats.pdf.page.quality import recognised_words
from pincite.formats.pdf.page.visibility import visible_words
from pincite.formats.pdf.page.words import Word, visual_lines
from pincite.formats.pdf.render import POINTS_PER_INCH, render
from pincite.model.call import Call
from pincite.registry import RECOGNISERS, find, load

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data"))
PAGES = (
    ("asvs-4.0.3/asvs-4.0.3-en.pdf", 17),
    ("invoices/invoice2data/AzureInterior.pdf", 1),
    ("invoices/facturx/zugferd_2p0_EN16931_Elektron.pdf", 1),
    ("financebench/pdfs/BLOCK_2020_10K.pdf", 90),
)
RASTER_DPI = 300
SKEW_DEGREES = 3.0
NOISE_LEVELS = 22.0
Truth = tuple[Raster, list[tuple[Word, ...]]]
"""A page at `RASTER_DPI`, and the words of its lines."""
_NUMBER = re.compile(r"\d[\d.,]*\d|\d")
_FOLDED = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "•": "·", "\x02": "-"})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default="rapidocr")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--turns", action="store_true")
    parser.add_argument("variants", nargs="*", default=list(VARIANTS))
    options = parser.parse_args()
    engine: Engine = load(find(RECOGNISERS, options.engine))(threads=options.threads, languages="eng")
    pages = [_page(DATA / name, number) for name, number in PAGES]
    if options.turns:
        _turns(engine, [raster for raster, _ in pages])
        return
    print(f"{'variant':10} {'CER':>6} {'solid':>6} {'numbers':>12} {'turn':>5} {'s/page':>7}  CER by page", flush=True)
    for variant in options.variants:
        _measure(variant, engine, pages)


def _measure(variant: str, engine: Engine, pages: list[Truth]) -> None:
    rates: list[float] = []
    solid: list[float] = []
    right = total = turned = 0
    started = time.monotonic()
    for raster, lines in pages:
        picture, turns = VARIANTS[variant](raster.picture)
        width, height = (raster.height, raster.width) if turns % 2 else (raster.width, raster.height)
        found = recognise_page(Raster(1, width, height, picture), engine)
        truth, text = _text(lines), _text(_in_lines(recognised_words(found).words, lines))
        rates.append(_rate(truth, text))
        solid.append(_rate("".join(truth.split()), "".join(text.split())))
        numbers, read = Counter(_NUMBER.findall(truth)), Counter(_NUMBER.findall(text))
        right, total = right + (numbers & read).total(), total + numbers.total()
        turned += found.turns == -turns % 4
    seconds = (time.monotonic() - started) / len(pages)
    by_page = " ".join(f"{rate:.3f}" for rate in rates)
    cells = f"{sum(rates) / len(rates):6.4f} {sum(solid) / len(solid):6.4f} {right:5} of {total:3}"
    print(f"{variant:10} {cells} {turned:2}/{len(pages)} {seconds:7.1f}  {by_page}", flush=True)


def _rate(truth: str, text: str) -> float:
    return Levenshtein.distance(truth, text) / len(truth)


def _page(path: Path, number: int) -> Truth:
    data = path.read_bytes()
    with open_document(data) as file, open_page(file.document, number) as page:
        lines = [line.words for line in visual_lines(visible_words(page).words)]
        width, height = page.space.width, page.space.height
    blob, pixels = Blob(path.name, data), round(width * RASTER_DPI / POINTS_PER_INCH)
    with Image.open(io.BytesIO(render(blob, number, pixels, ReadOptions(), Call()))) as picture:
        return Raster(number, width, height, picture.convert("RGB")), lines


def _text(lines: Sequence[Sequence[Word]]) -> str:
    text = "\n".join(" ".join(word.text for word in line) for line in lines)
    return unicodedata.normalize("NFKC", text).translate(_FOLDED)


def _in_lines(words: Sequence[Word], lines: Sequence[Sequence[Word]]) -> list[list[Word]]:
    """Return words in the lines of the truth whose middles are nearest to theirs, from left to right."""
    middles = [sum(word.y0 + word.y1 for word in line) / 2 / len(line) for line in lines]
    placed: list[list[Word]] = [[] for _ in lines]
    for word in words:
        middle = (word.y0 + word.y1) / 2
        placed[min(range(len(lines)), key=lambda index: abs(middles[index] - middle))].append(word)
    return [sorted(line, key=lambda word: word.x0) for line in placed]


def _scaled(dpi: int) -> Callable[[Image.Image], tuple[Image.Image, int]]:
    def scale(picture: Image.Image) -> tuple[Image.Image, int]:
        size = (round(picture.width * dpi / RASTER_DPI), round(picture.height * dpi / RASTER_DPI))
        return picture.resize(size, Image.Resampling.LANCZOS), 0

    return scale


def _turned(turns: int) -> Callable[[Image.Image], tuple[Image.Image, int]]:
    """Turn a page clockwise by quarter turns, at 200 dpi."""
    return lambda picture: (_scaled(200)(picture)[0].rotate(-90 * turns, expand=True), turns)


def _skewed(picture: Image.Image) -> tuple[Image.Image, int]:
    flat, _ = _scaled(200)(picture)
    return flat.rotate(-SKEW_DEGREES, Image.Resampling.BICUBIC, fillcolor="white"), 0


def _noisy(picture: Image.Image) -> tuple[Image.Image, int]:
    flat, _ = _scaled(200)(picture)
    grey = np.asarray(flat.convert("L").filter(ImageFilter.GaussianBlur(0.8)), np.float64)
    grain = np.random.default_rng(7).normal(0, NOISE_LEVELS, grey.shape)
    noisy = Image.fromarray(np.clip(grey + grain, 0, 255).astype(np.uint8))
    packed = io.BytesIO()
    noisy.save(packed, "JPEG", quality=30)
    return Image.open(packed).convert("RGB"), 0


VARIANTS: Mapping[str, Callable[[Image.Image], tuple[Image.Image, int]]] = {
    "100 dpi": _scaled(100),
    "200 dpi": _scaled(200),
    "300 dpi": _scaled(300),
    "skew 3": _skewed,
    "noise": _noisy,
    "90": _turned(1),
    "180": _turned(2),
    "270": _turned(3),
}


def _turns(engine: Any, rasters: list[Raster]) -> None:
    """Print how many of 32 pictures the engine turns right: each page clean and worse, in four directions."""
    right = 0
    tried = 0
    for raster in rasters:
        for variant in ("200 dpi", "skew 3"):
            flat, _ = VARIANTS[variant](raster.picture)
            for turns in range(4):
                pixels = np.asarray(flat.rotate(-90 * turns, expand=True).convert("RGB"), np.uint8)[:, :, ::-1]
                found = engine.turns(np.ascontiguousarray(pixels))
                right, tried = right + (found == -turns % 4), tried + 1
                print(f"{raster.number:3} {variant:8} turned {turns}: {found} ({right} of {tried})", flush=True)


if __name__ == "__main__":
    main()
