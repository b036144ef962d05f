"""Names that callers give to indexes, kept on disk: every process that shares the folder knows them."""

import hashlib
import os
import tempfile
from pathlib import Path

from pincite.errors import WritingFailed
from pincite.runtime.private_files import make_folder


class Aliases:
    """Stores the text of each alias. Thread-safe.

    Args:
        folder: Where they are stored, a file each, named by a hash: an alias is no path.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, alias: str) -> str | None:
        """Return the text of an alias, None if it is unknown."""
        try:
            return self._path(alias).read_text("ascii")
        except (OSError, UnicodeDecodeError):
            return None

    def put(self, alias: str, index_id: str) -> None:
        """Let an alias stand for an index, whatever it stood for.

        Raises:
            WritingFailed: The disk cannot be written.
        """
        try:
            make_folder(self._folder)
            descriptor, temporary = tempfile.mkstemp(dir=self._folder)
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(index_id)
            Path(temporary).replace(self._path(alias))
        except OSError as error:
            raise WritingFailed(
                "The cache_key cannot be stored. Free space on the disk of DATA_DIR.", details=str(error)
            ) from error

    def _path(self, alias: str) -> Path:
        return self._folder / hashlib.sha256(alias.encode("utf-8", "surrogatepass")).hexdigest()
