"""A dataset that names what is not there is refused."""

import pytest

from pincite.errors import InvalidInput
from pincite.services.evaluation.datasets import Gold, Question
from pincite.services.evaluation.rankers import Target
from pincite.services.evaluation.targets import require_known

PLACES = [Target("keys.md"), Target("keys.md", ("Keys", "Rotation")), Target("locks.md", ("Locks",))]


def test_what_is_there_is_well() -> None:
    golds = (Gold("keys.md", "Rotation"), Gold("locks.md", "Rotation"), Gold("locks.md"))
    require_known([Question("when", golds), Question("nobody knows", ())], PLACES)


@pytest.mark.parametrize(
    ("gold", "told"),
    [
        (Gold("key.md"), "no page 'key.md'; the nearest is 'keys.md'"),
        (Gold("keys.md", "Rotating"), "no heading 'Rotating' in keys.md; the nearest is 'Rotation'"),
        (Gold("0"), "no page '0'$"),
    ],
)
def test_what_is_not_there_is_told_with_the_nearest_name(gold: Gold, told: str) -> None:
    with pytest.raises(InvalidInput, match=f"'when': {told}"):
        require_known([Question("when", (gold,))], PLACES)


def test_many_faults_are_told_shortly() -> None:
    with pytest.raises(InvalidInput, match="… and 15 more") as told:
        require_known([Question("when", (Gold("gone.md"),))] * 20, PLACES)
    assert told.value.message.count("\n- ") == 5
