"""Uploaded documents: kept on the disk for a while under a name that nobody can guess, `upload:<id>`."""

import contextlib
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pincite.errors import InvalidInput, WritingFailed
from pincite.formats.base import Blob
from pincite.model.task import ID
from pincite.runtime.private_files import opener
from pincite.services.tasks.base import Upload
from pincite.services.tasks.ulid import encode
from pincite.services.tasks.uploads import STEM, FolderUploads
from pincite.sources.url.names import safe_name

SCHEME = "upload:"

KEPT_SECONDS = 1800.0
"""As the caches of contract 4."""

MAX_UPLOADS = 50
"""Uploads that are kept, as contract 4 has it for downloads."""

_ID_BITS = 128
"""As random as a session key, unlike the ids of tasks: whoever knows an id reads the document."""

_NAME = "name"
"""The file with the name that was sent, which is used nowhere as a path."""


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """Limits of uploads.

    Attributes:
        max_bytes: Maximum size of one.
        total_bytes: Maximum size of all that are kept.
        entries: Maximum number of them.
        seconds: For how long one is kept.
    """

    max_bytes: int
    total_bytes: int
    entries: int = MAX_UPLOADS
    seconds: float = KEPT_SECONDS


@dataclass(frozen=True, slots=True)
class KeptUpload:
    """An upload.

    Attributes:
        url: How tools name it: `upload:<id>`.
        name: Its file name.
        size: Its bytes.
        expires_at: When it is deleted at the latest, in seconds since 1970.
    """

    url: str
    name: str
    size: int
    expires_at: float


@dataclass(frozen=True, slots=True)
class _Kept:
    id: str
    size: int
    stored_at: float


class DocumentUploads:
    """Keeps uploads until they expire or their room is needed. Thread-safe, also among processes.

    All that is known of them is on the disk, so that a server that was killed leaves nothing that the next one does
    not delete.

    Args:
        folder: Where they are kept: nothing else may be there.
        limits: The limits.
        clock: Returns the seconds since 1970.
    """

    def __init__(self, folder: Path, limits: UploadLimits, *, clock: Callable[[], float] = time.time) -> None:
        self._folder = folder
        self._files = FolderUploads(folder)
        self._limits = limits
        self._clock = clock
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    @property
    def max_bytes(self) -> int:
        """Maximum size of one upload."""
        return self._limits.max_bytes

    def begin(self) -> Upload:
        """Begin an upload, whose bytes are written as they arrive.

        Raises:
            WritingFailed: The disk cannot be written.
        """
        return self._files.begin(encode(secrets.randbits(_ID_BITS)), "")

    def keep_upload(self, upload: Upload, file_name: str) -> KeptUpload:
        """Keep a complete upload; delete others that have expired or whose room it needs, the oldest first.

        Args:
            upload: All of its bytes are written; the caller discards it if this fails.
            file_name: As it was sent.

        Raises:
            InvalidInput: It alone is larger than all may be.
            WritingFailed: The disk is full, or cannot be written.
        """
        upload.complete()
        folder, name = self._folder / upload.task_id, safe_name(file_name)
        try:
            size = (folder / STEM).stat().st_size
            if size > self._limits.total_bytes:
                raise InvalidInput("The upload is larger than all that are kept may be (PINCITE_UPLOAD_CACHE).")
            with open(folder / _NAME, "w", encoding="utf-8", opener=opener) as file:
                file.write(name)
        except OSError as error:
            raise WritingFailed("The upload cannot be stored.", details=str(error)) from error
        self.sweep()
        return KeptUpload(SCHEME + upload.task_id, name, size, self._clock() + self._limits.seconds)

    def read_upload(self, url: str) -> Blob:
        """Return an upload under its file name.

        Args:
            url: `upload:<id>`.

        Raises:
            InvalidInput: There is none, or it was deleted.
        """
        self.sweep()
        folder = self._known(url)
        try:
            return Blob((folder / _NAME).read_text("utf-8"), (folder / STEM).read_bytes())
        except OSError:
            raise _unknown() from None

    def delete_upload(self, url: str) -> None:
        """Delete an upload.

        Raises:
            InvalidInput: There is none.
        """
        folder = self._known(url)
        if not (folder / _NAME).exists():
            raise _unknown()
        self._files.erase(folder.name)

    def sweep(self) -> None:
        """Delete what has expired, what exceeds the limits, and what was never completed."""
        with self._lock:
            kept, now = self._listed(), self._clock()
            size = sum(upload.size for upload in kept)
            while kept and (
                kept[0].stored_at + self._limits.seconds <= now
                or len(kept) > self._limits.entries
                or size > self._limits.total_bytes
            ):
                oldest = kept.pop(0)
                self._files.erase(oldest.id)
                size -= oldest.size
            if kept and self._timer is None:
                self._timer = threading.Timer(kept[0].stored_at + self._limits.seconds - now, self._expire)
                self._timer.daemon = True
                self._timer.start()

    def close(self) -> None:
        """Stop waiting for uploads to expire: who opens the folder next deletes those that have."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()

    def _expire(self) -> None:
        with self._lock:
            self._timer = None
        self.sweep()

    def _known(self, url: str) -> Path:
        upload_id = url.removeprefix(SCHEME)
        if not ID.fullmatch(upload_id):
            raise _unknown()
        return self._folder / upload_id

    def _listed(self) -> list[_Kept]:
        """Return the complete uploads, the oldest first; delete those that were abandoned."""
        kept: list[_Kept] = []
        for folder in self._folder.iterdir() if self._folder.is_dir() else ():
            with contextlib.suppress(OSError):  # deleted by another process
                state = (folder / STEM).stat()
                if (folder / _NAME).exists():
                    kept.append(_Kept(folder.name, state.st_size, state.st_mtime))
        self._files.sweep(lambda upload_id: any(upload.id == upload_id for upload in kept))
        return sorted(kept, key=lambda upload: upload.stored_at)


def _unknown() -> InvalidInput:
    return InvalidInput("There is no such upload: it may have expired. Upload the document again (POST /api/uploads).")
