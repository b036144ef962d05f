"""Messages between a reader process and its parent: a length, then a pickle of plain data."""

import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from struct import Struct
from typing import IO, Any, cast

from pincite.formats.base import Blob, ReadOptions, Target
from pincite.model import document, recognition
from pincite.model.document import Head, Page, PageSizes
from pincite.model.recognition import RecognisedPage, RecognisedPicture
from pincite.registry import Format

READY = b"pincite reader\n"
"""A reader process's first line. The parent skips anything that the interpreter printed before it."""

_LENGTH = Struct("<Q")


@dataclass(frozen=True, slots=True)
class Rendering:
    """A page to render, see `Renderer`."""

    page: int
    width: int


@dataclass(frozen=True, slots=True)
class Recognition:
    """Pages and pictures whose text is to be recognised.

    Attributes:
        targets: Page numbers from 1, and names of pictures inside pages.
        engine: Name of an engine in the registry.
        threads: Number of its threads.
        languages: Its languages as Tesseract names them.
    """

    targets: tuple[Target, ...]
    engine: str
    threads: int
    languages: str


@dataclass(frozen=True, slots=True)
class Job:
    """A request to read a file, to render a page of it, or to recognise the text of some.

    Attributes:
        row: The file's format.
        blob: Its name and bytes.
        options: Limits for the reader.
        seconds: Maximum time between two pages; the process then ends itself, as its parent may be gone.
        rendering: The page to render; None to read the file.
        is_measuring: Whether only the sizes of its pages are needed.
        recognition: The pages to recognise; None to read the file.
    """

    row: Format
    blob: Blob
    options: ReadOptions
    seconds: float
    rendering: Rendering | None = None
    is_measuring: bool = False
    recognition: Recognition | None = None

    @property
    def task(self) -> str:
        """The work in words, to begin a message."""
        if self.is_measuring:
            return "Measuring the pages"
        if self.recognition is not None:
            return "Recognising its text"
        return "Reading the file" if self.rendering is None else f"Rendering page {self.rendering.page}"

    @property
    def key(self) -> str:
        """Identifies what may crash a process: a reader with its version on these bytes, or a page of them."""
        page = ":sizes" if self.is_measuring else "" if self.rendering is None else f":{self.rendering.page}"
        if self.recognition is not None:
            page = f":{self.recognition.engine}:{self.recognition.targets[:1]}"
        without = "".join(f":-{part.number}" for part in self.options.unread_parts)
        return f"{self.row.identity}:{self.blob.fingerprint}{page}{without}"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a file could not be read.

    Attributes:
        error: The name of a class in `pincite.errors`.
        message: See `PinciteError`.
        details: See `PinciteError`.
        suggestion: See `PinciteError`.
        last: True if the process ends after this message.
    """

    error: str
    message: str
    details: str = ""
    suggestion: str = ""
    last: bool = False


TAKEN, DONE = "taken", "done"
"""Answers without content: the process received a job; it completed the job."""

PNG = b"\x89PNG\r\n\x1a\n"
"""First bytes of a picture."""

Result = Head | Page | PageSizes | RecognisedPage | RecognisedPicture | bytes
"""A part of what a job asks for; bytes are the picture of a page."""
Answer = Result | Failure | str

# A pickle may name any callable: a process that a file has taken over could run code in its parent.
_CLASSES: Mapping[tuple[str, str], type] = {
    (kind.__module__, kind.__qualname__): kind
    for kind in (*vars(document).values(), *vars(recognition).values(), Failure)
    if isinstance(kind, type) and kind.__module__ in (document.__name__, recognition.__name__, __name__)
}
"""The only classes that an answer may contain."""


def pack(message: object) -> bytes:
    """Return a message of plain data as bytes."""
    body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(body)) + body


def receive(stream: IO[bytes], max_bytes: int) -> bytes:
    """Return the body of the next message; empty at the end of the stream.

    Raises:
        OverflowError: The message has more than `max_bytes` bytes.
    """
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return b""
    length: int = _LENGTH.unpack(head)[0]
    if length > max_bytes:
        raise OverflowError
    body = stream.read(length)
    return body if len(body) == length else b""


def unpack_job(body: bytes) -> Job:
    """Return the job in a message from the parent."""
    return cast("Job", pickle.loads(body))  # noqa: S301 - its parent wrote it


def unpack_answer(body: bytes) -> Answer:
    """Return the answer in a message from a reader process.

    Only plain data is loaded, as a hostile file may have taken the process over.

    Raises:
        pickle.UnpicklingError: The message contains anything else.
    """
    return _PlainUnpickler(BytesIO(body)).load()


class _PlainUnpickler(pickle.Unpickler):
    """Loads no class but those that documents consist of."""

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        """Return a class that an answer may contain.

        Raises:
            pickle.UnpicklingError: Any other is named.
        """
        kind = _CLASSES.get((module_name, global_name))
        if kind is None:
            raise pickle.UnpicklingError(f"{module_name}.{global_name} does not belong into an answer")
        return kind
