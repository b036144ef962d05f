"""Parse a multipart body as it arrives: events for each part, whatever their size."""

from collections.abc import Sequence
from dataclasses import dataclass
from email.message import Message
from typing import TYPE_CHECKING

from python_multipart import MultipartParser
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import parse_options_header

from pincite.transports.http.exchange import Refused

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

MAX_PARTS = 20
"""Parts of a body: a form has a handful."""


@dataclass(frozen=True, slots=True)
class PartBegin:
    """A part begins.

    Attributes:
        name: The name of its field.
        file_name: The name of its file; None if it is a plain field.
    """

    name: str
    file_name: str | None


@dataclass(frozen=True, slots=True)
class PartData:
    """Some bytes of the part that began last."""

    data: bytes


@dataclass(frozen=True, slots=True)
class PartEnd:
    """The part that began last is complete."""


Event = PartBegin | PartData | PartEnd


class MultipartBody:
    """A body that arrives in pieces.

    Args:
        content_type: The header of the request.
        fields: The fields that a form must have, for the message.

    Raises:
        Refused: It is no multipart form.
    """

    def __init__(self, content_type: str, fields: Sequence[str]) -> None:
        kind, options = parse_options_header(content_type)
        boundary = options.get(b"boundary", b"")
        if kind != b"multipart/form-data" or not boundary:
            named = f"the field{'s' * (len(fields) > 1)} {' and '.join(fields)}"
            raise Refused(422, "VALIDATION_ERROR", f"Send a multipart form (multipart/form-data) with {named}.")
        self._parts = 0
        self._is_complete = False
        self._events: list[Event] = []
        self._headers: dict[bytes, bytes] = {}
        self._field = self._value = b""
        callbacks: MultipartCallbacks = {
            "on_part_begin": self._begin,
            "on_header_field": self._on_field,
            "on_header_value": self._on_value,
            "on_header_end": self._on_header,
            "on_headers_finished": self._on_headers,
            "on_part_data": self._on_data,
            "on_part_end": lambda: self._events.append(PartEnd()),
            "on_end": self._on_end,
        }
        try:
            self._parser = MultipartParser(boundary, callbacks)
        except FormParserError:  # a boundary of more than 256 bytes
            raise _malformed() from None

    def feed(self, data: bytes) -> Sequence[Event]:
        """Return the events of the next piece.

        Raises:
            Refused: The body is malformed.
        """
        self._events = []
        try:
            self._parser.write(data)
        except FormParserError:
            raise _malformed() from None
        return self._events

    def finish(self) -> None:
        """Check that the body is complete.

        Raises:
            Refused: It ended too early.
        """
        if not self._is_complete:
            raise _malformed()

    def _begin(self) -> None:
        self._parts += 1
        if self._parts > MAX_PARTS:
            raise Refused(400, "VALIDATION_ERROR", f"The form has more than {MAX_PARTS} parts.")
        self._headers = {}

    def _on_field(self, data: bytes, start: int, end: int) -> None:
        self._field += data[start:end]

    def _on_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _on_header(self) -> None:
        self._headers[self._field.lower()] = self._value
        self._field = self._value = b""

    def _on_headers(self) -> None:
        disposition = self._headers.get(b"content-disposition", b"")
        _, options = parse_options_header(disposition)
        name, file_name = (_text(options.get(key)) for key in (b"name", b"filename"))
        # RFC 7578 forbids `filename*`; clients send it all the same, some without the plain name.
        shown = _extended_name(disposition) if file_name is None else _unescaped(file_name)
        self._events.append(PartBegin(name or "", shown))

    def _on_data(self, data: bytes, start: int, end: int) -> None:
        self._events.append(PartData(data[start:end]))

    def _on_end(self) -> None:
        self._is_complete = True


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("utf-8", "replace")


def _extended_name(disposition: bytes) -> str | None:
    """Return the name of a file as RFC 5987 encodes it, `filename*=UTF-8''%c3%bc.pdf`; None without one."""
    message = Message()
    message["content-disposition"] = disposition.decode("latin-1")
    return message.get_filename()


def _unescaped(name: str) -> str:
    """Return a file's name as it was before a browser or curl escaped it (HTML, "Multipart form data")."""
    return name.replace("%22", '"').replace("%0D", "\r").replace("%0A", "\n")


def _malformed() -> Refused:
    return Refused(400, "VALIDATION_ERROR", "The multipart body is malformed or incomplete.")
