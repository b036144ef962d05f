"""Documents that a library has from URLs, each kept in a folder that is named by its URL."""

from pathlib import Path
from urllib.parse import quote, unquote

from pincite.errors import WritingFailed
from pincite.formats.base import Blob
from pincite.runtime.private_files import make_folder, opener
from pincite.services.library.ingestion import ROOT_MARK, path_of
from pincite.services.tasks.ulid import new_ulid

MAX_NAME_CHARS = 200
"""Maximum characters of a folder's name: file systems allow 255 bytes."""

_SAFE = "=&+,;@!$'()"
"""Characters of a URL that may be in a folder's name everywhere."""

_STARTS = tuple(f"/{quote(scheme, _SAFE)}" for scheme in ("http://", "https://"))


def keep(folder: Path, url: str, blob: Blob) -> Path:
    """Write a download below a folder, whole or not at all; one of the same URL and name is replaced.

    Raises:
        WritingFailed: The disk is full, or cannot be written.
    """
    named = quote(url, _SAFE)
    own = folder.joinpath(*(named[n : n + MAX_NAME_CHARS] for n in range(0, len(named), MAX_NAME_CHARS)))
    arriving, target = own / f".{new_ulid()}", own / blob.name
    try:
        make_folder(own)
        try:
            with open(arriving, "wb", opener=opener) as file:
                file.write(blob.data)
            arriving.replace(target)
        finally:
            arriving.unlink(missing_ok=True)
    except OSError as error:
        raise WritingFailed("The download cannot be stored.", details=str(error)) from error
    return target


def url_of(source_key: str) -> str:
    """Return the URL that a document was downloaded from; empty if it was not."""
    folder, _, _ = source_key.partition(ROOT_MARK)
    start = max(map(folder.rfind, _STARTS))
    return unquote(folder[start:].replace("/", "")) if start >= 0 else ""


def origin_of(source_key: str) -> str:
    """Return where people find a document: its URL, or the path of its file below the folder that was ingested."""
    return url_of(source_key) or path_of(source_key)
