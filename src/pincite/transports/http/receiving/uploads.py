"""Receive an upload: its file goes to the disk as it arrives, and nothing of it stays if it is refused."""

import functools
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

import anyio
import anyio.to_thread
from starlette.requests import Request

from pincite.services.tasks.base import Upload
from pincite.services.tasks.service import SIGNATURE_BYTES
from pincite.text.json_values import from_utf8
from pincite.transports.http.exchange import Gone, Refused
from pincite.transports.http.receiving.multipart import Event, MultipartBody, PartBegin, PartData

FILE = "file"
"""The field of the file."""

T = TypeVar("T")

MAX_FIELD_BYTES = 1_000_000
"""Size of a plain field: a schema of thousands of leaves has less."""

OVERHEAD_BYTES = 4 * MAX_FIELD_BYTES
"""What a body may have besides its file: fields, and the headers of its parts."""

WRITE_BYTES = 256 * 1024
"""Bytes that are held before they are written: some hundred uploads at a time stay below 100 MB."""

MIN_BYTES_PER_SECOND = 1000
SLOW_SECONDS = 60.0
"""An upload may take so long, and the time that its bytes need at that speed: a slower one only holds a connection."""


class Reception(Generic[T]):
    """One upload.

    Args:
        begin: Returns where a file of this name that begins with these bytes is written.
        request: The request.
        max_bytes: Maximum size of the file.
        seconds: Maximum wait for the next bytes.
    """

    def __init__(
        self,
        begin: Callable[[str, bytes], Upload],
        request: Request,
        *,
        max_bytes: int,
        seconds: float,
    ) -> None:
        self._begin = begin
        self._headers = request.headers
        self._receive = request.receive
        self._max_bytes = max_bytes
        self._seconds = seconds
        self._more = True
        self._part = PartBegin("", None)
        self._fields: dict[str, bytearray] = {}
        self._upload: Upload | None = None
        self._file_name = ""
        self._has_file = False
        self._file_bytes = 0
        self._unwritten = bytearray()

    async def receive(self, submit: Callable[[Upload, str, Mapping[str, str]], T], *required: str) -> T:
        """Receive the upload, and return what was made of it.

        Args:
            submit: Takes the file over: receives it, the name that was sent, and the other fields.
            required: Names of fields that may not be missing.

        Raises:
            Refused: The body is malformed, too large or too slow, or a field is missing.
            PinciteError: The file or a field cannot be used, see `begin` and `submit`.
            Gone: The client has gone.
        """
        try:
            await self._receive_all(required)
            made = await anyio.to_thread.run_sync(lambda: self._submit(submit, required))
        except BaseException:
            with anyio.CancelScope(shield=True):
                await self._discard()
            raise
        return made

    async def _receive_all(self, required: Sequence[str]) -> None:
        declared = self._headers.get("content-length", "")
        if declared.isdecimal() and int(declared[:20]) > self._max_bytes + OVERHEAD_BYTES:
            raise _too_large()
        body = MultipartBody(self._headers.get("content-type", ""), (FILE, *required))
        received, start = 0, time.monotonic()
        while self._more:
            data = await self._next()
            received += len(data)
            if time.monotonic() - start > SLOW_SECONDS + received / MIN_BYTES_PER_SECOND:
                raise _too_slow(f"The upload is slower than {MIN_BYTES_PER_SECOND} bytes a second.")
            if received > self._max_bytes + OVERHEAD_BYTES:
                raise _too_large()
            for event in body.feed(data):
                await self._take(event)
        body.finish()

    async def _next(self) -> bytes:
        with anyio.move_on_after(self._seconds):
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise Gone
            self._more = message.get("more_body", False)
            return message.get("body", b"")
        raise _too_slow(f"Nothing was sent for {self._seconds:g} seconds.")

    async def _take(self, event: Event) -> None:
        if isinstance(event, PartBegin):
            self._part = event
            if self._is_file():
                if self._has_file:
                    raise Refused(400, "VALIDATION_ERROR", "Send one file a task.")
                self._has_file, self._file_name = True, event.file_name or ""
            elif event.name:
                self._fields[event.name] = bytearray()
        elif isinstance(event, PartData):
            await self._take_data(event.data)
        elif self._is_file():
            await self._flush()

    async def _take_data(self, data: bytes) -> None:
        if self._is_file():
            self._file_bytes += len(data)
            if self._file_bytes > self._max_bytes:
                raise _too_large()
            self._unwritten += data
            if len(self._unwritten) >= WRITE_BYTES:
                await self._flush()
        elif (field := self._fields.get(self._part.name)) is not None:
            field += data
            if len(field) > MAX_FIELD_BYTES:
                message = f"The field {self._part.name[:40]} is larger than {MAX_FIELD_BYTES // 1_000_000} MB."
                raise Refused(413, "VALIDATION_ERROR", message, {"connection": "close"})

    def _is_file(self) -> bool:
        return self._part.name == FILE and self._part.file_name is not None

    async def _flush(self) -> None:
        """Write what was received of the file; the first time, begin the upload."""
        data, self._unwritten = self._unwritten, bytearray()
        await anyio.to_thread.run_sync(functools.partial(self._write, data))

    def _write(self, data: bytearray) -> None:
        if self._upload is None:
            self._upload = self._begin(self._file_name, bytes(data[:SIGNATURE_BYTES]))
        self._upload.write(data)

    def _submit(self, submit: Callable[[Upload, str, Mapping[str, str]], T], required: tuple[str, ...]) -> T:
        missing = next((name for name in required if name not in self._fields), None)
        if self._upload is None:
            missing = FILE
        if self._upload is None or missing is not None:
            raise Refused(422, "VALIDATION_ERROR", f"The field {missing} is missing.")
        fields = {name: from_utf8(value, f"field {name[:40]}").strip() for name, value in self._fields.items()}
        made = submit(self._upload, self._file_name, fields)
        # From here on the file is not the request's, whether or not its client still waits.
        self._upload = None
        return made

    async def _discard(self) -> None:
        if self._upload is not None:
            await anyio.to_thread.run_sync(self._upload.discard)


def _too_slow(message: str) -> Refused:
    return Refused(408, "TIMEOUT", message, {"connection": "close"})


def _too_large() -> Refused:
    return Refused(413, "VALIDATION_ERROR", "File too large", {"connection": "close"})
