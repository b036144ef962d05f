"""Pairs of a field and a text of the document that may be its value."""

from dataclasses import dataclass

from pincite.agents.rules.scoring import Field
from pincite.agents.rules.typing import TypedValue
from pincite.text.terms.pairs import Pair


@dataclass(frozen=True, slots=True)
class Option:
    """A candidate for a field, with its score and its value by the field's type."""

    field: Field
    candidate: Pair
    score: float
    value: TypedValue

    @property
    def span(self) -> tuple[int, int]:
        """The value's span in the document's text."""
        return self.candidate.start + self.value.start, self.candidate.start + self.value.end

    @property
    def rank(self) -> tuple[float, int, int]:
        """Sort key: the best first."""
        return -self.score, self.candidate.source, self.candidate.start
