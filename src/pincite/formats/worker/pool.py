"""Reading and rendering files: formats that are trusted in this process, all others in a worker."""

import contextlib
import sys
from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from pincite.errors import (
    InternalError,
    InvalidInput,
    Unsupported,
)
from pincite.formats.base import MAX_RENDER_WIDTH, Blob, ReadOptions, Target
from pincite.formats.detect.sniff import Sniffed
from pincite.formats.worker.crashed_parts import CrashedParts
from pincite.formats.worker.frames import Job, Recognition, Rendering
from pincite.formats.worker.processes import ORPHAN_SECONDS, SURVEY_PAGES, ProcessPool, ReaderLimits
from pincite.formats.worker.read import pages, read_document
from pincite.model.call import Call, silent
from pincite.model.document import Document, Head, Page, PageSizes
from pincite.model.recognition import RecognisedPage, RecognisedPicture
from pincite.model.sizes import MEGABYTE
from pincite.registry import FORMATS, Format, check_renderer


class Recogniser(Protocol):
    """Recognises the text in pages and pictures; `worker.recogniser.RecogniserPool`."""

    def recognise(
        self, row: Format, blob: Blob, targets: Sequence[Target], call: Call
    ) -> Sequence[RecognisedPage | RecognisedPicture]:
        """Return the text of pages and pictures; one that fails has the reason."""
        ...

    def close(self) -> None:
        """End its process."""
        ...


