import pytest

from pincite.errors import InvalidInput
from pincite.services.extraction.bounds import MAX_DEPTH, MAX_NODES, MAX_READ, Budget


def test_a_budget_ends_with_depth_or_number() -> None:
    budget = Budget(MAX_NODES - 1)
    budget.spend(("a",) * MAX_DEPTH)
    with pytest.raises(InvalidInput, match="more than 2,000 fields"):
        budget.spend(("a",))
    with pytest.raises(InvalidInput, match=r"deeper than 32 levels at 'a\.a\.a'"):
        Budget().spend(("a",) * (MAX_DEPTH + 1))


@pytest.mark.parametrize(
    "part",
    [{"enum": ["a"] * MAX_READ}, {"properties": dict.fromkeys(map(str, range(MAX_READ)))}, {"$ref": "/" * 10**8}],
)
def test_what_a_part_holds_counts_with_each_time_that_it_is_read(part: dict[str, object]) -> None:
    with pytest.raises(InvalidInput, match=r"stand for too much at 'a\.b': more than 100,000 keywords"):
        Budget().expand(part, ("a", "b"))
