"""Which period a field of an answer is of: its own name says it, or the year that the answer has next to it."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from pincite.evidence.claims import Claim, ClaimVerifier
from pincite.evidence.periods import ANY_PERIOD, Period
from pincite.model.call import Call
from pincite.model.extraction import Citation
from pincite.model.schema import Leaf, Path
from pincite.text.periods import is_of_another_period, is_period_field, years_in

_MAX_YEARS = 2
"""Years that one period has: `2023/24` has two, a list of years is no period."""


def answered_years(
    data: Mapping[str, Any], citations: Mapping[Path, Citation], verifier: ClaimVerifier, call: Call
) -> dict[Path, frozenset[str]]:
    """Return the years of an answer's periods that the document has, by the path of the record that names them.

    Raises:
        Cancelled: The call is cancelled.
        TimeoutExceeded: The deadline has passed.
    """
    years_by_record: dict[Path, frozenset[str]] = {}
    for path, value in _periods(data, ()):
        years, citation = years_in(str(value)), citations.get(path)
        if not 0 < len(years) <= _MAX_YEARS or citation is None or path[:-1] in years_by_record:
            continue
        if verifier.verify(Claim(value, citation, str(path[-1]).replace("_", " ")), call).status.is_grounded:
            years_by_record[path[:-1]] = years
    return years_by_record


def period_of(path: Path, node: Leaf, years: Mapping[Path, frozenset[str]]) -> Period:
    """Return the period of a field: of its name, of its description, of its record, of the records around that one."""
    names = [step for step in path if isinstance(step, str)]
    if own := years_in(" ".join(names)):
        return Period(own, is_named=True)
    if any(is_of_another_period(f"{name} {node.description}") for name in names[-1:]) or is_period_field(names[-1]):
        return ANY_PERIOD
    if described := years_in(node.description):
        return Period(described)
    for length in range(len(path) - 1, -1, -1):
        if path[:length] in years:
            return Period(years[path[:length]])
        if length and isinstance(path[length - 1], int):
            break  # the other records of a list, and what is around it, are of other periods
    return ANY_PERIOD


def _periods(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, Mapping):
        for key, inner in cast("Mapping[str, Any]", value).items():
            is_plain = isinstance(inner, str | int) and not isinstance(inner, bool)
            if is_plain and is_period_field(key):
                yield (*path, key), inner
            yield from _periods(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(cast("list[Any]", value)):
            yield from _periods(inner, (*path, number))
