"""Hardly a false note on our own guide, and none in `make demo`, while what is foreign to it has one."""

import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.app import App
from pincite.settings import load
from support.serving import ask, files

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
QUESTIONS = ROOT / "eval" / "retrieval" / "questions"
FOREIGN_NOTED = 0.9
ANSWERED_NOTED = 0.02  # the model's own rate is 1 %: none at all would fail with the next sentence of the guide


@pytest.fixture(scope="module")
def guide(model_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    cache = tmp_path_factory.mktemp("cache")
    (cache / "models").symlink_to(model_cache)
    settings = {"PINCITE_CACHE": cache, "PINCITE_FETCH_MODEL": False, "PINCITE_FRESH_BUDGET": "inf"}
    app = App(load({**settings, "PINCITE_MODEL_GRACE": "inf"}), ROOT / "docs" / "guide")
    yield app
    app.close()


def rows(name: str) -> list[list[str]]:
    return [line.split("\t") for line in (QUESTIONS / name).read_text("utf-8").splitlines() if line]


def test_of_what_the_guide_answers_within_five_one_in_fifty_carries_a_note_at_most(guide: App) -> None:
    everyday = [(row[0], set(row[1].split("|"))) for row in rows("guide-everyday.tsv")]
    plain = [(row[0], {page.removeprefix("guide/") for page in row[1].split("|")}) for row in rows("guide.tsv")]
    answered: list[str] = []
    noted: list[tuple[str, float | None]] = []
    for question, pages in (*everyday, *plain):
        answer = ask(guide, question)
        if pages & set(files(answer)):
            answered.append(question)
            noted += [(question, answer.relevance)] if answer.note else []
    assert len(answered) > 70
    assert len(noted) <= ANSWERED_NOTED * len(answered), noted


def test_the_demo_carries_no_note(guide: App) -> None:
    questions: tuple[str, ...] = runpy.run_path(str(ROOT / "scripts" / "demo.py"))["QUESTIONS"]
    assert [ask(guide, question, top_k=1).note for question in questions] == [None] * len(questions)


def test_what_has_nothing_to_do_with_it_does(guide: App) -> None:
    foreign = [row[2] for row in rows("unanswerable-held-out.tsv") if row[1] == "foreign"]
    noted = [question for question in foreign if ask(guide, question).note]
    assert len(noted) >= FOREIGN_NOTED * len(foreign)
