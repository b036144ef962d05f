"""Pairs of a field and a text of the document that may be its value."""

from dataclasses import dataclass

from pincite.agents.rules.typing import TypedValue
from pincite.model.schema import Node, Path
from pincite.text.terms.fitting import AMOUNTS, KINDS, FieldName, field_name
from pincite.text.terms.labels import label_terms
from pincite.text.terms.pairs import Pair, Source
from pincite.text.terms.vocabulary import phrases_of, plain_words

MIN_SCORE = 0.5
"""Score below which a field stays empty: the least fit of the verifier, less what its source may take from it."""
_SOURCE_PENALTY = {Source.TABLE_ROW: 0.0, Source.TABLE_COLUMN: 0.02, Source.COLON: 0.0, Source.IN_TEXT: 0.05,
                   Source.BELOW: 0.12, Source.TITLE: 0.0, Source.ISSUER: 0.0}  # fmt: skip
_PROSE_PENALTY = 0.03
"""For a value in a sentence: what has a line or cell of its own describes the document."""
_EXACT_BONUS = 0.1
_HEADER_BONUS = 0.1


@dataclass(frozen=True, slots=True)
class Field:
    """A field that is looked for.

    Attributes:
        path: Its path.
        node: Its node.
        name: What it is called.
        phrases: Its name, and the phrases that describe it, as plain words.
        kind: Terms that tell what its value looks like: those of its name, and what its description begins with.
    """

    path: Path
    node: Node
    name: FieldName
    phrases: frozenset[str]
    kind: frozenset[str]


def make_field(path: Path, node: Node) -> Field:
    """Return a field with the terms of its name, its description and its section."""
    key, phrases = str(path[-1]).removesuffix("_per_model"), phrases_of(node.description)
    name = field_name(f"{key}: {node.description}", " ".join(map(str, path[:-1])).replace("_", " "))
    described = label_terms(phrases[0] if phrases else "")
    # An "amount with currency" is an amount.
    kind = name.own | (described & (KINDS - {"currency"} if described & AMOUNTS else KINDS))
    return Field(path, node, name, frozenset(map(plain_words, (key, *phrases))), kind)


def score(field: Field, candidate: Pair, fit: float) -> float:
    """Return how well a candidate's label names a field, from 0 to 1.28: its fit, less for a place that says less."""
    more = _EXACT_BONUS * (plain_words(candidate.label) in field.phrases)
    more += _HEADER_BONUS * len(candidate.header_terms & field.name.own) / max(1, len(field.name.own))
    more += _HEADER_BONUS * bool(candidate.context_terms & field.name.section)
    return fit + more - _SOURCE_PENALTY[candidate.source] - _PROSE_PENALTY * candidate.is_prose


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
