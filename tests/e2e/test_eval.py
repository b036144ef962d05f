"""Retrieval quality, held to what it was: `pincite eval … --check` as a person runs it, with the real model.

A page whose headings changed: mend its questions. A figure that fell and shall stay so:
`pincite eval eval/questions/guide.tsv --docs docs --save-baseline eval/baselines/guide.json`.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "eval" / "baselines"

GUIDE_TOLERANCE = "0.08"
"""Three of its questions: the pages that it asks about are edited every day (the other sets' never are)."""


def held(questions: Path, docs: Path, baseline: str, model_cache: Path, *arguments: str) -> None:
    own = {"PINCITE_CACHE": str(model_cache.parent), "EMBEDDING_PROVIDER": "local", "PINCITE_FETCH_MODEL": "false"}
    names = [name for name in os.environ if name.startswith(("PINCITE_", "EMBEDDING_", "LOG_"))]
    kept = {name: value for name, value in os.environ.items() if name not in names}
    ran = subprocess.run(
        [sys.executable, "-m", "pincite", "eval", questions, "--docs", docs, "--check", KEPT / baseline, *arguments],
        cwd=KEPT,
        env={**kept, **own},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_questions_over_the_guide_are_answered_as_well_as_before(model_cache: Path) -> None:
    questions = ROOT / "eval" / "questions" / "guide.tsv"
    held(questions, ROOT / "docs", "guide.json", model_cache, "--tolerance", GUIDE_TOLERANCE)


@pytest.mark.slow
@pytest.mark.data
def test_the_questions_over_a_real_documentation_are_answered_as_well_as_before(data: Path, model_cache: Path) -> None:
    questions = data / "questions" / "prom.tsv"
    held(questions, data / "docs-prometheus" / "docs", "prom.json", model_cache, "--documents")


@pytest.mark.slow
@pytest.mark.data
def test_the_questions_over_a_standard_are_answered_as_well_as_before(data: Path, model_cache: Path) -> None:
    held(data / "questions" / "nist.tsv", data / "nist-800-63-3", "nist.json", model_cache)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["paperwork", "forms", "hard_forms"])
def test_documents_of_thirty_kinds_are_extracted_as_well_as_before(name: str) -> None:
    """Documents that invoices' data sets lack, written for this; `eval/paperwork`, `eval/forms`, `eval/hard_forms`."""
    ran = subprocess.run(
        [sys.executable, "-m", "pincite", "eval", ROOT / "eval" / name, "--check", KEPT / f"{name}.json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
