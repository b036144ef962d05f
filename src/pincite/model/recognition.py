"""The text that optical character recognition (OCR) found in the picture of a page."""

import math
from dataclasses import dataclass

from pincite.model.document import Box, Page


@dataclass(frozen=True, slots=True)
class RecognisedWord:
    """A word without white space.

    Attributes:
        text: Its characters.
        box: Its rectangle on the upright page, see `RecognisedPage`.
        confidence: The engine's, 0..1.
    """

    text: str
    box: Box
    confidence: float


@dataclass(frozen=True, slots=True)
class RecognisedLine:
    """Words on one baseline, from left to right; the cells of a table's row are lines of their own.

    Attributes:
        words: At least one.
        height: Height of its text perpendicular to its direction, in points.
    """

    words: tuple[RecognisedWord, ...]
    height: float


@dataclass(frozen=True, slots=True)
class RecognisedPage:
    """The text in the picture of a page, on the page turned upright.

    Attributes:
        number: Page number from 1.
        width: Width of the upright page in points; in pixels, if the file is a picture.
        height: Its height.
        turns: Clockwise quarter turns that make the page as displayed upright.
        skew: Clockwise angle of its lines after that, in radians; the boxes are of level lines.
        lines: Its lines, from the top.
        problem: Why it was not recognised; empty if it was.
    """

    number: int
    width: float = 0.0
    height: float = 0.0
    turns: int = 0
    skew: float = 0.0
    lines: tuple[RecognisedLine, ...] = ()
    problem: str = ""

    @property
    def confidence(self) -> float:
        """Mean confidence of the words, 0..1; 0 without any."""
        confidences = [word.confidence for line in self.lines for word in line.words]
        return sum(confidences) / len(confidences) if confidences else 0.0

    @property
    def text(self) -> str:
        """The lines as text."""
        return "\n".join(" ".join(word.text for word in line.words) for line in self.lines)

    def displayed(self, box: Box) -> Box:
        """Return the smallest rectangle on the page as displayed around a box on the upright page."""
        corners = [self._displayed(x, y) for x in (box.x0, box.x1) for y in (box.y0, box.y1)]
        across, along = [x for x, _ in corners], [y for _, y in corners]
        return Box(round(min(across), 2), round(min(along), 2), round(max(across), 2), round(max(along), 2))

    def _displayed(self, x: float, y: float) -> tuple[float, float]:
        if self.skew:
            x, y = rotated(x, y, self.skew, self.width / 2, self.height / 2)
        match self.turns % 4:
            case 0:
                return x, y
            case 1:
                return y, self.width - x
            case 2:
                return self.width - x, self.height - y
            case _:
                return self.height - y, x


@dataclass(frozen=True, slots=True)
class RecognisedPicture:
    """The text in a picture inside a page.

    Attributes:
        name: Its format's name of it.
        page: Its text laid out as a page of its own, without headings; boxes in the picture's unit from its top left.
        confidence: The mean confidence of its words, 0..1; 0 without any.
        problem: Why it was not recognised; empty if it was.
    """

    name: str
    page: Page | None = None
    confidence: float = 0.0
    problem: str = ""


def rotated(x: float, y: float, angle: float, centre_x: float, centre_y: float) -> tuple[float, float]:
    """Return a point turned clockwise around a centre by an angle in radians; y points down."""
    cos, sin = math.cos(angle), math.sin(angle)
    x, y = x - centre_x, y - centre_y
    return centre_x + x * cos - y * sin, centre_y + x * sin + y * cos
