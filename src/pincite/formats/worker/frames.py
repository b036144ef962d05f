"""Messages between a reader process and its owner: a length, then a pickle of plain data."""

import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from struct import Struct
from typing import IO, Any, cast

from pincite.formats.base import Blob, ReadOptions
from pincite.model import document
from pincite.model.document import Head, Page
from pincite.registry import Format

READY = b"pincite reader\n"
"""The line with which a reader process begins; whatever its interpreter printed before is skipped."""

_LENGTH = Struct("<Q")


@dataclass(frozen=True, slots=True)
class Job:
    """A file to be read.

    Attributes:
        seconds: After so many without a page the process ends itself: its owner may be gone.
    """

    row: Format
    blob: Blob
    options: ReadOptions
    seconds: float


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a file could not be read.

    Attributes:
        error: The name of the class of `pincite.errors`.
        message: See `PinciteError`.
        details: See there.
        suggestion: See there.
        last: Whether the process ends after it.
    """

    error: str
    message: str
    details: str = ""
    suggestion: str = ""
    last: bool = False


TAKEN, DONE = "taken", "done"
"""The process has a job; it has read the file to its end."""

Answer = Head | Page | Failure | str

_CLASSES: Mapping[tuple[str, str], type] = {
    (kind.__module__, kind.__qualname__): kind
    for kind in (*vars(document).values(), Failure)
    if isinstance(kind, type) and kind.__module__ in (document.__name__, __name__)
}
"""What an answer may consist of, beside text and numbers."""


def pack(message: object) -> bytes:
    """A message as bytes. Whatever it holds must be plain data."""
    body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(body)) + body


def receive(stream: IO[bytes], most: int) -> bytes:
    """The body of the next message; empty at the end of the stream.

    Raises:
        OverflowError: It has more than `most` bytes.
    """
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return b""
    length: int = _LENGTH.unpack(head)[0]
    if length > most:
        raise OverflowError
    body = stream.read(length)
    return body if len(body) == length else b""


def job(body: bytes) -> Job:
    """The job that a process was sent by its owner."""
    return cast("Job", pickle.loads(body))  # noqa: S301 - its owner wrote it


def answer(body: bytes) -> Answer:
    """What a reader process sent. Only plain data is taken: it may have been talked into anything by what it read.

    Raises:
        pickle.UnpicklingError: It holds anything else.
    """
    return _Plain(BytesIO(body)).load()


class _Plain(pickle.Unpickler):
    """Makes nothing but what documents consist of."""

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        """A class that an answer may consist of."""
        found = _CLASSES.get((module_name, global_name))
        if found is None:
            raise pickle.UnpicklingError(f"{module_name}.{global_name} does not belong into an answer")
        return found
