"""Measures of a ranking."""

import pytest

from pincite.services.evaluation.metrics import METRICS, measured


@pytest.mark.parametrize(
    ("ranking", "hit1", "hit5", "mrr"),
    [
        ([1, 0, 0], 1, 1, 1),
        ([0, 0, 1], 0, 1, 1 / 3),
        ([0] * 5 + [1], 0, 0, 1 / 6),
        ([0] * 10 + [1], 0, 0, 0),
        ([], 0, 0, 0),
    ],
)
def test_the_first_answer_counts(ranking: list[float], hit1: float, hit5: float, mrr: float) -> None:
    assert METRICS["hit@1"](ranking, [1]) == hit1
    assert METRICS["hit@5"](ranking, [1]) == hit5
    assert METRICS["mrr@10"](ranking, [1]) == pytest.approx(mrr)


def test_ndcg_is_one_for_the_ideal_order_and_less_for_another() -> None:
    assert METRICS["ndcg@10"]([3, 2, 1], [1, 2, 3]) == pytest.approx(1)
    # by hand: (1 + 2/log2(3) + 3/2) / (3 + 2/log2(3) + 1/2)
    assert METRICS["ndcg@10"]([1, 2, 3], [1, 2, 3]) == pytest.approx(0.7899980, abs=1e-6)
    assert METRICS["ndcg@10"]([0, 0], []) == 0


def test_recall_is_the_share_of_the_answers_that_were_found() -> None:
    assert METRICS["recall@10"]([1, 0, 2], [1, 2, 1, 1]) == 0.5
    assert METRICS["recall@10"]([0] * 10 + [1], [1]) == 0
    assert METRICS["recall@10"]([], []) == 0


def test_an_interval_holds_its_mean_and_repeats_itself() -> None:
    values = [0.0, 1.0] * 50
    first = measured(values)
    assert first.mean == 0.5 and 0.39 < first.low < 0.5 < first.high < 0.61
    assert measured(values) == first
    assert measured([]).mean == 0
