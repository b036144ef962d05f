import pytest

from pincite.errors import InvalidInput
from pincite.services.extraction.bounds import MAX_DEPTH, MAX_NODES, Budget


def test_a_budget_ends_with_depth_or_number() -> None:
    budget = Budget(MAX_NODES - 1)
    budget.spend(("a",) * MAX_DEPTH)
    with pytest.raises(InvalidInput, match="more than 2,000 fields"):
        budget.spend(("a",))
    with pytest.raises(InvalidInput, match=r"deeper than 32 levels at 'a\.a\.a'"):
        Budget().spend(("a",) * (MAX_DEPTH + 1))
