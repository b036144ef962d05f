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
        sums = {name: sum(getattr(one, name) for one in self.fields.values()) for name in names}
        return {**self.fields, ALL: Tally(**sums)}


def evaluate(labelled: LabelledSet, extract: Extract, call: Call) -> LabelledScores:
    """Extract from every document and compare.

    Args:
        labelled: The documents.
        extract: Extracts; a `PinciteError` of it is a failure of that document.
        call: Checked between documents; receives progress.
    """
    scores = LabelledScores()
    for number, one in enumerate(labelled.documents):
        call.check()
        call.progress(number, len(labelled.documents), one.file.name)
        try:
            data, evidence = extract(one.file, call)
        except PinciteError as error:
            call.check()
            scores.failures[one.file.name] = error.message
            data, evidence = {}, {}
        _Comparison(scores, one.file.name).node(one.expected, data, evidence, labelled.schema.root, "")
    order = {path: number for number, path in enumerate(_paths(labelled.schema.root, ""))}
    scores.fields = dict(sorted(scores.fields.items(), key=lambda item: order[item[0]]))
    return scores


def is_same(expected: Any, found: Any) -> bool:
    """Return True if two values are the same number, day, or text apart from white space and letter case.

    Two texts are no numbers: `007` is not `7`.
    """
    if isinstance(expected, bool) or isinstance(found, bool):
        return expected is found
    if isinstance(expected, int | float) or isinstance(found, int | float):
        return bool(_number(expected) & _number(found))
    return _plain(expected) == _plain(found) or bool(_day(str(expected)) & _day(str(found)))


@dataclass(frozen=True, slots=True)
class _Comparison:
    scores: LabelledScores
    document: str

    def node(self, expected: Any, found: Any, evidence: Any, node: Node, path: str) -> None:
        """Count what of the expected values below a node was found."""
        if isinstance(node, ObjectNode | PerModel):
            truth, values = _mapping(expected), _mapping(found)
            for key in truth if isinstance(node, ObjectNode) else {**truth, **values}:
                child = node.fields[key] if isinstance(node, ObjectNode) else node.value
                inner = f"{path}.{key}" if path and isinstance(node, ObjectNode) else path or key
                self.node(truth.get(key), values.get(key), _mapping(evidence).get(key), child, inner)
        elif isinstance(node, ListNode):
            self._list(_list(expected), _list(found), evidence, node.item, f"{path}[]")
        else:
            self._leaf(expected, found, _mapping(evidence).get("verified") is True, path)

    def _list(self, expected: Sequence[Any], found: Sequence[Any], evidence: Any, item: Node, path: str) -> None:
        trees = _list(_mapping(evidence).get("items", evidence))
        for one, other in _pairs(expected, found):
            truth = expected[one] if one is not None else _nothing_of(found[other or 0])
            value = found[other] if other is not None else None
            tree = trees[other] if other is not None and other < len(trees) else None
            self.node(truth, value, tree, item, path)

    def _leaf(self, expected: Any, found: Any, verified: bool, path: str) -> None:
        tally = self.scores.fields.setdefault(path, Tally())
        right = expected is not None and found is not None and is_same(expected, found)
        tally.expected += expected is not None
        tally.answered += found is not None
        tally.right += right
        tally.wrong_verified += found is not None and not right and verified
        if not right and not (expected is None and found is None):
            self.scores.misses.append(Miss(self.document, path, expected, found, verified))


def _pairs(expected: Sequence[Any], found: Sequence[Any]) -> Iterator[tuple[int | None, int | None]]:
    """Yield which elements of two lists are compared: those that agree most first, the rest in order."""
    open_ones = list(range(len(found)))
    rest: list[int] = []
    for number, one in enumerate(expected):
        best = max(open_ones, key=lambda other: _agreement(one, found[other]), default=None)
        if best is None or not _agreement(one, found[best]):
            rest.append(number)
        else:
            open_ones.remove(best)
            yield number, best
    for number in rest:
        yield number, open_ones.pop(0) if open_ones else None
    yield from ((None, other) for other in open_ones)


def _agreement(expected: Any, found: Any) -> int:
    if isinstance(expected, Mapping):
        truth, values = _mapping(expected), _mapping(found)
        return sum(values.get(key) is not None and is_same(one, values[key]) for key, one in truth.items())
    return found is not None and is_same(expected, found)


def _nothing_of(found: Any) -> Any:
    """Return what is expected where an element is one too many."""
    return dict.fromkeys(_mapping(found)) if isinstance(found, Mapping) else None


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
    found = [read_numbers(text, Conventions(mark)) for mark in (DecimalMark.POINT, DecimalMark.COMMA)]
    whole = [one[0].readings for one in found if len(one) == 1 and (one[0].start, one[0].end) == (0, len(text))]
    return frozenset[Decimal]().union(*whole)


def _day(text: str) -> frozenset[date]:
    found = list(read_dates(text))
    return found[0].readings if len(found) == 1 and len(text) == found[0].end - found[0].start else frozenset()
