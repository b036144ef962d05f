"""The interface of an engine that recognises text."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
"""A picture; shape (height, width, 3), channels blue, green, red."""
Quad = NDArray[np.float64]
"""The corners of a text from its beginning above, clockwise: shape (4, 2), x and y in pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class EngineWord:
    """A word as an engine returns it; `confidence` is 0..1."""

    text: str
    quad: Quad
    confidence: float


@dataclass(frozen=True, slots=True, eq=False)
class EngineLine:
    """A line as an engine returns it, with its words in order: at least one."""

    quad: Quad
    words: tuple[EngineWord, ...]


class Engine(Protocol):
    """An engine that recognises text; not thread-safe."""

    def lines(self, picture: Pixels) -> list[EngineLine]:
        """Return the lines of a picture, from the top."""
        ...

    def turns(self, picture: Pixels) -> int:
        """Return the clockwise quarter turns, 0 to 3, that make a picture upright."""
        ...


def turned(picture: Pixels, turns: int) -> Pixels:
    """Return a picture turned clockwise by quarter turns."""
    return np.ascontiguousarray(np.rot90(picture, -turns)) if turns else picture
