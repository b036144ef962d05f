"""From the pictures of pages to their text: denoised, turned upright, level."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import cast

import numpy as np

from pincite.errors import PinciteError
from pincite.formats.base import Blob, Raster, Rasteriser, ReadOptions, Target
from pincite.formats.ocr.engine import Engine, EngineLine, Quad, turned
from pincite.formats.ocr.noise import MAX_NOISE_LEVELS, denoised, noise
from pincite.formats.ocr.scaling import MIN_LINE_PIXELS, enlarged
from pincite.model.call import Call
from pincite.model.document import Box
from pincite.model.recognition import RecognisedLine, RecognisedPage, RecognisedPicture, RecognisedWord, rotated
from pincite.registry import RECOGNISERS, Format, find, load, load_picture_layout, load_rasteriser

MIN_UPRIGHT_CONFIDENCE = 0.85
"""Mean confidence below which a page may be turned: upright ones have .98 and more, turned ones .68 to .73."""
TALL_RATIO = 1.5
"""Height of a line's box, in widths, from which its text is sideways."""
MIN_CONFIDENCE = 0.6
"""Mean confidence below which the result is no text: a script that the engine has not learned, a drawing."""
MIN_PICTURE_CONFIDENCE = 0.8
"""Mean confidence below which a line in a picture inside a page is no text: text on real pages has .95 and more."""
MIN_PICTURE_LETTERS = 2
"""Letters and digits of such a line: a lone one is most often a shape."""
MIN_SIDE_PIXELS = 16
"""A picture with a shorter side has no legible line."""
MIN_SKEW = math.radians(0.3)
"""Angle below which lines are level: less than half a line of text over the width of a page."""
MIN_SKEW_LINE_RATIO = 5
"""Length of a line, in heights, that tells its angle."""
UNCERTAIN = "the text in the picture could not be recognised with any confidence"


def recognise(
    row: Format, blob: Blob, targets: Sequence[Target], options: ReadOptions, engine: "EngineChoice", call: Call
) -> Iterator[RecognisedPage | RecognisedPicture]:
    """Yield the recognised text of pages and pictures, in order; one that fails has the reason.

    Args:
        row: The file's format, one with a rasteriser.
        blob: Its name and bytes.
        targets: Page numbers from 1, and names of pictures inside pages.
        options: The limits of reading.
        engine: Name, threads, languages.
        call: Checked for cancellation between pages.

    Raises:
        Unsupported: The engine is not installed, or the bytes are not of this format.
        InvalidInput: The file is damaged.
    """
    built = _engine(engine)
    rasterise = cast("Rasteriser", load_rasteriser(row))
    for target in targets:
        call.check()
        reason = ""
        page = RecognisedPage(target if isinstance(target, int) else 1)
        try:
            for raster in rasterise(blob, [target], options, call):
                page = recognise_page(raster, built)
        except PinciteError as problem:
            reason = problem.message.rstrip(".")
        if isinstance(target, str):
            yield RecognisedPicture(target, problem=reason) if reason else _laid_out(target, page, options, call)
        else:
            yield replace(page, problem=reason) if reason else page


def _laid_out(name: str, page: RecognisedPage, options: ReadOptions, call: Call) -> RecognisedPicture:
    """Return a picture with its text as blocks; one without any text that is certain has none."""
    # A photograph has spots that are taken for letters: uncertain lines there are no text, and no failure.
    lines = tuple(line for line in page.lines if _is_certain(line))
    if page.problem or not lines:
        return RecognisedPicture(name)
    certain = replace(page, number=1, lines=lines)
    return RecognisedPicture(name, load_picture_layout()(certain, options, call), round(certain.confidence, 4))


def _is_certain(line: RecognisedLine) -> bool:
    confidences = [word.confidence for word in line.words for _ in word.text]
    letters = sum(character.isalnum() for word in line.words for character in word.text)
    return letters >= MIN_PICTURE_LETTERS and sum(confidences) >= MIN_PICTURE_CONFIDENCE * len(confidences)


