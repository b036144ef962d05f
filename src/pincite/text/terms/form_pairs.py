"""Read labels and values of forms by their boxes on a page, where the order of the text separates them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pincite.model.call import Call
from pincite.model.chunk import Chunk, ChunkKind
from pincite.model.document import Box
from pincite.text.terms.labels import label_terms
from pincite.text.terms.pairs import MAX_VALUE_CHARS, OWN_LABEL, Pair, Source
from pincite.text.terms.vocabulary import Vocabulary, implied_terms

_MAX_GAP = 1.6
"""Heights of a label between its lower edge and the upper edge of the value below."""
_MIN_HEADS = 2
"""Labels of a row that must have values below: one alone may be a heading."""
_MIN_ALIGNED = 3
"""Labels with one left edge whose values have one, too, from which they are the rows of a form."""
_MAX_RUNS = 1_000
"""Texts of a page, each of which is compared with each; a page with more is no form."""
_EDGE_POINTS = 3
"""Accuracy of an edge in points."""
_TYPED = frozenset({"number", "date"})


@dataclass(frozen=True, slots=True)
class Run:
    """A text without wide gaps, at a position of a page."""

    text: str
    start: int
    box: Box

    @property
    def edge(self) -> int:
        """The left edge, as a step of the accuracy of edges."""
        return round(self.box.x0 / _EDGE_POINTS)


def of_form(chunks: Sequence[Chunk], vocabulary: Vocabulary, call: Call) -> Iterator[Pair]:
    """Yield the values below the labels of a row, and those right of labels where both are aligned.

    Raises:
        Cancelled, TimeoutExceeded: See `Call.check`.
    """
    for runs in runs_by_page(one for one in chunks if one.kind is not ChunkKind.TABLE).values():
        call.check()
        labels = [one for one in runs if vocabulary.is_label(one.text)]
        below = [(label, value) for label in labels if (value := _below(label, runs, vocabulary))]
        for label, value in below:
            if sum(is_beside(other.box, label.box) for other, _ in below) >= _MIN_HEADS:
                yield _pair(label, value, Source.BELOW)
        right = [(label, value) for label in labels if (value := _right(label, runs, vocabulary))]
        edges = Counter((label.edge, value.edge) for label, value in right)
        for label, value in right:
            if edges[label.edge, value.edge] >= _MIN_ALIGNED:
                yield _pair(label, value, Source.COLON)


def runs_by_page(chunks: Iterable[Chunk]) -> Mapping[int, Sequence[Run]]:
    """Return the texts of pages that may be forms or lists, each once: a cell over several columns has one box."""
    pages: dict[int, dict[Box, Run]] = {}
    for chunk in chunks:
        for one in chunk.boxes:
            text = chunk.text[one.start : one.end].partition("\n")[0].strip()
            if text and len(text) <= MAX_VALUE_CHARS:
                start = chunk.start + chunk.text.index(text, one.start)
                pages.setdefault(one.page, {}).setdefault(one.box, Run(text, start, one.box))
    return {page: list(runs.values()) for page, runs in pages.items() if len(runs) <= _MAX_RUNS}


def _pair(label: Run, value: Run, source: Source) -> Pair:
    end = value.start + len(value.text)
    return Pair(label.text, (), value.start, end, value.text, min(label.start, value.start), source,
                quote_end=max(end, label.start + len(label.text)))  # fmt: skip


def _below(label: Run, runs: Sequence[Run], vocabulary: Vocabulary) -> Run | None:
    """Return the only value that is under a label alone, if nothing alike is under it in turn."""
    under = [one for one in runs if _is_under(one.box, label.box)]
    if len(under) != 1 or sum(_is_under(under[0].box, one.box) for one in runs) != 1:
        return None
    value = under[0]
    kind = implied_terms(value.text)
    is_column = any(_is_under(one.box, value.box) and implied_terms(one.text) == kind for one in runs)
    return value if kind & _TYPED and _is_value(value.text, vocabulary) and not is_column else None


def _right(label: Run, runs: Sequence[Run], vocabulary: Vocabulary) -> Run | None:
    """Return the next text in the line of a label, if it may be its value."""
    line = [one for one in runs if one.box.x0 >= label.box.x1 and is_beside(one.box, label.box)]
    value = min(line, key=lambda one: one.box.x0, default=None)
    return value if value and _is_value(value.text, vocabulary) else None


def _is_value(text: str, vocabulary: Vocabulary) -> bool:
    is_name = label_terms(text) in vocabulary.names
    return any(map(str.isalnum, text)) and not (is_name or OWN_LABEL.match(text) or vocabulary.is_only_label(text))


def _is_under(lower: Box, upper: Box) -> bool:
    gap = lower.y0 - upper.y1
    overlap = min(lower.x1, upper.x1) - max(lower.x0, upper.x0)
    is_over = 2 * overlap >= min(lower.x1 - lower.x0, upper.x1 - upper.x0)
    return -1 <= gap <= _MAX_GAP * (upper.y1 - upper.y0) and is_over


def is_beside(one: Box, other: Box) -> bool:
    """Return True if two boxes are in one line: their middles differ by less than half of a height."""
    return abs(one.y0 + one.y1 - other.y0 - other.y1) < min(one.y1 - one.y0, other.y1 - other.y0)
