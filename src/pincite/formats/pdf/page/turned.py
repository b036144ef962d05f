"""Sideways text on an upright page: seen upright for its layout, and its boxes mapped back to the page."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pincite.formats.pdf.page.placed_text import PlacedText
from pincite.formats.pdf.page.rectangles import Rectangle
from pincite.formats.pdf.page.rules import Point, Rule, Rules
from pincite.formats.pdf.page.words import Word
from pincite.formats.writing.text_boxes import TextBox
from pincite.model.document import Box


@dataclass(frozen=True, slots=True)
class Turn:
    """Mapping of the page as displayed to one on which turned text is upright.

    Attributes:
        turns: Clockwise quarter turns of the text, 1 to 3.
        width: Width of the page as displayed, in points.
        height: Height of the page as displayed, in points.
    """

    turns: int
    width: float
    height: float

    def rectangle(self, area: Rectangle) -> Rectangle:
        """Map a rectangle of the page as displayed."""
        x0, y0, x1, y1 = area
        match self.turns:
            case 1:
                return y0, self.width - x1, y1, self.width - x0
            case 2:
                return self.width - x1, self.height - y1, self.width - x0, self.height - y0
            case _:
                return self.height - y1, x0, self.height - y0, x1

    def words(self, words: Iterable[Word]) -> list[Word]:
        """Return words with this turn as upright ones."""
        return [self._word(word) for word in words]

    def rules(self, rules: Rules) -> Rules:
        """Map ruling lines."""
        lines = [self.rectangle((rule.start, rule.position, rule.end, rule.position)) for rule in rules.horizontal]
        lines += [self.rectangle((rule.position, rule.start, rule.position, rule.end)) for rule in rules.vertical]
        return Rules(
            [Rule(y0, x0, x1) for x0, y0, x1, y1 in lines if y0 == y1],
            [Rule(x0, y0, y1) for x0, y0, x1, y1 in lines if x0 == x1],
            [self.rectangle(shade) for shade in rules.shades],
            [self._point(point) for point in rules.slants],
            [self._point(point) for point in rules.curves],
        )

    def text(self, text: PlacedText) -> PlacedText:
        """Return a text with its boxes on the page as displayed."""
        return replace(text, boxes=self.boxes(text.boxes))

    def boxes(self, boxes: Iterable[TextBox]) -> tuple[TextBox, ...]:
        """Map boxes back to the page as displayed."""
        return tuple(replace(box, box=self._back(box.box)) for box in boxes)

    def _word(self, word: Word) -> Word:
        x0, y0, x1, y1 = self.rectangle((word.x0, word.y0, word.x1, word.y1))
        match self.turns:
            case 1:
                above, below = self.width - word.below, self.width - word.above
            case 2:
                above, below = self.height - word.below, self.height - word.above
            case _:
                above, below = word.above, word.below
        return replace(word, x0=x0, y0=y0, x1=x1, y1=y1, turns=0, above=above, below=below)

    def _point(self, point: Point) -> Point:
        x0, y0, *_ = self.rectangle((*point, *point))
        return x0, y0

    def _back(self, box: Box) -> Box:
        width, height = (self.height, self.width) if self.turns % 2 else (self.width, self.height)
        inverse = Turn((4 - self.turns) % 4, width, height)
        return Box(*inverse.rectangle((box.x0, box.y0, box.x1, box.y1)))
