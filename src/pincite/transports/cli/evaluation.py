"""`pincite eval`: measure search with questions, or extraction with documents, whose answers are known."""

import math
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pincite.app import App
from pincite.errors import InvalidInput
from pincite.model.call import Call
from pincite.services.evaluation import baseline as baselines
from pincite.services.evaluation import datasets
from pincite.services.evaluation.baseline import Baseline, Regression
from pincite.services.evaluation.datasets import Dataset
from pincite.services.evaluation.labelled import is_labelled
from pincite.services.evaluation.metrics import METRICS, Measured
from pincite.services.evaluation.rankers import complete_view, rankers, texts
from pincite.services.evaluation.run import Scores, evaluate
from pincite.services.evaluation.targets import require_known
from pincite.settings import Settings
from pincite.transports import logging
from pincite.transports.cli import configuration, labelled, library_evaluation
from pincite.transports.cli.exit_codes import PARTIAL, SUCCESS
from pincite.transports.cli.output import Output, safe
from pincite.transports.cli.regressions import print_regressions

COLUMN = 18


def run(
    *,
    dataset: Path,
    docs: Path | None,
    library: bool,
    sections: bool | None,
    save_baseline: Path | None,
    check: Path | None,
    tolerance: float,
    engine: str,
    env_file: Path | None,
    log_level: str | None,
    as_json: bool,
) -> int:
    """Measure and print the scores.

    Returns:
        1 if a mean fell below the baseline, else 0.

    Raises:
        InvalidInput: The dataset or the baseline is invalid, or they do not fit together.
        ConfigError: The folder or the model does not exist, or a setting is invalid.
    """
    output = Output(as_json=as_json)
    if is_labelled(dataset):
        if docs is not None or sections is not None or library:
            raise InvalidInput(
                f"{dataset.name} has documents with expected values. Leave --docs, --library and --sections out."
            )
        options = labelled.Options(engine, save_baseline, check, tolerance)
        return labelled.run(dataset, options, output, configuration.for_shell(env_file, log_level), log_level)
    found = datasets.read(dataset)
    before = baselines.read(check) if check else None
    by_section = found.names_headings if sections is None else sections
    if before:
        baselines.require_same(before, found.name, found.answerable, sections=by_section)
    settings = _settings(configuration.for_shell(env_file, log_level, docs))
    logging.configure(settings.logging.level if log_level else "CRITICAL", settings.logging.format or "text")
    if library and (docs is not None or not dataset.is_file()):
        raise InvalidInput("--library has its own documents. Name a TSV file, and leave --docs out.")
    with tempfile.TemporaryDirectory() as temporary, output.progress() as progress:
        call = Call(progress=progress)
        if library:
            rows = library_evaluation.measure(settings, found, call, sections=by_section)
        else:
            # A temporary index: an existing one may have been built with other settings.
            folder = _folder(dataset, docs, Path(temporary))
            rows = measure(settings, found, folder, Path(temporary), call, sections=by_section)
    now = baselines.baseline(found.name, rows, sections=by_section)
    falls = baselines.regressions(before, now, tolerance) if before else []
    if save_baseline:
        baselines.write(now, save_baseline)
    output.data(_data(found, now, rows, falls if before else None))
    _print(output, now, rows)
    if check:
        print_regressions(output, falls, check, tolerance)
    return PARTIAL if falls else SUCCESS


def measure(
    settings: Settings, dataset: Dataset, folder: Path, temporary: Path, call: Call, *, sections: bool
) -> list[Scores]:
    """Return the scores of every ranker over a temporary index of the folder.

    Args:
        settings: The result of `_settings`.
        dataset: The questions.
        folder: The documents.
        temporary: Folder for the index.
        call: Carries the deadline and the progress.
        sections: Rank sections, not documents.

    Raises:
        InvalidInput: A question names a page or heading that does not exist.
        ConfigError: The folder or the model does not exist.
    """
    app = App(settings, folder, temporary / "index.db")
    try:
        questions = dataset.questions if sections else datasets.by_document(dataset.questions)
        with complete_view(app.collection(), call) as view:
            text = texts(view, call, sections=sections)
            require_known(questions, text)
            return evaluate(questions, rankers(view, call, text, sections=sections), call)
    finally:
        app.close()


def _settings(settings: Settings) -> Settings:
    """Return settings that make runs repeatable: wait for everything, and index no change during the run."""
    freshness = settings.freshness.model_copy(update={"budget": math.inf, "watch": False})
    embedding = settings.embedding.model_copy(update={"grace": math.inf})
    return settings.model_copy(update={"freshness": freshness, "embedding": embedding})


def _folder(dataset: Path, docs: Path | None, temporary: Path) -> Path:
    """Return the folder of documents: `docs`, or the corpus of a BEIR folder written to `temporary`."""
    if dataset.is_file():
        if docs is None:
            raise InvalidInput(
                "Name the folder that the questions are about: pincite eval FILE --docs ./docs; or --library."
            )
        return docs
    if docs is not None:
        raise InvalidInput(f"{dataset.name} is a BEIR folder with its own documents. Leave --docs out.")
    corpus = temporary / "corpus"
    corpus.mkdir()
    datasets.write_beir_corpus(dataset, corpus)
    return corpus


def _print(output: Output, now: Baseline, rows: Sequence[Scores]) -> None:
    output.line(f"{safe(now.dataset)}: {now.questions} questions, {now.ranked} ranked; mean and its 95 % interval")
    output.line(output.style(f"{'':9}" + "".join(f"{name:<{COLUMN}}" for name in METRICS).rstrip(), "dim"))
    for row in rows:
        cells = "".join(f"{_cell(row.means[name]):<{COLUMN}}" for name in METRICS)
        output.line(f"{row.name:9}{cells}".rstrip())


def _cell(value: Measured) -> str:
    return f"{value.mean:.3f} [{value.low:.2f} {value.high:.2f}]"


def _data(
    dataset: Dataset, now: Baseline, rows: Sequence[Scores], falls: Sequence[Regression] | None
) -> dict[str, Any]:
    return {
        "dataset": now.dataset,
        "questions": now.questions,
        "unanswerable": len(dataset.questions) - now.questions,
        "ranked": now.ranked,
        "rankers": {row.name: {name: asdict(value) for name, value in row.means.items()} for row in rows},
        "fallen": None if falls is None else [asdict(fall) for fall in falls],
    }
