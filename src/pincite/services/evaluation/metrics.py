"""Ranking metrics and their confidence intervals."""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

DEPTH = 10
"""Number of ranks that the metrics use."""

RESAMPLES = 2000
"""Samples of the bootstrap, of which 50 are below the interval and 50 above."""
SEED = 20260721
"""The same values have the same interval in every run."""

Ranking = Sequence[float]
"""The grades of the ranked targets, best first: 0 for one that does not answer."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A mean over questions with its 95 % bootstrap interval."""

    mean: float
    low: float
    high: float


def hit_at(depth: int) -> Callable[[Ranking, Sequence[float]], float]:
    """Return a metric that is 1 if one of the first `depth` targets answers."""
    return lambda ranking, _: float(any(ranking[:depth]))


def reciprocal_rank(ranking: Ranking, _: Sequence[float]) -> float:
    """Return 1 / rank of the first answer among the first ten; 0 if there is none."""
    return next((1 / rank for rank, grade in enumerate(ranking[:DEPTH], 1) if grade), 0.0)


def ndcg(ranking: Ranking, ideal: Sequence[float]) -> float:
    """Return the normalised discounted cumulative gain at 10 (linear gain, as in BEIR)."""
    best = _gain(sorted(ideal, reverse=True))
    return _gain(ranking) / best if best else 0.0


def recall(ranking: Ranking, ideal: Sequence[float]) -> float:
    """Return the share of the answers that are among the first ten."""
    return min(1.0, sum(grade > 0 for grade in ranking[:DEPTH]) / len(ideal)) if ideal else 0.0


METRICS: Mapping[str, Callable[[Ranking, Sequence[float]], float]] = {
    "hit@1": hit_at(1),
    "hit@5": hit_at(5),
    "mrr@10": reciprocal_rank,
    "ndcg@10": ndcg,
    "recall@10": recall,
}


def measured(values: Sequence[float]) -> Measured:
    """Return the mean over questions with its interval, deterministic for the same values."""
    if not values:
        return Measured(0.0, 0.0, 0.0)
    chance = random.Random(SEED)  # noqa: S311 - resampling, not a secret
    means = sorted(math.fsum(chance.choices(values, k=len(values))) / len(values) for _ in range(RESAMPLES))
    return Measured(math.fsum(values) / len(values), means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1])


def _gain(grades: Ranking) -> float:
    return math.fsum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades[:DEPTH], 1))
