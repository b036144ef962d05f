"""The Python API of a library: add files, search them, find terms and requirements."""

import os
import time
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from pincite.folder import Opened, checked_n, open_app

if TYPE_CHECKING:
    from pincite.index.collection import Collection
    from pincite.index.updating.ingestion import Added
    from pincite.toolkit import Answer
    from pincite.tools.answers.knowledge import (
        Definition,
        LookupAnswer,
        Passage,
        PassagesAnswer,
        Requirement,
        RequirementsAnswer,
    )

MAX_PASSAGES, MAX_REQUIREMENTS = 100, 50
"""As many as one call of `knowledge_search` and of `knowledge_requirements` returns."""

POLL_SECONDS = 0.1
"""Interval at which the progress of embedding is polled."""

R = TypeVar("R")
A = TypeVar("A", bound="Answer")


class Results(list[R], Generic[R, A]):
    """Results, best first.

    Attributes:
        answer: What else is known: `relevance`, `note`, `warnings`, `similar_terms`, and the state of the `index`.
    """

    def __init__(self, results: Iterable[R], answer: A) -> None:
        super().__init__(results)
        self.answer = answer


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of a file.

    Attributes:
        path: Its path below the folder that was ingested.
        document_id: Its id in the library.
        outcome: `added`, `replaced`, `unchanged` or `failed`.
        reason: Why it failed; empty if it did not.
        chunks: Number of its passages.
        incomplete: What of it was not read, and why; None if all of it was.
    """

    path: str
    document_id: str
    outcome: str
    reason: str
    chunks: int
    incomplete: str | None


class Library(Opened):
    """An open library; made by `pincite.library`.

    Methods may be called from several threads. All raise `InvalidInput` for a wrong argument or if the library is
    closed, and otherwise a `PinciteError` whose message names the next action.
    """

    _opened_by = "library"

    def ingest(self, *sources: str | os.PathLike[str]) -> list[Ingested]:
        """Add files and the files of folders; return the outcome of each, by path. Unchanged files are skipped.

        Raises:
            InvalidInput: There is no such file or folder.
        """
        from pincite.model.call import Call  # noqa: PLC0415 - the types are imported without a server
        from pincite.services.library.ingestion import Selection, plan  # noqa: PLC0415 - as above

        app = self._checked()
        library = app.library_collection()
        files = [app.source_files(Path(source), Selection()) for source in sources]
        with library.view(Call(), semantic=False) as view:
            planned = plan(files, view.snapshot.documents())
        with _copied(library):
            library.start()  # vectors are computed while the next file is read
            added = [_ingested(outcome) for outcome in library.ingestion.each(planned.additions, Call())]
            while not (library.complete() or library.background_failure or library.embedder.failure) and added:
                time.sleep(POLL_SECONDS)
        unread = [Ingested(path, "", "failed", reason, 0, None) for path, reason in planned.failures.items()]
        return sorted([*added, *unread], key=lambda ingested: ingested.path)

    def remove(self, *document_ids: str) -> None:
        """Remove documents. Their files stay where they are, but for uploads and downloads, which are deleted.

        Raises:
            NotFound: There is no document of an id; nothing is removed. The message names the nearest.
        """
        from pincite.model.call import Call  # noqa: PLC0415 - as above

        app = self._checked()
        with app.library_collection().view(Call(), semantic=False) as view:
            for name in document_ids:
                view.document(name)
        with _copied(app.library_collection()):
            for name in document_ids:
                app.library_uploads.remove(name, Call())

    def search(
        self,
        query: str,
        n: int = 10,
        *,
        document_id: str | None = None,
        chunk_type: str | None = None,
        clause_number: str | None = None,
        normative_only: bool = False,
    ) -> "Results[Passage, PassagesAnswer]":
        """Search by keyword and by meaning; return the best passages first.

        Args:
            query: A question, keywords or an identifier.
            n: Maximum number of passages, 1 to 100.
            document_id: Search this document alone.
            chunk_type: Return passages of this type alone, e.g. `requirement`.
            clause_number: Return passages of this clause alone.
            normative_only: Return only passages that bind.
        """
        arguments = {
            "query": query,
            "n_results": checked_n(n, MAX_PASSAGES),
            "document_id": document_id,
            "chunk_type": chunk_type,
            "clause_number": clause_number,
            "normative_only": normative_only,
        }
        answer = cast("PassagesAnswer", self._call("knowledge_search", arguments))
        return Results(answer.results, answer)

    def lookup(self, term: str) -> "Results[Definition, LookupAnswer]":
        """Return the definitions of a term or an abbreviation; none if it is not defined."""
        answer = cast("LookupAnswer", self._call("knowledge_lookup", {"term": term}))
        return Results(answer.definitions or (), answer)

    def requirements(
        self, topic: str, n: int = 10, *, standard: str | None = None
    ) -> "Results[Requirement, RequirementsAnswer]":
        """Return what is required on a topic, then what is recommended.

        Args:
            topic: What the requirements are about.
            n: Maximum number of requirements, 1 to 50.
            standard: A part of the id or the title of the documents to search.
        """
        arguments = {"topic": topic, "n_results": checked_n(n, MAX_REQUIREMENTS), "standard": standard}
        answer = cast("RequirementsAnswer", self._call("knowledge_requirements", arguments))
        return Results(answer.results, answer)


def library(path: str | os.PathLike[str], *, settings: Mapping[str, object] | None = None) -> Library:
    """Open a library: documents that were added to it, of which it keeps all that it needs.

    Args:
        path: Its folder, which `DATA_DIR` names for commands and servers; made with the first document.
        settings: See `open`.

    Raises:
        ConfigError: A setting is invalid, or the library cannot be opened.
    """
    given = {**(settings or {}), "DATA_DIR": str(path)}
    return Library(Path(path), open_app(given, None, ["knowledge", "citations"]))


@contextmanager
def _copied(library: "Collection") -> Generator[None]:
    """Copy what changes in a library to its vector store, if it has one."""
    from pincite.model.call import Call  # noqa: PLC0415 - as above

    if library.mirrored is not None:
        library.mirrored.adopt()
    yield
    if library.mirrored is not None:
        library.mirrored.synchronise(Call(), takes_over=False)


def _ingested(added: "Added") -> Ingested:
    from pincite.services.library.ingestion import path_of  # noqa: PLC0415 - as above

    addition = added.addition
    path = path_of(addition.source_key)
    return Ingested(path, addition.name, added.outcome.value, added.reason, added.chunks, added.incomplete)
