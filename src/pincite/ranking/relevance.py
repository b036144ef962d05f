"""Whether the documents speak of a question at all.

A logistic fit over 700 labelled questions on nine sets (answerable, foreign, same field but not
answered); one set of constants served every corpus. To be fitted again when the model, the
chunking or `gain.GAIN` changes; `eval/relevance.py` measures it.
"""

import math

SCORE_WEIGHT = 25.8
COVERAGE_WEIGHT = 5.7
OFFSET = -12.7

LOW = 0.5
"""Below this an answer says so: 94 % of answerable questions lie above, 98 % of foreign ones below."""


def relevance(top_score: float, coverage: float) -> float:
    """The probability that the documents speak of the question; says nothing of any single hit.

    Args:
        top_score: The best hit's fused score.
        coverage: The greatest share of the question's idf that one candidate holds, 0..1.
    """
    return 1 / (1 + math.exp(-(SCORE_WEIGHT * top_score + COVERAGE_WEIGHT * coverage + OFFSET)))
