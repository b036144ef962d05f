"""Compare what an extraction found with the values that documents have, field by field."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, cast

from pincite.errors import PinciteError
from pincite.model.call import Call
from pincite.model.schema import ListNode, Node, ObjectNode, PerModel
from pincite.services.evaluation.labelled import LabelledSet
from pincite.text.values.dates import read_dates
from pincite.text.values.formatting import normalize_text
from pincite.text.values.tokens import Conventions, DecimalMark, read_numbers

ALL = "all"
"""The row of the sums over all fields."""

Extract = Callable[[Path, Call], tuple[Mapping[str, Any], Mapping[str, Any]]]
"""Returns a document's data and evidence."""


@dataclass(slots=True)
class Tally:
    """Counts of one field: expected values, answers, right ones, and wrong ones that were called verified."""

    expected: int = 0
    answered: int = 0
    right: int = 0
    wrong_verified: int = 0

    @property
    def precision(self) -> float:
        """The share of the answers that are right; 1 without an answer."""
        return self.right / self.answered if self.answered else 1.0

    @property
    def recall(self) -> float:
        """The share of the expected values that were found; 1 if none was expected."""
        return self.right / self.expected if self.expected else 1.0


@dataclass(frozen=True, slots=True)
class Miss:
    """A value that is not the expected one."""

    document: str
    field: str
    expected: Any
    found: Any
    verified: bool


@dataclass(slots=True)
class LabelledScores:
    """The result of a run.

    Attributes:
        fields: Counts by field; the elements of a list share one: `lines[].price`.
        misses: Each value that was not as expected, in order.
        failures: Documents that could not be read, with the reason. All their values count as not found.
    """

    fields: dict[str, Tally] = field(default_factory=dict[str, Tally])
    misses: list[Miss] = field(default_factory=list[Miss])
    failures: dict[str, str] = field(default_factory=dict[str, str])

    def rows(self) -> dict[str, Tally]:
        """Return the counts by field, and last their sums."""
        names = ("expected", "answered", "right", "wrong_verified")
        sums = {name: sum(getattr(tally, name) for tally in self.fields.values()) for name in names}
        return {**self.fields, ALL: Tally(**sums)}


def evaluate(labelled: LabelledSet, extract: Extract, call: Call) -> LabelledScores:
    """Extract from every document and compare.

    Args:
        labelled: The documents.
        extract: Extracts; a `PinciteError` of it is a failure of that document.
        call: Checked between documents; receives progress.
    """
    scores = LabelledScores()
    for number, document in enumerate(labelled.documents):
        call.check()
        call.progress(number, len(labelled.documents), document.file.name)
        try:
            data, evidence = extract(document.file, call)
        except PinciteError as error:
            call.check()
            scores.failures[document.file.name] = error.message
            data, evidence = {}, {}
        _Comparison(scores, document.file.name).node(document.expected, data, evidence, labelled.schema.root, "")
    order = {path: number for number, path in enumerate(_paths(labelled.schema.root, ""))}
    scores.fields = dict(sorted(scores.fields.items(), key=lambda item: order[item[0]]))
    return scores


def is_same(expected: Any, answered: Any) -> bool:
    """Return True if two values are the same number, day, or text apart from white space and letter case.

    Two texts are no numbers: `007` is not `7`.
    """
    if isinstance(expected, bool) or isinstance(answered, bool):
        return expected is answered
    if isinstance(expected, int | float) or isinstance(answered, int | float):
        return bool(_number(expected) & _number(answered))
    return _plain(expected) == _plain(answered) or bool(_day(str(expected)) & _day(str(answered)))


