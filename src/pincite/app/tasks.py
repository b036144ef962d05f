"""Build the service of extraction tasks."""

from collections.abc import Callable
from pathlib import Path

from pincite.agents.base import Engine
from pincite.model.units import MEGABYTE
from pincite.registry import AGENTS, FORMATS
from pincite.services.extraction.schemas import read_schema
from pincite.services.extraction.work import ExtractionWork
from pincite.services.reading import Reading
from pincite.services.tasks.runner import TaskRunner
from pincite.services.tasks.service import TaskService
from pincite.services.tasks.sqlite import SqliteTasks
from pincite.services.tasks.uploads import Uploads
from pincite.services.tasks.webhooks import Webhook
from pincite.settings import Settings


def build_tasks(
    settings: Settings, reading: Callable[[], Reading], engine: Callable[[str, Path], Engine]
) -> TaskService:
    """Return the service of extraction tasks, which does not work on them yet.

    Args:
        settings: The settings.
        reading: Returns what reads documents.
        engine: Returns the engine of a name, which may be `auto`, for a stored file.

    Raises:
        ConfigError: The database cannot be opened.
    """
    given, data = settings.extraction, settings.storage.data
    url, secret = given.webhook_url, given.webhook_secret
    tasks = SqliteTasks(
        given.database or data / "tasks.db",
        lease=given.lease,
        max_attempts=1 + given.max_retries,
        announce=url is not None,
    )
    uploads = Uploads(data / "uploads")
    work = ExtractionWork(uploads, reading, engine, given.timeout)
    return TaskService(
        tasks,
        uploads,
        TaskRunner(tasks, work, concurrency=given.concurrent_tasks, lease=given.lease),
        max_bytes=int(given.max_upload * MEGABYTE),
        formats=[row for row in FORMATS if not given.formats or row.name in given.formats],
        engines=[row.name for row in AGENTS],
        webhook=Webhook(tasks, url, secret.get_secret_value()) if url and secret else None,
        check_schema=read_schema,
    )
