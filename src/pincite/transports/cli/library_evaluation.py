"""`pincite eval --library`: measure the search of the library in DATA_DIR, as it is."""

from collections.abc import Sequence
from contextlib import closing
from typing import cast

from pincite.app import App
from pincite.errors import InvalidInput
from pincite.model.call import Call
from pincite.services.evaluation import datasets
from pincite.services.evaluation.datasets import Dataset
from pincite.services.evaluation.rankers import (
    CHUNKS,
    Ranker,
    Target,
    complete_view,
    library_rankers,
    section_target,
    texts,
)
from pincite.services.evaluation.run import Scores, evaluate
from pincite.services.evaluation.targets import require_known
from pincite.settings import Settings
from pincite.tools.answers.knowledge import Passage, PassagesAnswer


def measure(settings: Settings, dataset: Dataset, call: Call, *, sections: bool) -> list[Scores]:
    """Return the scores of every ranker over the library.

    Args:
        settings: Without limits of time, so that runs repeat exactly.
        dataset: The questions; their pages are ids of documents, their headings may be clause numbers.
        call: Carries the deadline and the progress.
        sections: Rank clauses, not documents.

    Raises:
        InvalidInput: The library is empty, or a question names a document or clause that does not exist.
        ConfigError: The model does not exist, or the library cannot be opened.
    """
    questions = dataset.questions if sections else datasets.by_document(dataset.questions)
    with (
        closing(App(settings, None, toolsets=["knowledge"])) as app,
        complete_view(app.library_collection(), call) as view,
    ):
        text = texts(view, call, sections=sections)
        if not text:
            raise InvalidInput("The library is empty. Add documents: pincite ingest FOLDER")
        require_known(questions, text)
        by_tool = _knowledge_search(app, call, sections=sections)
        return evaluate(questions, library_rankers(view, call, text, by_tool, sections=sections), call)


def _knowledge_search(app: App, call: Call, *, sections: bool) -> Ranker:
    def ranked(question: str) -> Sequence[Target]:
        arguments = {"query": question, "n_results": CHUNKS}
        answer = cast("PassagesAnswer", app.toolbox.call("knowledge_search", arguments, call))
        return list(dict.fromkeys(_target(each, sections=sections) for each in answer.results))

    return ranked


def _target(passage: Passage, *, sections: bool) -> Target:
    document, metadata = passage.source.document_id, passage.metadata
    if not sections:
        return Target(document)
    return section_target(document, metadata.section_hierarchy, metadata.clause_number or "")
