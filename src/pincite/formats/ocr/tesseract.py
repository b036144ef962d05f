"""Tesseract, if its program is installed: more scripts than the other engine, fewer numbers right at 100 dpi."""

import io
import shutil
import subprocess
from collections.abc import Iterator
from itertools import groupby

import numpy as np
from PIL import Image

from pincite.errors import InternalError, Unsupported
from pincite.formats.ocr.engine import EngineLine, EngineWord, Pixels, turned
from pincite.runtime.children import environment

PROGRAM = "tesseract"
_WORD_LEVEL = "5"
"""Level of a word in its table; page, block, paragraph and line have 1 to 4."""
_TURNS = (0, 2, 1, 3)


def build(threads: int, languages: str) -> "TesseractEngine":
    """Return the engine.

    Raises:
        Unsupported: The program is not installed.
    """
    program = shutil.which(PROGRAM)
    if program is None:
        raise Unsupported("Tesseract is not installed: install it, or set PINCITE_OCR to another engine.")
    del threads
    return TesseractEngine(program, languages)


class TesseractEngine:
    """Implements `Engine`. The program runs once for each picture."""

    def __init__(self, program: str, languages: str) -> None:
        self._program = program
        self._languages = languages

    def lines(self, picture: Pixels) -> list[EngineLine]:
        """Return the lines of a picture, from the top.

        Raises:
            InternalError: The program failed, for instance as a language is not installed.
        """
        png = io.BytesIO()
        Image.fromarray(picture[:, :, ::-1]).save(png, "PNG", compress_level=1)
        run = subprocess.run(  # noqa: S603 - the program that the settings name, without a shell
            [self._program, "stdin", "stdout", "--psm", "3", "-l", self._languages, "tsv"],
            input=png.getvalue(),
            capture_output=True,
            check=False,
            # Its threads slow each other down on a machine with other work: 10.9 s instead of 1.5 s for a page.
            env=environment("TESSDATA_PREFIX", OMP_THREAD_LIMIT="1"),
        )
        if run.returncode:
            raise InternalError("Tesseract failed.", details=run.stderr.decode("utf-8", "replace")[-500:])
        return list(_lines(run.stdout.decode("utf-8", "replace")))

    def turns(self, picture: Pixels) -> int:
        """Return the clockwise quarter turns that make a picture upright: those with most confident characters."""
        return max(_TURNS, key=lambda turns: _level_characters(self.lines(turned(picture, turns))))


def _level_characters(lines: list[EngineLine]) -> float:
    """Return the number of characters in level words, by confidence: the program reads sideways ones, too."""
    words = (word for line in lines for word in line.words)
    return sum(word.confidence * len(word.text) for word in words if np.ptp(word.quad[:, 0]) > np.ptp(word.quad[:, 1]))


def _lines(table: str) -> Iterator[EngineLine]:
    rows = [row.split("\t") for row in table.splitlines()[1:]]
    # level page block paragraph line word left top width height confidence text
    words = [row for row in rows if len(row) == 12 and row[0] == _WORD_LEVEL and row[11].strip()]  # noqa: PLR2004
    for _, group in groupby(words, key=lambda row: row[1:5]):
        line = [
            EngineWord(row[11].strip(), _quad(*map(float, row[6:10])), max(0.0, float(row[10])) / 100) for row in group
        ]
        corners = np.concatenate([word.quad for word in line])
        (x0, y0), (x1, y1) = corners.min(0), corners.max(0)
        yield EngineLine(_quad(x0, y0, x1 - x0, y1 - y0), tuple(line))


def _quad(left: float, top: float, width: float, height: float) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    right, bottom = left + width, top + height
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
