"""Logging to standard error, as text or as JSON lines."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Literal, TextIO

from pincite.text.excerpt import excerpt

Style = Literal["text", "json"]

MAX_FIELD_CHARS = 4_000
"""Maximum length of a message, a field or a line of a traceback: they may repeat text of a client or a document."""

_STANDARD = {*vars(logging.LogRecord("", 0, "", 0, "", None, None)), "message", "asctime", "taskName"}
"""Attributes of every record; all others came with `extra=`."""

SYSTEM = "system"
"""The request id of events outside a request; by contract 4, Every call passes."""

_SHOWN = {"error_message": "message"}
"""Names of fields that a record cannot have itself: `message` is its own."""


def configure(level: str, style: Style, stream: TextIO | None = None) -> None:
    """Log pincite from `level` up, and every library from WARNING up, to one stream.

    A second call replaces the configuration of the first.

    Args:
        level: `DEBUG`, `INFO`, `WARNING` or `ERROR`.
        style: One line of `key=value` per event, or one JSON object per event.
        stream: Standard error if None.
    """
    handler = _Handler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if style == "json" else TextLines())
    root = logging.getLogger()
    for old in [h for h in root.handlers if isinstance(h, _Handler)]:
        root.removeHandler(old)
    root.addHandler(handler)
    # Libraries log from WARNING up, also with LOG_LEVEL=DEBUG: theirs would drown pincite's events.
    root.setLevel(max(logging.WARNING, logging.getLevelNamesMapping()[level]))
    logging.getLogger("pincite").setLevel(level)


class TextLines(logging.Formatter):
    """`2026-11-21T04:23:07.123Z INFO pincite.tools tool.success tool=get_page rid=9f31c2aa`.

    Values are escaped, so that none can end the line or imitate another field. A traceback follows, indented.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Format one event."""
        message = _escaped(excerpt(record.getMessage(), MAX_FIELD_CHARS))
        fields = (f"{key}={_field(value)}" for key, value in _extra(record).items())
        line = " ".join([_time(record), record.levelname, record.name, message, *fields])
        trace = _trace(self, record)
        return "\n    ".join([line, *map(_escaped, trace.splitlines())])


class JsonLines(logging.Formatter):
    """`{"ts": …, "level": …, "logger": …, "msg": …, …}`: one object per line, in ASCII."""

    def format(self, record: logging.LogRecord) -> str:
        """Format one event."""
        line: dict[str, object] = {
            **_extra(record),
            "ts": _time(record),
            "level": record.levelname,
            "logger": record.name,
            "msg": excerpt(record.getMessage(), MAX_FIELD_CHARS),
        }
        if trace := _trace(self, record):
            line["exc"] = trace
        return json.dumps(line, default=str)


class _Handler(logging.StreamHandler[TextIO]):
    """A type of our own, so that `configure` removes no handler of others."""


def _extra(record: logging.LogRecord) -> dict[str, object]:
    fields = {_SHOWN.get(key, key): _short(value) for key, value in vars(record).items() if key not in _STANDARD}
    return fields if "rid" in fields else {**fields, "rid": SYSTEM}


def _short(value: object) -> object:
    return excerpt(value, MAX_FIELD_CHARS) if isinstance(value, str) else value


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _trace(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    trace = formatter.formatException(record.exc_info) if record.exc_info else ""
    return "\n".join(excerpt(line, MAX_FIELD_CHARS) for line in trace.splitlines())


def _field(value: object) -> str:
    text = str(value)
    if text and not any(c.isspace() or c in "=\"'" or not c.isprintable() for c in text):
        return text
    return '"' + _escaped(text.replace("\\", "\\\\").replace('"', '\\"')) + '"'


def _escaped(text: str) -> str:
    """Return the text on one line, with escapes for unprintable characters."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
