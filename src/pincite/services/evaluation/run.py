"""Ask every question of an index and measure where the answers stand."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pincite.index.index import Index
from pincite.index.retriever import Method
from pincite.index.view import IndexView
from pincite.model.call import Call
from pincite.model.chunk import BREADCRUMB_SEPARATOR
from pincite.model.search import Hit
from pincite.services.evaluation.datasets import Gold, Question
from pincite.services.evaluation.metrics import DEPTH, METRICS, Measured, measured

CHUNKS = 100
"""Chunks asked for, so that ten places are left when chunks of one place are taken together."""

Place = tuple[str, str]
"""Document and breadcrumb; the breadcrumb is empty where documents are ranked."""


@dataclass(frozen=True, slots=True)
class Scores:
    """One method's figures: one value a question and measure, and their means."""

    method: Method
    values: dict[str, list[float]]
    means: dict[str, Measured]


def evaluate(
    index: Index, questions: Sequence[Question], methods: Iterable[Method], call: Call, *, sections: bool
) -> list[Scores]:
    """Measure every method on every answerable question.

    Args:
        index: Up to date, its model loaded.
        questions: Those without a gold are left out.
        methods: What to measure.
        call: Asked between questions.
        sections: Rank sections (a gold's heading counts); else documents.
    """
    answerable = [question for question in questions if question.golds]
    with index.view(call, meaning=True) as view:
        return [_scores(index, view, answerable, method, call, sections=sections) for method in methods]


def places(hits: Iterable[Hit], *, sections: bool) -> list[Place]:
    """Where hits stand, each place once, at its best hit."""
    return list(dict.fromkeys((hit.chunk.document, hit.chunk.breadcrumb if sections else "") for hit in hits))


def _scores(
    index: Index, view: IndexView, questions: Sequence[Question], method: Method, call: Call, *, sections: bool
) -> Scores:
    values: dict[str, list[float]] = {name: [] for name in METRICS}
    for question in questions:
        call.check()
        hits = index.search(view, call, question.text, CHUNKS, method=method).hits
        answers = _answers(sections=sections)
        ranking = _grades(places(hits, sections=sections)[:DEPTH], question, answers)
        grades = [gold.grade for gold in question.golds]
        ideal = [max(grades)] if question.one_is_enough else grades
        for name, measure in METRICS.items():
            values[name].append(measure(ranking, ideal))
    return Scores(method, values, {name: measured(column) for name, column in values.items()})


def _grades(ranked: Sequence[Place], question: Question, answers: Callable[[Place, Gold], bool]) -> list[float]:
    """The grade of each place; a gold counts at the first place that meets it."""
    open_golds = list(question.golds)
    grades: list[float] = []
    for place in ranked:
        met = [gold for gold in open_golds if answers(place, gold)]
        grades.append(max((gold.grade for gold in met), default=0.0))
        open_golds = [] if met and question.one_is_enough else [gold for gold in open_golds if gold not in met]
    return grades


def _answers(*, sections: bool) -> Callable[[Place, Gold], bool]:
    def document(place: Place, gold: Gold) -> bool:
        return place[0] == gold.document

    def section(place: Place, gold: Gold) -> bool:
        headings = place[1].split(BREADCRUMB_SEPARATOR)
        named = any(heading == gold.heading or heading.startswith(f"{gold.heading} ") for heading in headings)
        return place[0] == gold.document and (not gold.heading or named)

    return section if sections else document
