"""Run every question through every ranker and compute the metrics."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pincite.model.call import Call
from pincite.services.evaluation.datasets import Gold, Question, within
from pincite.services.evaluation.metrics import DEPTH, METRICS, Measured, measured
from pincite.services.evaluation.rankers import Ranker, Target


@dataclass(frozen=True, slots=True)
class Scores:
    """One ranker's results: a value per metric and question, and the means per metric."""

    name: str
    values: Mapping[str, Sequence[float]]
    means: Mapping[str, Measured]


def evaluate(questions: Sequence[Question], rankers: Mapping[str, Ranker], call: Call) -> list[Scores]:
    """Measure every ranker on every answerable question.

    Args:
        questions: Those without a gold are skipped.
        rankers: The rankers by name.
        call: Checked between questions; receives progress.
    """
    answerable = [question for question in questions if question.golds]
    total = len(answerable) * len(rankers)
    rows: list[Scores] = []
    for number, (name, ranker) in enumerate(rankers.items()):
        rankings: list[list[float]] = []
        for question in answerable:
            call.check()
            call.progress(number * len(answerable) + len(rankings), total, "questions answered")
            rankings.append(grades(ranker(question.text)[:DEPTH], question))
        rows.append(scores(name, answerable, rankings))
    return rows


def scores(name: str, questions: Sequence[Question], rankings: Sequence[Sequence[float]]) -> Scores:
    """Return one ranker's results from the grades of its ranked targets."""
    ideals = [_ideal(question) for question in questions]
    values = {
        measure: [value(ranking, ideal) for ranking, ideal in zip(rankings, ideals, strict=True)]
        for measure, value in METRICS.items()
    }
    return Scores(name, values, {measure: measured(column) for measure, column in values.items()})


def grades(ranked: Sequence[Target], question: Question) -> list[float]:
    """Return the grade of each target; a gold counts only for the first target that matches it."""
    open_golds = list(question.golds)
    target_grades: list[float] = []
    for target in ranked:
        matched = [gold for gold in open_golds if answers(target, gold)]
        target_grades.append(max((gold.grade for gold in matched), default=0.0))
        open_golds = [] if matched and question.one_is_enough else [gold for gold in open_golds if gold not in matched]
    return target_grades


def answers(target: Target, gold: Gold) -> bool:
    """Return True if a target is the gold's document and, if the gold names a heading, that section or a part of it."""
    return target.document == gold.document and (not gold.heading or within(target.headings, gold.heading))


def _ideal(question: Question) -> list[float]:
    gold_grades = [gold.grade for gold in question.golds]
    return [max(gold_grades)] if question.one_is_enough else gold_grades
