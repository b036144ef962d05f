"""Log lines, as text for people or as JSON for machines; always on standard error."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Literal, TextIO

from pincite.text.excerpt import excerpt

Style = Literal["text", "json"]

MAX_FIELD_CHARS = 4_000
"""Of a message, a field or a line of a traceback: they may repeat what a client or a document holds."""

_STANDARD = {*vars(logging.LogRecord("", 0, "", 0, "", None, None)), "message", "asctime", "taskName"}
"""What every record has; everything else was given with `extra=`."""


def configure(level: str, style: Style, stream: TextIO | None = None) -> None:
    """Send pincite's log from `level` up, and that of every library from WARNING up, to one stream.

    A second call replaces what the first one set.

    Args:
        level: `DEBUG`, `INFO`, `WARNING` or `ERROR`.
        style: One line of `key=value` an event, or one JSON object an event.
        stream: Standard error if None.
    """
    handler = _Handler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if style == "json" else TextLines())
    root = logging.getLogger()
    for old in [h for h in root.handlers if isinstance(h, _Handler)]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(max(logging.WARNING, logging.getLevelNamesMapping()[level]))
    logging.getLogger("pincite").setLevel(level)


class TextLines(logging.Formatter):
    """`2026-11-21T04:23:07.123Z INFO pincite.tools tool.success tool=get_page rid=9f31c2aa`.

    What a value holds can neither end the line nor pass for another field. A traceback follows, indented.
    """

    def format(self, record: logging.LogRecord) -> str:
        """One event."""
        message = _escaped(excerpt(record.getMessage(), MAX_FIELD_CHARS))
        fields = (f"{key}={_field(value)}" for key, value in _extra(record).items())
        line = " ".join([_time(record), record.levelname, record.name, message, *fields])
        trace = _trace(self, record)
        return "\n    ".join([line, *map(_escaped, trace.splitlines())])


class JsonLines(logging.Formatter):
    """`{"ts": …, "level": …, "logger": …, "msg": …, …}`: one object a line, in ASCII."""

    def format(self, record: logging.LogRecord) -> str:
        """One event."""
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
    """Ours, so that it can be told from the handlers of others."""


def _extra(record: logging.LogRecord) -> dict[str, object]:
    return {key: _short(value) for key, value in vars(record).items() if key not in _STANDARD}


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
    """The text on one line: what cannot be printed is written as an escape."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
