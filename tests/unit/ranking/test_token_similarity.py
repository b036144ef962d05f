"""How near a passage is to a query, token by token."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest

from pincite.ranking.token_similarity import reordered, token_similarity, weak_similarity

if TYPE_CHECKING:
    from pincite.model.vector import Vector

X, Y, NEAR_X = (np.array(vector, np.float32) for vector in ([1, 0], [0, 1], [0.8, 0.6]))


def test_each_token_of_the_query_counts_by_its_nearest() -> None:
    assert token_similarity(np.stack([X, Y]), np.stack([X, Y, Y])) == 1
    assert token_similarity(np.stack([X, Y]), np.stack([NEAR_X])) == pytest.approx((0.8 + 0.6) / 2)
    assert token_similarity(np.stack([X]), np.stack([Y, NEAR_X])) == pytest.approx(0.8)


def test_the_half_that_is_met_worst_counts_alone() -> None:
    assert weak_similarity(np.stack([X, Y]), np.stack([NEAR_X])) == pytest.approx(0.6)
    assert weak_similarity(np.stack([X, X, Y]), np.stack([X])) == 0
    assert weak_similarity(np.stack([NEAR_X]), np.stack([X])) == pytest.approx(0.8)


@pytest.mark.parametrize("similarity", [token_similarity, weak_similarity])
def test_nothing_is_near_to_nothing(similarity: "Callable[[Vector, Vector], float]") -> None:
    none = np.empty((0, 2), np.float32)
    assert (similarity(none, np.stack([X])), similarity(np.stack([X]), none)) == (0, 0)


def test_what_has_a_similarity_is_ordered_in_its_places() -> None:
    similarity = {"a": 0.1, "c": 0.5, "d": 0.5, "e": 0.9}
    assert reordered("abcde", similarity.get) == ["e", "b", "c", "d", "a"]
    assert reordered("xyz", similarity.get) == ["x", "y", "z"]
