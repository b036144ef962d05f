"""The document that the web page shows: of a collection or of a task, in one form for both."""

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from pincite.chunking.places import Places
from pincite.errors import NotFound
from pincite.formats.base import Blob
from pincite.index.collections import Collections
from pincite.index.view import View
from pincite.model.call import Call
from pincite.model.chunk import PlacedText
from pincite.model.document import Coverage, Document
from pincite.model.schema import dotted
from pincite.model.status import iso
from pincite.model.store import StoredDocument
from pincite.model.task import Task
from pincite.registry import FORMATS, Format
from pincite.services.extraction.corrections import (
    ADDED,
    CORRECTED,
    Correction,
    Verdict,
    check_path,
    checked,
    value_at,
    with_added,
)
from pincite.services.extraction.extraction import material
from pincite.services.extraction.schemas import read_schema
from pincite.services.reading.reading import Reading

if TYPE_CHECKING:
    from pincite.services.tasks.service import TaskService


@dataclass(frozen=True, slots=True)
class Address:
    """Names a document: by task, or by its collection and its name in it."""

    collection: str = ""
    name: str = ""
    task: str = ""


@dataclass(frozen=True, slots=True)
class ShownDocument:
    """A document to show.

    Attributes:
        name: Its name; of a task the name of the upload.
        label: Its title.
        format: Its format; None if no reader knows its extension.
        fingerprint: SHA-256 of its bytes.
        identity: What its text and the boxes of its lines depend on.
        coverage: Which parts of it were read.
        shortfall: One sentence on what is missing or differs; None if nothing does.
        text: Returns its canonical text.
        sections: Returns the headings above each part of the text, with where it begins, in order.
        placed: Returns every span of the text with its box on a page, in order; some may be repeated.
        blob: Returns its bytes; raises NotFound if they are gone, or are others than those that were read.
    """

    name: str
    label: str
    format: Format | None
    fingerprint: str
    identity: str
    coverage: Coverage
    shortfall: str | None
    text: Callable[[], str]
    sections: Callable[[], Iterable[tuple[Sequence[str], int]]]
    placed: Callable[[], Iterable[PlacedText]]
    blob: Callable[[], Blob]


class Documents:
    """Opens documents by their address.

    Args:
        collections: Returns the collections that may be shown.
        reading: Returns what reads the documents of tasks.
        tasks: Returns the tasks; None if none are served.
        revision: Returns the revision of a document as read, for references to it.
    """

    def __init__(
        self,
        collections: Callable[[], Collections],
        reading: Callable[[], Reading],
        tasks: "Callable[[], TaskService | None]",
        revision: Callable[[Blob, Document], str],
    ) -> None:
        self._revision = revision
        self._collections = collections
        self._reading = reading
        self._tasks = tasks

    @contextmanager
    def opened(self, address: Address, call: Call) -> Generator[ShownDocument]:
        """Open a document.

        Raises:
            NotFound: There is no such document, task or collection.
            PinciteError: The document of a task cannot be read.
        """
        if address.task:
            yield self._of_task(address.task, call)
            return
        with self._collections().get(address.collection).view(call, semantic=False) as view:
            yield _of_view(view, view.document(address.name))

    def locators(self, task_id: str, call: Call) -> Mapping[str, int]:
        """Return where the text of each locator in the evidence of a task begins.

        Raises:
            NotFound: There is no such task.
            PinciteError: Its document cannot be read.
        """
        return locator_starts(self._read(task_id, call)[2], call)

    def review(self, task_id: str, said: Correction, verdict: Verdict | None, call: Call) -> Mapping[str, Any]:
        """Keep what a person says of a value in a task's result; return all that was said of it.

        Args:
            task_id: The task.
            said: The path of the value, or of an item that is removed from its list or added to it; what is right
                instead, and where it stands, if it is corrected.
            verdict: What is said; None takes back what was said before.
            call: Checked for cancellation.

        Raises:
            NotFound, InvalidInput: There is no such task, result or value.
            PinciteError: Its document cannot be read.
        """
        result = self.service().result(task_id)
        kept: dict[str, Any] | None = None
        if verdict is not None:
            data, evidence = with_added(result)
            check_path(said.path, verdict, evidence)
            kept = {"verdict": verdict, "at": iso(time.time())}
            if verdict in {CORRECTED, ADDED}:
                task, blob, document = self._read(task_id, call)
                schema, revision = read_schema(task.schema), self._revision(blob, document)
                kept["value"], kept["evidence"] = checked(said, data, document, schema, revision, call)
            if verdict == ADDED:
                kept["path"] = said.path
        return self.service().review(task_id, dotted(said.path), kept)

    def value_at(self, task_id: str, span: tuple[int, int], share: float, call: Call) -> str:
        """Return the value that is picked in a line of a task's document; see `value_at`.

        Raises:
            NotFound: There is no such task.
            PinciteError: Its document cannot be read.
        """
        task, _, document = self._read(task_id, call)
        return value_at(document, read_schema(task.schema), span, share, call)

    def service(self) -> "TaskService":
        """Return the tasks.

        Raises:
            NotFound: None are served.
        """
        service = self._tasks()
        if service is None:
            raise NotFound("No tasks are served. Serve them: pincite serve --toolsets extraction")
        return service

    def _of_task(self, task_id: str, call: Call) -> ShownDocument:
        _, blob, document = self._read(task_id, call)
        return document_to_show(blob, document)

    def _read(self, task_id: str, call: Call) -> tuple[Task, Blob, Document]:
        with self.service().document(task_id) as (task, path):
            blob = Blob(task.file_name, path.read_bytes())
        return task, blob, self._reading().read(blob, call)


def format_of(name: str) -> Format | None:
    """Return the format of a file by its extension; None if no reader knows it."""
    suffix = PurePosixPath(name).suffix.lower()
    return next((row for row in FORMATS if suffix in row.extensions), None)


def document_to_show(blob: Blob, document: Document) -> ShownDocument:
    """Return a document that was read, to show."""
    return ShownDocument(
        blob.name,
        document.display_title or blob.name,
        format_of(blob.name),
        blob.fingerprint,
        f"read {blob.fingerprint}",
        document.coverage,
        document.coverage.shortfall,
        lambda: document.text,
        lambda: [(section.path, section.start) for section in document.sections],
        lambda: Places(document).boxes(0, len(document.text)),
        lambda: blob,
    )


def locator_starts(document: Document, call: Call) -> Mapping[str, int]:
    """Return where the text of each locator that evidence names begins."""
    return {chunk.locator: chunk.start for chunk in material(document, call).chunks}


def _of_view(view: View, document: StoredDocument) -> ShownDocument:
    key = document.source_key or document.name

    def blob() -> Blob:
        made = Blob(document.name, view.source.read(key).data)
        if made.fingerprint != document.fingerprint:
            raise NotFound(f"{document.name} changes at present. Open it again in a moment.")
        return made

    def placed() -> Iterator[PlacedText]:
        for stored in view.chunks(document):
            start = stored.chunk.start
            for placed in stored.chunk.boxes:
                yield PlacedText(placed.page, placed.box, start + placed.start, start + placed.end)

    return ShownDocument(
        document.name,
        document.label,
        format_of(key),
        document.fingerprint,
        f"{document.id} {document.revision}",
        document.coverage,
        view.shortfall(document),
        lambda: view.text(document),
        lambda: [(stored.chunk.heading_path, stored.chunk.start) for stored in view.chunks(document)],
        placed,
        blob,
    )
