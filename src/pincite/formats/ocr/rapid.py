"""RapidOCR (PP-OCRv6 small, in the wheel): Latin scripts and Chinese."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from rapidocr import RapidOCR
from rapidocr.utils.process_img import get_rotate_crop_image

from pincite.formats.ocr.engine import EngineLine, EngineWord, Pixels, Quad, turned
from pincite.formats.ocr.scaling import shrunk

MAX_SIDE_PIXELS = 2000
"""Longer side at which the engine works: it shrinks what is larger by skipping pixels, which costs numbers."""
TURN_LINES = 8
"""Longest lines that are read both ways to recognise a turned page: 32 of 32 were recognised."""
TALL_RATIO = 1.5
"""Height of a line's box, in widths, from which its text is sideways; a lone character is about square."""
_FLAGS = {"use_cls": False, "return_word_box": True}
"""The classifier of lines turns upright ones on their head. The flags of a call stay: each call passes them all."""


def build(threads: int, languages: str) -> "RapidEngine":
    """Return the engine; it has one model for all of its languages."""
    del languages
    return RapidEngine(threads)


class RapidEngine:
    """Implements `Engine`."""

    def __init__(self, threads: int) -> None:
        self._engine: Any = RapidOCR(
            params={
                "Global.log_level": "critical",
                "Global.use_cls": False,
                "EngineConfig.onnxruntime.intra_op_num_threads": threads,
                "EngineConfig.onnxruntime.inter_op_num_threads": 1,
            }
        )

    def lines(self, picture: Pixels) -> list[EngineLine]:
        """Return the lines of a picture, from the top."""
        picture, scale = shrunk(picture, MAX_SIDE_PIXELS)
        result = self._engine(picture, use_det=True, use_rec=True, **_FLAGS)
        if result.boxes is None or not result.txts:
            return []
        pieces = _pieces(result.word_results)
        lines = [
            EngineLine(quad, tuple(_words(text.split(), float(score), quad, pieces)))
            for text, score, quad in zip(result.txts, result.scores, np.asarray(result.boxes, np.float64), strict=True)
            if text.strip()
        ]
        return lines if scale == 1 else [_scaled(line, 1 / scale) for line in lines]

    def turns(self, picture: Pixels) -> int:
        """Return the clockwise quarter turns that make a picture upright, by reading its longest lines both ways."""
        picture, _ = shrunk(picture, MAX_SIDE_PIXELS)
        result = self._engine(picture, use_det=True, use_rec=False, **_FLAGS)
        if result.boxes is None or not len(result.boxes):
            return 0
        quads = np.asarray(result.boxes, np.float64)
        # By their extent: of a slanting box, any corner may be the first.
        widths, heights = np.ptp(quads, axis=1).T
        order = np.argsort(-np.maximum(widths, heights))[:TURN_LINES]
        tall = heights[order] > TALL_RATIO * widths[order]
        candidates = (1, 3) if 2 * int(tall.sum()) > order.size else (0, 2)
        scores = {turns: self._score(picture, quads[order], turns) for turns in candidates}
        return max(candidates, key=lambda turns: scores[turns])

    def _score(self, picture: Pixels, quads: Quad, turns: int) -> float:
        """Return the mean confidence of lines read in a turned picture."""
        upright = turned(picture, turns)
        scores: list[float] = []
        for quad in _turned_quads(quads, turns, picture.shape):
            crop = get_rotate_crop_image(upright, quad.astype(np.float32))
            read = self._engine(crop, use_det=False, use_rec=True, **_FLAGS)
            scores += [float(score) for text, score in zip(read.txts or (), read.scores or (), strict=False) if text]
        return sum(scores) / len(scores) if scores else 0.0


def _scaled(line: EngineLine, scale: float) -> EngineLine:
    words = tuple(replace(word, quad=word.quad * scale) for word in line.words)
    return EngineLine(line.quad * scale, words)


def _turned_quads(quads: Quad, turns: int, shape: Sequence[int]) -> Iterator[Quad]:
    """Yield the boxes of lines in a turned picture, from the corner above and to the left."""
    height, width = shape[:2]
    for quad in quads:
        x, y = quad.T
        match turns:
            case 1:
                points = np.stack((height - y, x), 1)
            case 2:
                points = np.stack((width - x, height - y), 1)
            case 3:
                points = np.stack((y, width - x), 1)
            case _:
                points = quad
        left, right = np.split(points[np.argsort(points[:, 0])], 2)
        left, right = left[np.argsort(left[:, 1])], right[np.argsort(right[:, 1])]
        yield np.stack([left[0], right[0], right[1], left[1]])


def _pieces(word_results: Any) -> dict[str, list[list[Any]]]:
    """Return the boxed pieces of each line by its text without spaces: lines without any are left out by the engine."""
    pieces: dict[str, list[list[Any]]] = {}
    for line in word_results or ():
        boxed = [piece for piece in line if piece[0] and piece[2] is not None]
        pieces.setdefault("".join(piece[0] for piece in boxed).replace(" ", ""), []).append(boxed)
    return pieces


def _words(
    texts: Sequence[str], confidence: float, quad: Quad, pieces: dict[str, list[list[Any]]]
) -> Iterator[EngineWord]:
    """Yield the words of a line: the engine boxes `OW` and `ASP` of `OWASP`, and each character of Chinese."""
    total = sum(map(len, texts)) + len(texts) - 1
    lines = pieces.get("".join(texts), [])
    boxed = lines.pop(0) if lines else []
    start = 0
    for text in texts:
        parts: list[Any] = []
        while boxed and sum(len(part[0]) for part in parts) < len(text):
            parts.append(boxed.pop(0))
        if parts and sum(len(part[0]) for part in parts) == len(text):
            corners = np.concatenate([np.asarray(part[2], np.float64) for part in parts])
            own = np.stack([corners[0], corners[-3], corners[-2], corners[3]])
            score = sum(float(part[1]) * len(part[0]) for part in parts) / len(text)
        else:
            boxed, own, score = [], _between(quad, start / total, (start + len(text)) / total), confidence
        yield EngineWord(text, own, score)
        start += len(text) + 1


def _between(quad: Quad, start: float, end: float) -> Quad:
    """Return the part of a line's quadrilateral between two shares of its length."""
    upper, lower = quad[1] - quad[0], quad[2] - quad[3]
    return np.stack([quad[0] + start * upper, quad[0] + end * upper, quad[3] + end * lower, quad[3] + start * lower])
