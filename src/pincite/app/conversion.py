"""Build the client of a converter, and the converter itself."""

from collections.abc import Callable

from pincite.app.own_files import CONVERTER_FOLDER
from pincite.model.sizes import MEGABYTE
from pincite.registry import FORMATS
from pincite.services.conversion.client import Converter, ConverterLimits
from pincite.services.conversion.service import ConversionService, ConversionWork
from pincite.services.reading.reading import Reading
from pincite.services.tasks.runner import TaskRunner
from pincite.services.tasks.service import TaskService
from pincite.services.tasks.sqlite import SqliteTasks
from pincite.services.tasks.uploads import FolderUploads
from pincite.settings import Settings


def build_converter(settings: Settings) -> Converter:
    """Return the client of the converter that the settings name."""
    given = settings.extraction
    token = given.converter_token.get_secret_value() if given.converter_token else ""
    return Converter(given.converter_url, token, ConverterLimits(int(settings.readers.result * MEGABYTE)))


def build_conversions(settings: Settings, reading: Callable[[], Reading]) -> ConversionService:
    """Return the service that converts documents to Markdown, which does not work yet.

    Args:
        settings: The settings.
        reading: Returns what reads documents.

    Raises:
        ConfigError: The database cannot be opened.
    """
    given, folder = settings.extraction, settings.storage.data / CONVERTER_FOLDER
    tasks = SqliteTasks(folder / "tasks.db", lease=given.lease, max_attempts=1 + given.max_retries)
    uploads = FolderUploads(folder / "uploads")
    work = ConversionWork(uploads, reading)
    service = TaskService(
        tasks,
        uploads,
        TaskRunner(tasks, work, concurrency=settings.readers.processes, lease=given.lease),
        max_bytes=int(given.max_upload * MEGABYTE),
        formats=FORMATS,
        engines=[],
        check_schema=lambda _: None,
    )
    return ConversionService(service)
