import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

QUESTIONS = (
    "how often are the signing keys rotated\tkeys.md\tRotation\ninstall and run\tstart.md\tStart\nnobody knows\n"
)


@pytest.fixture
def questions(home: Path) -> Path:
    file = home / "mine.tsv"
    file.write_text(QUESTIONS, encoding="utf-8")
    return file


def beir(folder: Path) -> Path:
    (folder / "qrels").mkdir(parents=True)
    rows = (
        '{"_id": "1", "title": "Wings", "text": "lift"}',
        '{"_id": "2", "text": "drag"}',
        '{"_id": "3", "text": ""}',
    )
    (folder / "corpus.jsonl").write_text("\n".join(rows))
    (folder / "queries.jsonl").write_text('{"_id": "q", "text": "what lifts wings"}\n')
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq\t1\t3\nq\t3\t1\n")
    return folder


def test_every_way_has_a_line_with_its_means(pincite: Callable[..., Any], docs: Path, questions: Path) -> None:
    ran = pincite("eval", questions, "--docs", docs)
    assert (ran.code, ran.err) == (0, "")
    head, names, *rows = ran.out.splitlines()
    assert head == "mine: 2 questions, sections ranked; mean and its 95 % interval"
    assert names.split() == ["hit@1", "hit@5", "mrr@10", "ndcg@10", "recall@10"]
    assert [row.split()[0] for row in rows] == ["grep", "words", "meaning", "rrf", "default"]
    assert rows[-1].startswith("default  1.000 [1.00 1.00] ")


def test_machines_get_the_same(pincite: Callable[..., Any], docs: Path, questions: Path) -> None:
    found = json.loads(pincite("eval", questions, "--docs", docs, "--documents", "--json").out)
    assert (found["dataset"], found["questions"], found["unanswerable"]) == ("mine", 2, 1)
    assert (found["ranked"], found["fallen"]) == ("documents", None)
    assert found["rankers"]["default"]["hit@1"] == {"mean": 1.0, "low": 1.0, "high": 1.0}


def test_two_runs_are_the_same(pincite: Callable[..., Any], docs: Path, questions: Path) -> None:
    assert pincite("eval", questions, "--docs", docs).out == pincite("eval", questions, "--docs", docs).out


def test_a_beir_folder_brings_its_own_documents(pincite: Callable[..., Any], home: Path) -> None:
    ran = pincite("eval", beir(home / "aero"))
    assert ran.out.startswith("aero: 1 question, documents ranked")
    refused = pincite("eval", home / "aero", "--docs", home)
    assert (refused.code, "Leave --docs out" in refused.err) == (2, True)


def test_what_was_kept_is_held(pincite: Callable[..., Any], docs: Path, questions: Path, home: Path) -> None:
    kept = home / "kept.json"
    pincite("eval", questions, "--docs", docs, "--save-baseline", kept)
    held = pincite("eval", questions, "--docs", docs, "--check", kept)
    assert (held.code, held.out.splitlines()[-1]) == (0, "Nothing is below kept.json by more than 0.01.")
    (docs / "keys.md").write_text("# Keys\n\n## Rotation\n\nNever.\n\n## Other\n\nSigning keys rotated often.\n")
    fell = pincite("eval", questions, "--docs", docs, "--check", kept)
    assert fell.code == 1
    assert "Below kept.json by more than 0.01:" in fell.out
    assert "default  hit@1      1.000 -> 0.500" in fell.out
    found = json.loads(pincite("eval", questions, "--docs", docs, "--check", kept, "--json").out)["fallen"]
    assert {"ranker": "default", "measure": "hit@1", "was": 1.0, "now": 0.5} in found
    assert pincite("eval", questions, "--docs", docs, "--check", kept, "--tolerance", "0.5").code == 0


def test_another_dataset_is_not_compared(pincite: Callable[..., Any], docs: Path, questions: Path, home: Path) -> None:
    kept = home / "kept.json"
    pincite("eval", questions, "--docs", docs, "--save-baseline", kept)
    other = questions.rename(home / "yours.tsv")
    ran = pincite("eval", other, "--docs", docs, "--check", kept)
    assert (ran.code, ran.out) == (2, "")
    assert "of mine, 2 questions, sections ranked; this run is of yours, 2 questions" in ran.err


def test_questions_in_a_file_need_a_folder(pincite: Callable[..., Any], questions: Path) -> None:
    ran = pincite("eval", questions)
    assert (ran.code, "--docs ./docs" in ran.err) == (2, True)


def test_a_page_that_is_not_there_is_told_with_the_nearest(
    pincite: Callable[..., Any], docs: Path, questions: Path
) -> None:
    (docs / "keys.md").rename(docs / "keyring.md")
    ran = pincite("eval", questions, "--docs", docs)
    assert ran.code == 2
    assert "no page 'keys.md'; the nearest is 'keyring.md'" in ran.err


def test_without_a_model_nothing_is_measured(
    pincite: Callable[..., Any], docs: Path, questions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBEDDING_PROVIDER", "local")
    ran = pincite("eval", questions, "--docs", docs)
    assert (ran.code, ran.out) == (3, "")
    assert "The evaluation needs the embedding model." in ran.err


def test_the_cache_is_left_alone(pincite: Callable[..., Any], docs: Path, questions: Path, tmp_path: Path) -> None:
    pincite("eval", questions, "--docs", docs)
    assert list(tmp_path.rglob("*.db")) == []
