"""Build the service of extraction tasks."""

from collections.abc import Callable, Sequence
from pathlib import Path

from pincite.agents.base import Engine
from pincite.formats.base import Blob
from pincite.index.cached import CachedCollections
from pincite.model.document import Document
from pincite.model.sizes import MEGABYTE
from pincite.registry import AGENTS, FORMATS, TASK_DATABASES, find, load
from pincite.services.extraction.indexes import EXTRACTION_POLICY
from pincite.services.extraction.schemas import read_schema
from pincite.services.extraction.work import ExtractionWork
from pincite.services.reading.reading import Reading
from pincite.services.tasks.base import Tasks, Uploads
from pincite.services.tasks.runner import TaskRunner
from pincite.services.tasks.service import TaskService
from pincite.services.tasks.sqlite import SqliteTasks
from pincite.services.tasks.uploads import FolderUploads
from pincite.services.tasks.webhooks import Webhook
from pincite.settings import Settings


def build_tasks(
    settings: Settings,
    reading: Callable[[], Reading],
    engine: Callable[[str, Path], Engine],
    revision: Callable[[Blob, Document], str],
    cached: Callable[[], CachedCollections],
) -> TaskService:
    """Return the service of extraction tasks, which does not work on them yet.

    Args:
        settings: The settings.
        reading: Returns what reads documents.
        engine: Returns the engine of a name, which may be `auto`, for a stored file.
        revision: Returns the revision of a document as read, for references to it.
        cached: Returns the indexes of single documents: a task's file is erased with its index.

    Raises:
        ConfigError: The database cannot be opened.
        ConnectionFailed: The database of PINCITE_STORE_URL does not answer.
        Unsupported: The extra of that database is not installed.
    """
    given = settings.extraction
    url, secret = given.webhook_url, given.webhook_secret
    tasks, uploads = _stored(settings)
    work = ExtractionWork(uploads, reading, engine, revision, given.timeout)
    most = given.concurrent_tasks

    def forget(file: Path, names: Sequence[str]) -> None:
        data = file.read_bytes()
        for blob in (Blob(name, data) for name in names):
            cached().delete(cached().name_of(blob, EXTRACTION_POLICY))
            reading().forget(blob)

    return TaskService(
        tasks,
        uploads,
        TaskRunner(tasks, work, concurrency=most, lease=given.lease) if most else None,
        max_bytes=int(given.max_upload * MEGABYTE),
        formats=[row for row in FORMATS if not given.formats or row.name in given.formats],
        engines=[row.name for row in AGENTS],
        webhook=Webhook(tasks, url, secret.get_secret_value()) if url and secret else None,
        check_schema=read_schema,
        forget=forget,
    )


def _stored(settings: Settings) -> tuple[Tasks, Uploads]:
    """Return what stores tasks and their uploads: the database of many servers, or files in DATA_DIR."""
    given, storage = settings.extraction, settings.storage
    attempts, announce = 1 + given.max_retries, given.webhook_url is not None
    if storage.store_url is None:
        path = given.database or storage.data / "tasks.db"
        tasks = SqliteTasks(path, lease=given.lease, max_attempts=attempts, announce=announce)
        return tasks, FolderUploads(storage.data / "uploads")
    open_database = load(find(TASK_DATABASES, "postgres"))
    from pincite.services.tasks.postgres.queue import PostgresTasks  # noqa: PLC0415 - needs an optional package
    from pincite.services.tasks.postgres.uploads import DatabaseUploads  # noqa: PLC0415 - as above

    database = open_database(
        storage.store_url.get_secret_value(),
        connections=storage.store_connections,
        connect_seconds=storage.store_connect_timeout,
        statement_seconds=storage.store_timeout,
    )
    shared = PostgresTasks(database, lease=given.lease, max_attempts=attempts, announce=announce)
    # Beside the copies that this machine reads at present, nothing is kept in DATA_DIR.
    return shared, DatabaseUploads(database, storage.data / "uploads")
