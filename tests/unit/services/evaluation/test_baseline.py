"""What is kept of a run, and what of a later one fell."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from pincite.errors import ConfigError, InvalidInput
from pincite.services.evaluation import baseline as baselines
from pincite.services.evaluation.baseline import Baseline, Ranked, baseline, regressions, require_same
from pincite.services.evaluation.datasets import Gold, Question
from pincite.services.evaluation.run import Scores, scores

QUESTION = Question("zebra", (Gold("zebra.md"),))


def row(name: str, hits: Sequence[float]) -> Scores:
    return scores(name, [QUESTION] * len(hits), [[hit] for hit in hits])


def kept(*rows: Scores) -> Baseline:
    return baseline("zebras", rows, "documents")


def test_a_baseline_is_read_as_it_was_written(tmp_path: Path) -> None:
    before = kept(row("default", [1, 0, 1]))
    baselines.write(before, tmp_path / "b.json")
    assert baselines.read(tmp_path / "b.json") == before
    assert (before.questions, before.means["default"]["hit@1"]) == (3, 0.6667)


def test_only_what_is_lower_by_more_than_the_tolerance_fell() -> None:
    before, after = kept(row("default", [1, 1, 1, 1])), kept(row("default", [1, 1, 1, 0]))
    assert {fall.measure for fall in regressions(before, after, 0.1)} == set(before.means["default"])
    assert (regressions(before, after, 0.25), regressions(after, before, 0)) == ([], [])


def test_rounding_is_no_fall() -> None:
    rows = row("default", [1, 1, 0])
    assert regressions(kept(rows), kept(rows), 0) == []


def test_grep_is_not_held_to_what_it_was() -> None:
    assert regressions(kept(row("grep", [1])), kept(row("grep", [0])), 0) == []


@pytest.mark.parametrize(
    ("dataset", "questions", "ranked"),
    [("walruses", 1, "documents"), ("zebras", 2, "documents"), ("zebras", 1, "sections")],
)
def test_runs_that_did_not_ask_the_same_are_not_compared(dataset: str, questions: int, ranked: Ranked) -> None:
    before = kept(row("default", [1]))
    require_same(before, "zebras", 1, "documents")
    with pytest.raises(InvalidInput, match=f"of zebras, 1 questions, documents ranked; this run is of {dataset}"):
        require_same(before, dataset, questions, ranked)


def test_what_is_not_measured_any_more_is_told() -> None:
    with pytest.raises(InvalidInput, match=r"hit@1 of 'best', which is not measured\. Save one of this run"):
        regressions(kept(row("best", [1])), kept(row("default", [1])), 0)


@pytest.mark.parametrize("text", ["", "{}", '{"dataset": 1}'])
def test_another_file_is_no_baseline(tmp_path: Path, text: str) -> None:
    (tmp_path / "b.json").write_text(text)
    for file in ("b.json", "gone.json"):
        with pytest.raises(InvalidInput, match=f"{file} is not a baseline"):
            baselines.read(tmp_path / file)


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"b\.json cannot be written"):
        baselines.write(kept(row("default", [1])), tmp_path / "gone" / "b.json")
