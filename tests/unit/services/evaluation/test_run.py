"""Every question is asked, and where the answers stand is measured."""

from collections.abc import Sequence

import pytest

from pincite.model.call import Call
from pincite.services.evaluation.datasets import Gold, Question
from pincite.services.evaluation.rankers import Ranker, Target
from pincite.services.evaluation.run import Scores, evaluate

ZEBRA, FOOD = Target("zebra.md"), Target("zebra.md", ("Animals", "Zebra food"))
WALRUS = Target("walrus.md")


def always(*found: Target) -> Ranker:
    return lambda _: found


def scores(questions: Sequence[Question], *found: Target) -> Scores:
    (row,) = evaluate(questions, {"fixed": always(*found)}, Call())
    return row


def test_every_ranker_is_asked_every_question_that_has_an_answer() -> None:
    questions = [Question("zebra", (Gold("zebra.md"),)), Question("nobody answers this", ())]
    first, second = evaluate(questions, {"right": always(ZEBRA, WALRUS), "late": always(WALRUS, ZEBRA)}, Call())
    assert (first.name, first.values["hit@1"]) == ("right", [1.0])
    assert (second.name, second.values["hit@1"], second.means["mrr@10"].mean) == ("late", [0.0], 0.5)


def test_a_gold_with_a_heading_is_met_by_its_section_alone() -> None:
    question = [Question("zebra eats grass", (Gold("zebra.md", "Zebra food"),))]
    assert scores(question, FOOD).values["hit@1"] == [1.0]
    assert scores(question, ZEBRA).values["hit@1"] == [0.0]
    assert scores(question, Target("walrus.md", FOOD.headings)).values["hit@1"] == [0.0]


def test_one_of_several_places_is_the_whole_answer_where_the_set_says_so() -> None:
    either = (Gold("zebra.md"), Gold("walrus.md"))
    questions = [Question("zebra", either, one_is_enough=True), Question("zebra", either)]
    row = scores(questions, ZEBRA)
    assert row.values["recall@10"] == [1.0, 0.5]
    enough, each = row.values["ndcg@10"]
    assert enough == pytest.approx(1)
    assert each < 1


def test_a_gold_counts_once() -> None:
    other = Target("zebra.md", ("Animals", "Zebra stripes"))
    assert scores([Question("zebra", (Gold("zebra.md"),))], FOOD, other).values["ndcg@10"] == [1.0]


def test_places_after_the_tenth_do_not_count() -> None:
    others = [Target(f"{n}.md") for n in range(10)]
    assert scores([Question("zebra", (Gold("zebra.md"),))], *others, ZEBRA).values["recall@10"] == [0.0]


def test_progress_is_told() -> None:
    told: list[tuple[float, float | None]] = []
    call = Call(progress=lambda done, total, _: told.append((done, total)))
    evaluate([Question("zebra", (Gold("zebra.md"),))] * 2, {"a": always(), "b": always()}, call)
    assert told == [(0, 4), (1, 4), (2, 4), (3, 4)]