class ReaderPool:
    """Reads files and renders pages. Thread-safe; starts no process before the first file that needs one.

    Attributes:
        options: The limits that every reader enforces.
    """

    def __init__(self, options: ReadOptions, limits: ReaderLimits, recogniser: Recogniser | None = None) -> None:
        """Read with these limits.

        Args:
            options: The limits that every reader enforces.
            limits: Those of a file and its process.
            recogniser: Recognises text in pictures; None for no recognition.
        """
        self.options = options
        self._limits = limits
        self._recogniser = recogniser
        self._processes = ProcessPool(limits)
        self._crashed_parts = CrashedParts()

    def environment(self) -> str:
        """Return a string of everything that may let a failed file be read: limits, readers, installed packages."""
        # The folders' names alone, since reading each package's metadata takes ten times as long.
        folders = [Path(folder) for folder in sys.path if Path(folder).is_dir()]
        installed = sorted(entry.name for folder in folders for entry in folder.glob("*.dist-info"))
        return repr((self.options, self._limits, FORMATS, installed))

    def read(self, sniffed: Sniffed, blob: Blob, call: Call) -> Document:
        """Return the document of a file.

        Args:
            sniffed: Its format, see `formats.detect.sniff.sniff`.
            blob: Its name in its collection, and its bytes.
            call: Checked for cancellation between pages; receives progress in pages.

        Raises:
            Unsupported: No format reads the file.
            InvalidInput: The file is damaged or locked.
            ConnectionFailed: No reader process can be started.
            PinciteError: See `formats.worker.read.read_document`.
        """
        row = readable(sniffed)
        stream = pages
        if row.isolated:
            stream = self._with_recognition if row.rasteriser and self._recogniser else self._isolated
        document = read_document(row, blob, self.options, call, stream)
        if not sniffed.warning:
            return document
        return replace(document, warnings=(sniffed.warning, *document.warnings))

    def render(self, sniffed: Sniffed, blob: Blob, page: int, width: int, call: Call) -> bytes:
        """Return a page as a PNG, rendered in a reader process whatever its format.

        Args:
            sniffed: Its format, see `formats.detect.sniff.sniff`.
            blob: Its name in its collection, and its bytes.
            page: Page number from 1.
            width: Width of the picture in pixels, 1 to `MAX_RENDER_WIDTH`.
            call: Checked for cancellation.

        Raises:
            NotFound: The page does not exist; the message has the number of pages.
            Unsupported: Pages of this format cannot be shown, or no format reads the file.
            InvalidInput: The width is out of its range, or the file is damaged or locked.
            ReadingFailed: Rendering exceeds a limit, or crashed the process.
            ConnectionFailed: No reader process can be started.
            Cancelled, TimeoutExceeded: See `Call.check`.
        """
        row = readable(sniffed)
        check_renderer(row)
        if not 1 <= width <= MAX_RENDER_WIDTH:
            raise InvalidInput(f"The width must be 1 to {MAX_RENDER_WIDTH} pixels, not {width}.")
        seconds = self._seconds(blob) + self._limits.seconds_per_page
        job = Job(row, blob, self.options, self._orphan_seconds(seconds), Rendering(page, width))
        pictures = [answer for answer in self._processes.run(job, seconds, call) if isinstance(answer, bytes)]
        if len(pictures) != 1:
            raise InternalError("A renderer must give one picture.")
        return pictures[0]

    def measure(self, sniffed: Sniffed, blob: Blob, call: Call) -> PageSizes:
        """Return the size of each page of a file, measured in a reader process.

        Args:
            sniffed: Its format, see `formats.detect.sniff.sniff`.
            blob: Its name in its collection, and its bytes.
            call: Checked for cancellation.

        Raises:
            PinciteError: See `render`.
        """
        row = readable(sniffed)
        check_renderer(row)
        seconds = self._seconds(blob)
        job = Job(row, blob, self.options, self._orphan_seconds(seconds), is_measuring=True)
        sizes = [answer for answer in self._processes.run(job, seconds, call) if isinstance(answer, PageSizes)]
        if len(sizes) != 1:
            raise InternalError("A measurer must give the sizes once.")
        return sizes[0]

    def recognised(self, sniffed: Sniffed, blob: Blob, call: Call) -> Sequence[RecognisedPage]:
        """Return the text in each page of a file of pictures, with words and confidences.

        Args:
            sniffed: Its format, see `formats.detect.sniff.sniff`.
            blob: Its name in its collection, and its bytes.
            call: Checked for cancellation.

        Raises:
            Unsupported: Text recognition is not installed or turned off, or no format reads the file.
            PinciteError: See `read`.
        """
        row = readable(sniffed)
        if self._recogniser is None or not row.rasteriser:
            raise Unsupported(f"The text in the picture was not read: {self.options.no_ocr}")
        # Read first: a damaged or huge picture is refused with its reason, and the pages are counted.
        items = list(self._isolated(row, blob, self.options, call))
        recognised = self._recogniser.recognise(row, blob, self._unread(items), call)
        return [page for page in recognised if isinstance(page, RecognisedPage)]

    def recognise_pages(
        self, row: Format, blob: Blob, recognition: Recognition, call: Call
    ) -> Generator[RecognisedPage | RecognisedPicture]:
        """Yield the text of pages and pictures, recognised in a reader process, with the errors of `read`.

        Args:
            row: The file's format.
            blob: Its name in its collection, and its bytes.
            recognition: The pages and pictures, and the engine.
            call: Checked for cancellation.
        """
        seconds = self._seconds(blob) + self._limits.seconds_per_page
        job = Job(row, blob, self.options, self._orphan_seconds(seconds), recognition=recognition)
        with contextlib.closing(self._processes.run(job, seconds, call)) as answers:
            for answer in answers:
                if isinstance(answer, RecognisedPage | RecognisedPicture):
                    yield answer

    def close(self) -> None:
        """End all reader processes; calls that still read raise `Cancelled`."""
        if self._recogniser is not None:
            self._recogniser.close()
        self._processes.close()

    def _with_recognition(self, row: Format, blob: Blob, options: ReadOptions, call: Call) -> Generator[Head | Page]:
        """Yield the head and pages; if some are pictures of text, once that is recognised. Implements `Stream`."""
        items = list(self._isolated(row, blob, options, call))
        unread = self._unread(items)
        if not unread or self._recogniser is None:
            yield from items
            return
        read = sum(isinstance(item, Page) for item in items)
        recognised = self._recogniser.recognise(row, blob, unread, _after(call, read))
        pages = tuple(item for item in recognised if isinstance(item, RecognisedPage))
        pictures = tuple(item for item in recognised if isinstance(item, RecognisedPicture))
        if not pages and _have_no_text(pictures, items):
            yield from map(_without_unread, items)
            return
        # Read again, as the recognised words share running heads, styles and columns with other pages: in milliseconds
        # a page, which are no progress beside the seconds of its recognition.
        known = replace(options, recognised=pages, recognised_pictures=pictures)
        yield from self._isolated(row, blob, known, replace(call, progress=silent))

    def _unread(self, items: Sequence[Head | Page]) -> list[Target]:
        """Return the pages and the pictures inside others that need recognition, as many as the limits let pass."""
        pages = [item for item in items if isinstance(item, Page)]
        numbers = [page.number or 1 for page in pages if page.needs_ocr]
        pictures = dict.fromkeys(name for page in pages for name in page.unread_pictures)
        return [*numbers[: self.options.ocr_pages], *list(pictures)[: self.options.ocr_pictures]]

    def _isolated(self, row: Format, blob: Blob, options: ReadOptions, call: Call) -> Generator[Head | Page]:
        """Yield the head and pages from a reader process, without the files inside that end it; implements `Stream`."""
        return self._crashed_parts.read(self._in_process, row, blob, options, call)

    def _in_process(self, row: Format, blob: Blob, options: ReadOptions, call: Call) -> Generator[Head | Page]:
        """Yield the head and pages from a reader process until it ends; implements `Stream`."""
        seconds = self._seconds(blob)
        survey_seconds = SURVEY_PAGES * self._limits.seconds_per_page
        job = Job(row, blob, options, self._orphan_seconds(seconds + survey_seconds))
        # Closed even if building the document fails: it returns the process.
        with contextlib.closing(self._processes.run(job, seconds, call)) as answers:
            for answer in answers:
                if isinstance(answer, Head | Page):
                    yield answer

    def _seconds(self, blob: Blob) -> float:
        return self._limits.seconds + self._limits.seconds_per_mb * len(blob.data) / MEGABYTE

    def _orphan_seconds(self, seconds: float) -> float:
        return seconds * self._limits.wall_factor + ORPHAN_SECONDS


def _after(call: Call, before: int) -> Call:
    """Return the call with its progress counted on from a step before it."""

    def progress(done: float, total: float | None, message: str) -> None:
        call.progress(before + done, None if total is None else before + total, message)

    return replace(call, progress=progress)


def _have_no_text(pictures: Sequence[RecognisedPicture], items: Sequence[Head | Page]) -> bool:
    """Return True if all pictures of a file were looked at, and none has text: photographs, logos."""
    unread = {name for item in items if isinstance(item, Page) for name in item.unread_pictures}
    return unread == {picture.name for picture in pictures if picture.page is None and not picture.problem}


def _without_unread(item: Head | Page) -> Head | Page:
    return replace(item, unread_pictures=()) if isinstance(item, Page) else item


def readable(sniffed: Sniffed) -> Format:
    """Return the format that reads a file.

    Raises:
        Unsupported: None does.
        InvalidInput: None does, as the file is damaged or locked.
    """
    if sniffed.format is None:
        raise InvalidInput(sniffed.problem) if sniffed.damaged else Unsupported(sniffed.problem)
    return sniffed.format
