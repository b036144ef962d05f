"""Build what reads files."""

from dataclasses import replace
from typing import TYPE_CHECKING

from pincite.formats.base import AttachmentLimits, ReadOptions, ZipLimits
from pincite.formats.ocr.choice import choose
from pincite.formats.worker.pool import ReaderPool
from pincite.formats.worker.processes import ReaderLimits
from pincite.formats.worker.recogniser import RecogniserPool, RecognitionLimits
from pincite.model.sizes import MEGABYTE
from pincite.settings import Settings

if TYPE_CHECKING:
    from pincite.model.document import Document
    from pincite.services.reading.reading import Converts, Reading
    from pincite.services.timed_cache import TimedCache


def build_reader_pool(settings: Settings) -> ReaderPool:
    """Return the pool of file readers with the limits of the settings."""
    limits, readers = settings.limits, settings.readers
    zipped = ZipLimits(
        entries=limits.zip_entries,
        part_bytes=int(limits.zip_part * MEGABYTE),
        total_bytes=int(limits.zip_total * MEGABYTE),
        ratio=limits.zip_ratio,
    )
    allowed = ReaderLimits(
        processes=readers.processes,
        seconds=readers.timeout,
        seconds_per_mb=readers.timeout_per_mb,
        seconds_per_page=readers.timeout_per_page,
        wall_factor=readers.wall_factor,
        memory_bytes=int(readers.memory * MEGABYTE),
        result_bytes=int(readers.result * MEGABYTE),
        idle_seconds=readers.idle,
        files=readers.files,
    )
    attachments = AttachmentLimits(readers.attachments, int(readers.attachment * MEGABYTE), readers.attachment_depth)
    options = ReadOptions(readers.max_pages, readers.max_blocks, readers.max_pixels, zipped, attachments)
    ocr = settings.ocr
    choice = choose(ocr.engine, ocr.languages)
    options = replace(options, ocr=choice.identity, ocr_pages=ocr.pages, no_ocr=choice.absence)
    options = replace(options, ocr_pictures=ocr.pictures, min_picture_pixels=ocr.min_picture_pixels)
    if not choice.engine:
        return ReaderPool(options, allowed)
    recognition = RecognitionLimits(
        engine=choice.engine,
        languages=ocr.languages,
        threads=ocr.threads,
        seconds=ocr.timeout,
        memory_bytes=int(ocr.memory * MEGABYTE),
        idle_seconds=readers.idle,
    )
    return ReaderPool(options, allowed, RecogniserPool(options, recognition))


def build_reading(
    settings: Settings,
    pool: ReaderPool,
    memory: "TimedCache[str, Document] | None" = None,
    converter: "Converts | None" = None,
) -> "Reading":
    """Return the service that reads with this pool and keeps documents in the cache of the settings, and in memory.

    Args:
        settings: The settings.
        pool: The file readers.
        memory: Where documents are kept in memory; None to keep none there.
        converter: Reads instead of the pool, see `Reading`.
    """
    from pincite.services.reading.cache import DocumentCache  # noqa: PLC0415 - not at start-up
    from pincite.services.reading.reading import Reading  # noqa: PLC0415 - as above

    storage = settings.storage
    bound = int(storage.reading_cache * MEGABYTE)
    return Reading(pool, DocumentCache(storage.cache / "documents", bound) if bound else None, memory, converter)
