"""`pincite eval` of search: questions with the pages, headings or clauses that answer them."""

import math
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import cast

from pincite.app import App
from pincite.errors import InvalidInput
from pincite.model.call import Call
from pincite.services.evaluation import baseline as baselines
from pincite.services.evaluation import datasets
from pincite.services.evaluation.baseline import Baseline, Ranked
from pincite.services.evaluation.metrics import METRICS, Measured
from pincite.services.evaluation.rankers import (
    CHUNKS,
    Ranker,
    Target,
    complete_view,
    library_rankers,
    rankers,
    section_target,
    texts,
)
from pincite.services.evaluation.run import Scores, evaluate
from pincite.services.evaluation.targets import require_known
from pincite.settings import Settings
from pincite.text.counts import counted
from pincite.tools.answers.knowledge import Passage, PassagesAnswer
from pincite.transports.cli.evaluation import Measurement
from pincite.transports.cli.printing.output import Output, safe

COLUMN = 18


def measure(
    settings: Settings,
    path: Path,
    docs: Path | None,
    before: Baseline | None,
    call: Call,
    *,
    library: bool,
    sections: bool | None,
) -> Measurement:
    """Return the scores of every ranker over a temporary index of a folder, or over the library.

    Args:
        settings: The settings.
        path: The questions: a TSV file, or a BEIR folder.
        docs: The folder that a TSV file is about; None for a BEIR folder and the library.
        before: The baseline that the run is compared with.
        call: Carries the deadline and the progress.
        library: The questions are about the library: their pages are ids of documents, their headings may be clauses.
        sections: Rank sections, not documents; None for sections if the questions name headings.

    Raises:
        InvalidInput: The dataset is invalid, does not fit the other arguments or the baseline, or names a page or
            heading that does not exist.
        ConfigError: The folder or the model does not exist, or the library cannot be opened.
    """
    dataset = datasets.read(path)
    by_section = dataset.names_headings if sections is None else sections
    ranked: Ranked = "sections" if by_section else "documents"
    if before:
        baselines.require_same(before, dataset.name, dataset.answerable, ranked)
    if library and (docs is not None or not path.is_file()):
        raise InvalidInput("--library has its own documents. Name a TSV file, and leave --docs out.")
    questions = dataset.questions if by_section else datasets.by_document(dataset.questions)
    with (
        tempfile.TemporaryDirectory() as temporary,
        closing(_app(_repeatable(settings), path, docs, Path(temporary), library=library)) as app,
        complete_view(app.library_collection() if library else app.collection(), call) as view,
    ):
        text = texts(view, call, sections=by_section)
        if library and not text:
            raise InvalidInput("The library is empty. Add documents: pincite ingest FOLDER")
        require_known(questions, text)
        if library:
            by_tool = _knowledge_search(app, call, sections=by_section)
            ways = library_rankers(view, call, text, by_tool, sections=by_section)
        else:
            ways = rankers(view, call, text, sections=by_section)
        rows = evaluate(questions, ways, call)
    now = baselines.baseline(dataset.name, rows, ranked)
    data = {
        "dataset": now.dataset,
        "questions": now.questions,
        "unanswerable": len(dataset.questions) - now.questions,
        "ranked": now.ranked,
        "rankers": {row.name: {name: asdict(value) for name, value in row.means.items()} for row in rows},
    }
    return Measurement(now, data, lambda output: _print(output, now, rows))


def _repeatable(settings: Settings) -> Settings:
    """Return settings that make runs repeatable: wait for everything, and index no change during the run."""
    freshness = settings.freshness.model_copy(update={"budget": math.inf, "watch": False})
    embedding = settings.embedding.model_copy(update={"grace": math.inf})
    return settings.model_copy(update={"freshness": freshness, "embedding": embedding})


def _app(settings: Settings, path: Path, docs: Path | None, temporary: Path, *, library: bool) -> App:
    if library:
        return App(settings, None, toolsets=["knowledge"])
    # A temporary index: an existing one may have been built with other settings.
    return App(settings, _folder(path, docs, temporary), temporary / "index.db")


def _folder(path: Path, docs: Path | None, temporary: Path) -> Path:
    """Return the folder of documents: `docs`, or the corpus of a BEIR folder written to `temporary`."""
    if path.is_file():
        if docs is None:
            raise InvalidInput(
                "Name the folder that the questions are about: pincite eval FILE --docs ./docs; or --library."
            )
        return docs
    if docs is not None:
        raise InvalidInput(f"{path.name} is a BEIR folder with its own documents. Leave --docs out.")
    corpus = temporary / "corpus"
    corpus.mkdir()
    datasets.write_beir_corpus(path, corpus)
    return corpus


def _knowledge_search(app: App, call: Call, *, sections: bool) -> Ranker:
    def ranked(question: str) -> Sequence[Target]:
        arguments = {"query": question, "n_results": CHUNKS}
        answer = cast("PassagesAnswer", app.toolbox.call("knowledge_search", arguments, call))
        return list(dict.fromkeys(_target(passage, sections=sections) for passage in answer.results))

    return ranked


def _target(passage: Passage, *, sections: bool) -> Target:
    document, metadata = passage.source.document_id, passage.metadata
    if not sections:
        return Target(document)
    return section_target(document, metadata.section_hierarchy, metadata.clause_number or "")


def _print(output: Output, now: Baseline, rows: Sequence[Scores]) -> None:
    output.line(
        f"{safe(now.dataset)}: {counted(now.questions, 'question')}, {now.ranked} ranked; mean and its 95 % interval"
    )
    output.line(output.style(f"{'':9}" + "".join(f"{name:<{COLUMN}}" for name in METRICS).rstrip(), "dim"))
    for row in rows:
        cells = "".join(f"{_cell(row.means[name]):<{COLUMN}}" for name in METRICS)
        output.line(f"{row.name:9}{cells}".rstrip())


def _cell(value: Measured) -> str:
    return f"{value.mean:.3f} [{value.low:.2f} {value.high:.2f}]"
