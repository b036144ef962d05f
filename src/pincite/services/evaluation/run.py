"""Ask every question of every ranker and measure where the answers stand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pincite.model.call import Call
from pincite.services.evaluation.datasets import Gold, Question, within
from pincite.services.evaluation.metrics import DEPTH, METRICS, Measured, measured
from pincite.services.evaluation.rankers import Ranker, Target


@dataclass(frozen=True, slots=True)
class Scores:
    """One ranker's figures: one value a question and measure, and their means."""

    name: str
    values: Mapping[str, Sequence[float]]
    means: Mapping[str, Measured]


def evaluate(questions: Sequence[Question], rankers: Mapping[str, Ranker], call: Call) -> list[Scores]:
    """Measure every ranker on every answerable question.

    Args:
        questions: Those without a gold are left out.
        rankers: What to measure, by name.
        call: Asked between questions; told how far the work is.
    """
    answerable = [question for question in questions if question.golds]
    total = len(answerable) * len(rankers)
    rows: list[Scores] = []
    for number, (name, ranker) in enumerate(rankers.items()):
        rankings: list[list[float]] = []
        for question in answerable:
            call.check()
            call.progress(number * len(answerable) + len(rankings), total, "questions asked")
            rankings.append(grades(ranker(question.text)[:DEPTH], question))
        rows.append(scores(name, answerable, rankings))
    return rows


def scores(name: str, questions: Sequence[Question], rankings: Sequence[Sequence[float]]) -> Scores:
    """The figures of one ranker, from the grades of the places that it found."""
    ideals = [_ideal(question) for question in questions]
    values = {
        measure: [value(ranking, ideal) for ranking, ideal in zip(rankings, ideals, strict=True)]
        for measure, value in METRICS.items()
    }
    return Scores(name, values, {measure: measured(column) for measure, column in values.items()})


def grades(ranked: Sequence[Target], question: Question) -> list[float]:
    """The grade of each place; a gold counts at the first place that meets it."""
    open_golds = list(question.golds)
    found: list[float] = []
    for target in ranked:
        met = [gold for gold in open_golds if answers(target, gold)]
        found.append(max((gold.grade for gold in met), default=0.0))
        open_golds = [] if met and question.one_is_enough else [gold for gold in open_golds if gold not in met]
    return found


def answers(target: Target, gold: Gold) -> bool:
    """Whether a place is what a gold names: the document and, where it names a heading, the section or a part of it."""
    return target.document == gold.document and (not gold.heading or within(target.headings, gold.heading))


def _ideal(question: Question) -> list[float]:
    found = [gold.grade for gold in question.golds]
    return [max(found)] if question.one_is_enough else found
