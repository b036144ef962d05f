"""Every question is asked, and where the answers stand is measured."""

from pathlib import Path

import pytest

from pincite.index.retriever import Method
from pincite.model.call import Call
from pincite.services.evaluation.datasets import Gold, Question
from pincite.services.evaluation.run import Scores, evaluate
from serving import MakeApp

PAGES = {
    "zebra.md": "# Animals\n\n## Zebra stripes\n\nThe zebra has stripes.\n\n## Zebra food\n\nThe zebra eats grass.\n",
    "walrus.md": "# Sea\n\n## Walrus\n\nThe walrus has tusks.\n",
}


def measured(make_app: MakeApp, folder: Path, questions: list[Question], *, sections: bool) -> dict[Method, Scores]:
    for name, text in PAGES.items():
        (folder / name).write_text(text)
    app = make_app(PINCITE_FRESH_BUDGET="inf")
    rows = evaluate(app.index(), questions, list(Method), Call(), sections=sections)
    return {row.method: row for row in rows}


@pytest.mark.parametrize("method", list(Method))
def test_documents_count_once_at_their_best_chunk(folder: Path, make_app: MakeApp, method: Method) -> None:
    questions = [
        Question("zebra grass", (Gold("zebra.md"),)),
        Question("walrus tusks", (Gold("walrus.md"),)),
        Question("nobody answers this", ()),
    ]
    scores = measured(make_app, folder, questions, sections=False)[method]
    assert scores.values["hit@1"] == [1.0, 1.0]
    assert scores.means["ndcg@10"].mean == pytest.approx(1)


def test_sections_are_told_apart_by_their_headings(folder: Path, make_app: MakeApp) -> None:
    questions = [
        Question("zebra eats grass", (Gold("zebra.md", "Zebra food"),)),
        Question("zebra eats grass", (Gold("zebra.md", "Zebra"),)),
        Question("zebra eats grass", (Gold("walrus.md", "Walrus"),)),
    ]
    scores = measured(make_app, folder, questions, sections=True)[Method.FUSED]
    assert scores.values["hit@1"] == [1.0, 1.0, 0.0]


def test_one_of_several_places_is_the_whole_answer_where_the_set_says_so(folder: Path, make_app: MakeApp) -> None:
    either = (Gold("zebra.md"), Gold("walrus.md"))
    questions = [Question("zebra", either, one_is_enough=True), Question("zebra", (*either, Gold("gone.md")))]
    scores = measured(make_app, folder, questions, sections=False)[Method.MEANING]
    enough, each = scores.values["ndcg@10"]
    assert enough == pytest.approx(1)
    assert each < 1