@dataclass(frozen=True, slots=True)
class _Comparison:
    scores: LabelledScores
    document: str

    def node(self, expected: Any, answered: Any, evidence: Any, node: Node, path: str) -> None:
        """Count what of the expected values below a node was found."""
        if isinstance(node, ObjectNode | PerModel):
            truth, values = _mapping(expected), _mapping(answered)
            for key in truth if isinstance(node, ObjectNode) else {**truth, **values}:
                child = node.fields[key] if isinstance(node, ObjectNode) else node.value
                inner = f"{path}.{key}" if path and isinstance(node, ObjectNode) else path or key
                self.node(truth.get(key), values.get(key), _mapping(evidence).get(key), child, inner)
        elif isinstance(node, ListNode):
            self._list(_list(expected), _list(answered), evidence, node.item, f"{path}[]")
        else:
            self._leaf(expected, answered, _mapping(evidence).get("verified") is True, path)

    def _list(self, expected: Sequence[Any], answered: Sequence[Any], evidence: Any, item: Node, path: str) -> None:
        trees = _list(_mapping(evidence).get("items", evidence))
        for index, partner in _pairs(expected, answered):
            truth = expected[index] if index is not None else _nothing_of(answered[partner or 0])
            value = answered[partner] if partner is not None else None
            tree = trees[partner] if partner is not None and partner < len(trees) else None
            self.node(truth, value, tree, item, path)

    def _leaf(self, expected: Any, answered: Any, verified: bool, path: str) -> None:
        tally = self.scores.fields.setdefault(path, Tally())
        right = expected is not None and answered is not None and is_same(expected, answered)
        tally.expected += expected is not None
        tally.answered += answered is not None
        tally.right += right
        tally.wrong_verified += answered is not None and not right and verified
        if not right and not (expected is None and answered is None):
            self.scores.misses.append(Miss(self.document, path, expected, answered, verified))


def _pairs(expected: Sequence[Any], answered: Sequence[Any]) -> Iterator[tuple[int | None, int | None]]:
    """Yield which elements of two lists are compared: those that agree most first, the rest in order."""
    open_ones = list(range(len(answered)))
    rest: list[int] = []
    for number, element in enumerate(expected):
        best = max(open_ones, key=lambda index: _agreement(element, answered[index]), default=None)
        if best is None or not _agreement(element, answered[best]):
            rest.append(number)
        else:
            open_ones.remove(best)
            yield number, best
    for number in rest:
        yield number, open_ones.pop(0) if open_ones else None
    yield from ((None, surplus) for surplus in open_ones)


def _agreement(expected: Any, answered: Any) -> int:
    if isinstance(expected, Mapping):
        truth, values = _mapping(expected), _mapping(answered)
        return sum(values.get(key) is not None and is_same(value, values[key]) for key, value in truth.items())
    return answered is not None and is_same(expected, answered)


def _nothing_of(answered: Any) -> Any:
    """Return what is expected where an element is one too many."""
    return dict.fromkeys(_mapping(answered)) if isinstance(answered, Mapping) else None


def _paths(node: Node, path: str) -> Iterator[str]:
    """Yield the fields of a schema in its order, as the counts name them."""
    if isinstance(node, ObjectNode):
        for key, child in node.fields.items():
            yield from _paths(child, f"{path}.{key}" if path else key)
    elif isinstance(node, ListNode):
        yield from _paths(node.item, f"{path}[]")
    elif isinstance(node, PerModel):
        yield from _paths(node.value, path)
    else:
        yield path


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _list(value: Any) -> Sequence[Any]:
    return cast("Sequence[Any]", value) if isinstance(value, list) else ()


def _plain(value: Any) -> str:
    return "".join(normalize_text(str(value)).split()).casefold()


def _number(value: Any) -> frozenset[Decimal]:
    if isinstance(value, int | float):
        return frozenset({Decimal(str(value))})
    text = str(value)
    # No document tells how the value is written.
    readings = [read_numbers(text, Conventions(mark)) for mark in (DecimalMark.POINT, DecimalMark.COMMA)]
    whole = [
        numbers[0].readings
        for numbers in readings
        if len(numbers) == 1 and (numbers[0].start, numbers[0].end) == (0, len(text))
    ]
    return frozenset[Decimal]().union(*whole)


def _day(text: str) -> frozenset[date]:
    dates = list(read_dates(text))
    return dates[0].readings if len(dates) == 1 and len(text) == dates[0].end - dates[0].start else frozenset()
