"""The work on a task: read its document, extract, and state the result as JSON."""

import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pincite.agents.base import Engine
from pincite.errors import TimeoutExceeded
from pincite.formats.base import Blob
from pincite.model.call import Call
from pincite.model.document import Document
from pincite.model.task import Task
from pincite.services.extraction.extraction import extract
from pincite.services.extraction.schemas import read_schema
from pincite.services.reading.reading import Reading
from pincite.services.tasks.base import Uploads
from pincite.text.excerpt import well_formed


class ExtractionWork:
    """Extracts a task's document. Thread-safe.

    Args:
        uploads: Where documents are.
        reading: Returns what reads them.
        engine: Returns the engine of a name, which may be `auto`, for a stored file.
        revision: Returns the revision of a document as read, for references to it.
        seconds: Maximum time of an attempt, unless the engine limits its own.
    """

    def __init__(
        self,
        uploads: Uploads,
        reading: Callable[[], Reading],
        engine: Callable[[str, Path], Engine],
        revision: Callable[[Blob, Document], str],
        seconds: float,
    ) -> None:
        self._uploads = uploads
        self._reading = reading
        self._engine = engine
        self._revision = revision
        self._seconds = seconds

    def __call__(self, task: Task, call: Call) -> str:
        """Return the result of a task as JSON text.

        Raises:
            PinciteError: The document cannot be read, or the engine failed.
            TimeoutExceeded: The attempt took too long.
        """
        began = time.monotonic()
        with self._uploads.file(task) as file:
            return self._within_limit(task, file, call, began)

    def _within_limit(self, task: Task, file: Path, call: Call, began: float) -> str:
        engine = self._engine(task.engine, file)
        if engine.limits_its_time:
            return self._extracted(task, file, engine, call, began)
        limited = replace(call, deadline=began + self._seconds)
        try:
            return self._extracted(task, file, engine, limited, began)
        except TimeoutExceeded as error:
            raise TimeoutExceeded(
                f"The extraction took longer than {self._seconds:g} seconds. Raise AGENT_TIMEOUT, or send a shorter "
                "document."
            ) from error

    def _extracted(self, task: Task, file: Path, engine: Engine, call: Call, began: float) -> str:
        call.check()
        blob = Blob(task.file_name, file.read_bytes())
        document = self._reading().read(blob, call)
        read_seconds = time.monotonic() - began
        revision = self._revision(blob, document)
        extraction = extract(
            document,
            read_schema(task.schema),
            engine,
            call,
            file_name=task.file_name,
            revision=revision,
            strict=task.strict,
            min_confidence=task.min_confidence,
        )
        result = extraction.as_json()
        result["timing"] = {
            "total_seconds": round(time.monotonic() - began, 3),
            "index_seconds": round(read_seconds + extraction.index_seconds, 3),
            "extraction_seconds": round(extraction.extraction_seconds, 3),
        }
        return json.dumps(well_formed(result), ensure_ascii=False, allow_nan=False)
