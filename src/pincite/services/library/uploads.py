"""Files that people add to the library from the web page, kept in DATA_DIR as downloads are, then ingested as any."""

import contextlib
import threading
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

from pincite.errors import NotFound, Unsupported, WritingFailed
from pincite.index.collection import Collection
from pincite.index.updating.ingestion import Added, Outcome
from pincite.model.call import Call
from pincite.registry import FORMATS
from pincite.services.library.ingestion import file_of, plan, single_file
from pincite.services.tasks.base import Upload
from pincite.services.tasks.ulid import new_ulid
from pincite.services.tasks.uploads import STEM, FolderUploads
from pincite.sources.url.names import safe_name
from pincite.text.excerpt import excerpt


class LibraryUploads:
    """Adds uploads to the library. Thread-safe: files of one name replace each other whole.

    Args:
        folder: Where the files are kept; their names are theirs, without folders.
        library: Returns the library.
        max_bytes: Maximum size of a file.
    """

    def __init__(self, folder: Path, library: Callable[[], Collection], max_bytes: int) -> None:
        self.folder = folder
        self._library = library
        self._arriving = FolderUploads(folder / ".arriving")
        self._lock = threading.Lock()
        self.max_bytes = max_bytes

    @property
    def extensions(self) -> Sequence[str]:
        """The extensions that are accepted."""
        return [extension for row in FORMATS for extension in row.extensions]

    def begin(self, file_name: str, head: bytes) -> Upload:
        """Begin an upload.

        Args:
            file_name: As it was sent.
            head: The first bytes of the file, unused: the reader decides what it can read.

        Raises:
            Unsupported: No reader knows the extension.
            WritingFailed: The disk cannot be written.
        """
        del head
        self._arriving.sweep(lambda _: False)
        extension = PurePosixPath(safe_name(file_name)).suffix.lower()
        if extension not in self.extensions:
            raise Unsupported(
                f"Unsupported file format: {excerpt(extension) or 'no extension'}. Supported: "
                f"{', '.join(self.extensions)}"
            )
        return self._arriving.begin(new_ulid(), extension)

    def add_file(self, upload: Upload, file_name: str, call: Call) -> Added:
        """Add a complete upload to the library; a document of the same file name is replaced.

        A file that cannot be read is not kept, and what was there before it stays.

        Args:
            upload: All of its bytes are written; the caller discards it if this fails.
            file_name: As it was sent.
            call: Checked for cancellation.

        Raises:
            WritingFailed: The disk is full, or cannot be written.
            PinciteError: See `Ingestion.each`.
        """
        upload.complete()
        arrived = self.folder / ".arriving" / upload.task_id / f"{STEM}{upload.extension}"
        target, before = self.folder / safe_name(file_name), arrived.with_name("before")
        is_kept = False
        with self._lock:
            try:
                with contextlib.suppress(FileNotFoundError):
                    target.replace(before)
                arrived.replace(target)
                added = self._ingest(target, call)
                is_kept = added.outcome is not Outcome.FAILED
            except OSError as error:
                raise WritingFailed("The upload cannot be stored.", details=str(error)) from error
            finally:
                if not is_kept:
                    with contextlib.suppress(OSError):
                        target.unlink(missing_ok=True)
                        before.replace(target)
        upload.discard()
        return added

    def remove(self, name: str, call: Call) -> Path | None:
        """Remove a document from the library; its file goes only if it was uploaded or downloaded.

        Returns:
            The file that stays; None if it was deleted.

        Raises:
            NotFound: There is no such document.
            WritingFailed: The index cannot be written.
        """
        with self._lock:
            file, key = self._file(name, call)
            self._library().ingestion.remove([key])
            if self.folder not in file.parents:
                return file
            file.unlink(missing_ok=True)
        if file.parent != self.folder:  # a download's own
            with contextlib.suppress(OSError):
                file.parent.rmdir()
        return None

    def reread(self, name: str, call: Call) -> Added:
        """Read a document's file again, changed or not.

        Raises:
            NotFound: There is no such document, or its file is gone.
            PinciteError: See `Ingestion.each`.
        """
        file, _ = self._file(name, call)
        if not file.is_file():
            raise NotFound(f"The file of {name} is gone. Ingest it again from where it is now, or remove it.")
        return self._ingest(file, call, forced=True)

    def _file(self, name: str, call: Call) -> tuple[Path, str]:
        with self._library().view(call, semantic=False) as view:
            key = view.document(name).source_key
        return Path(file_of(key)), key

    def _ingest(self, file: Path, call: Call, *, forced: bool = False) -> Added:
        library = self._library()
        with library.view(call, semantic=False) as view:
            stored = view.snapshot.documents()
        planned = plan([single_file(file, self.max_bytes)], stored, forced=forced)
        [added] = library.ingestion.each(planned.additions, call)
        library.start()  # vectors are computed in the background
        return added