EngineChoice = tuple[str, int, str]
"""An engine's name in the registry, the number of its threads, and its languages as Tesseract names them."""


@cache
def _engine(choice: EngineChoice) -> Engine:
    """Return an engine, which is kept for the life of the process: its models take half a second to load."""
    name, threads, languages = choice
    return cast("Engine", load(find(RECOGNISERS, name))(threads=threads, languages=languages))


def recognise_page(raster: Raster, engine: Engine) -> RecognisedPage:
    """Return the text of a page."""
    picture = np.ascontiguousarray(np.asarray(raster.picture.convert("RGB"), np.uint8)[:, :, ::-1])
    if min(picture.shape[:2]) < MIN_SIDE_PIXELS:
        return RecognisedPage(raster.number, raster.width, raster.height)
    if noise(picture) > MAX_NOISE_LEVELS:
        picture = denoised(picture)
    turns, lines = 0, engine.lines(picture)
    if lines and (_confidence(lines) < MIN_UPRIGHT_CONFIDENCE or _is_sideways(lines)):
        turns = engine.turns(picture)
        if turns:
            picture = turned(picture, turns)
            lines = engine.lines(picture)
    if lines and _median_height(lines) < MIN_LINE_PIXELS and (larger := enlarged(picture)) is not picture:
        picture, lines = larger, engine.lines(larger)
    width, height = (raster.height, raster.width) if turns % 2 else (raster.width, raster.height)
    if lines and _confidence(lines) < MIN_CONFIDENCE:
        return RecognisedPage(raster.number, width, height, turns, problem=UNCERTAIN)
    scale = width / picture.shape[1]
    skew = _skew(lines)
    placed = [_placed(line, scale, skew, width / 2, height / 2) for line in lines]
    return RecognisedPage(raster.number, width, height, turns, skew, tuple(placed))


def _confidence(lines: Sequence[EngineLine]) -> float:
    scores = [word.confidence for line in lines for word in line.words for _ in word.text]
    return sum(scores) / len(scores)


def _is_sideways(lines: Sequence[EngineLine]) -> bool:
    """Return True if most characters are in boxes higher than wide."""
    tall = sum(
        len(word.text)
        for line in lines
        if np.ptp(line.quad[:, 1]) > TALL_RATIO * np.ptp(line.quad[:, 0])
        for word in line.words
    )
    return 2 * tall > sum(len(word.text) for line in lines for word in line.words)


def _skew(lines: Sequence[EngineLine]) -> float:
    """Return the median clockwise angle of the long lines, in radians; 0 if it is too small to matter."""
    angles: list[float] = []
    for line in lines:
        across, along = line.quad[1] - line.quad[0]
        if math.hypot(across, along) > MIN_SKEW_LINE_RATIO * _height(line.quad):
            angles.append(math.atan2(along, across))
    skew = float(np.median(angles)) if angles else 0.0
    return skew if abs(skew) >= MIN_SKEW else 0.0


def _median_height(lines: Sequence[EngineLine]) -> float:
    """Return the height of the line with the median character, in pixels."""
    return float(np.median([_height(line.quad) for line in lines for word in line.words for _ in word.text]))


def _height(quad: Quad) -> float:
    return float(np.hypot(*(quad[3] - quad[0])))


def _placed(line: EngineLine, scale: float, skew: float, centre_x: float, centre_y: float) -> RecognisedLine:
    def box(quad: Quad) -> Box:
        points = [rotated(x * scale, y * scale, -skew, centre_x, centre_y) for x, y in quad.tolist()]
        across, along = [x for x, _ in points], [y for _, y in points]
        return Box(min(across), min(along), max(across), max(along))

    bounds = box(line.quad)
    words = tuple(
        # The height of the line, so that its words are on one baseline.
        RecognisedWord(word.text, Box(own.x0, bounds.y0, own.x1, bounds.y1), min(1.0, round(word.confidence, 4)))
        for word in line.words
        for own in [box(word.quad)]
    )
    return RecognisedLine(words, _height(line.quad) * scale)
