"""Recorded calls to a server: their canonical form, their file, and how two recordings differ.

A recording is a file of JSON lines: first the fingerprint of each folder that was served, then one line a call.
"""

import difflib
import json
import re
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

JSON = dict[str, Any]
T = TypeVar("T")
Calls: TypeAlias = Generator[JSON, JSON, T]
"""Yields requests and is sent their responses."""

FOLDER = "{folder}"
"""Stands for the absolute path of the served folder, in requests and in responses."""

VOLATILE: Mapping[str, str] = {
    "query_ms": "a duration",
    "uptime_seconds": "a duration",
    "checked_at": "the time of the call",
    "last_indexed": "the time of the indexing",
    "generation": "counts transactions; how much the background work writes in one depends on its speed",
    "db_path": "its name is a digest of the folder's path",
    "db_size_bytes": "depends on the order in which transactions leave pages free",
}
"""Fields of an answer that differ from run to run, and why. In a recording each is the placeholder `<name>`."""

_VOLATILE = re.compile(rf'(?<!\\)"({"|".join(VOLATILE)})":(\s?)(?:"(?:[^"\\]|\\.)*"|-?[\d.]+(?:[eE][+-]?\d+)?)')
"""One of these fields with its value, in JSON that is not inside a string; a schema has an object there."""

MAX_DIFF_LINES = 30
"""Lines printed of one difference."""
MAX_DIFF_COLUMNS = 200
WINDOW_CHARS = 60
"""Shown on each side of the first differing character where the readable form does not differ."""


@dataclass(frozen=True)
class Recorded:
    """One call.

    Attributes:
        folder: Name of the folder that was served.
        protocol: Version of MCP that the session spoke.
        request: `method` and `params`.
        response: `result` or `error`, in canonical form.
    """

    folder: str
    protocol: str
    request: JSON
    response: JSON

    @property
    def title(self) -> str:
        """The call in one line."""
        params = self.request.get("params", {})
        arguments = json.dumps(params.get("arguments", params), ensure_ascii=False)
        name = " ".join(filter(None, [self.request["method"], str(params.get("name", ""))]))
        return clipped(f"{self.folder} ({self.protocol}): {name} {arguments}")


def compact(value: object) -> str:
    """JSON without white space, its keys in the order in which they came: that order is part of an answer."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def canonical(response: JSON, folder: Path) -> JSON:
    """A response with placeholders for what is volatile, the path of the served folder included."""
    return json.loads(compact(with_placeholders(response)).replace(str(folder), FOLDER))


def with_placeholders(response: JSON) -> JSON:
    """A response without the values of the volatile fields."""
    result = response.get("result", {})
    if "structuredContent" in result:  # its text is the same JSON again
        content = [{**block, "text": _placeholders(block["text"])} for block in result["content"]]
        response = {**response, "result": {**result, "content": content}}
    return json.loads(_placeholders(compact(response)))


def _placeholders(text: str) -> str:
    return _VOLATILE.sub(r'"\1":\2"<\1>"', text)


def write(path: Path, fingerprints: Mapping[str, str], calls: Iterable[Recorded]) -> list[Recorded]:
    """Write a recording, call by call; its calls."""
    written: list[Recorded] = []
    with path.open("w", encoding="utf-8", errors="surrogatepass") as file:
        file.write(compact({"folders": fingerprints}) + "\n")
        for call in calls:
            file.write(compact(asdict(call)) + "\n")
            written.append(call)
    return written


def read(path: Path) -> tuple[dict[str, str], list[Recorded]]:
    """The fingerprints and the calls of a recording; what has become volatile since counts as volatile in it too."""
    with path.open(encoding="utf-8", errors="surrogatepass", newline="\n") as file:
        first, *lines = (json.loads(line) for line in file)
    calls = (Recorded(**line) for line in lines)
    return first["folders"], [replace(call, response=with_placeholders(call.response)) for call in calls]


def repeated(recorded: Sequence[Recorded]) -> Calls[None]:
    """The calls of a recording, each as it was, with this run's cursors: a cursor is opaque."""
    cursors: dict[str, str] = {}
    for before in recorded:
        response = yield with_cursor(before.request, cursors)
        cursors |= zip(cursors_of(before.response), cursors_of(response), strict=False)  # none where it failed now


def with_cursor(request: JSON, cursors: Mapping[str, str]) -> JSON:
    """A request with the cursor of this run in the place of the recorded one."""
    params: JSON = request.get("params", {})
    place: Any = params.get("arguments", params)
    holder = cast("JSON", place) if isinstance(place, dict) else {}  # some requests are malformed on purpose
    cursor = holder.get("cursor")
    if not isinstance(cursor, str) or cursor not in cursors:
        return request
    holder = {**holder, "cursor": cursors[cursor]}
    return {**request, "params": {**params, "arguments": holder} if "arguments" in params else holder}


def cursors_of(response: JSON) -> list[str]:
    """The cursor of an answer, if it has one."""
    result: JSON = response.get("result", {})
    answer: JSON = result.get("structuredContent") or {}
    cursor: str | None = answer.get("next_cursor") or result.get("nextCursor")
    return [cursor] if cursor else []


def differing(before: Sequence[Recorded], after: Sequence[Recorded]) -> list[tuple[Recorded, Recorded]]:
    """The calls whose responses are not the same, byte for byte, in two recordings of the same calls."""
    pairs = zip(before, after, strict=True)
    return [(old, new) for old, new in pairs if compact(old.response) != compact(new.response)]


def diff(before: JSON, after: JSON) -> Iterator[str]:
    """Two responses that differ, as a unified diff of a readable form; else where their JSON begins to differ."""
    lines = list(difflib.unified_diff(readable(before), readable(after), "before", "after", lineterm="", n=1))
    if not lines:
        lines = _first_difference(compact(before), compact(after))
    yield from map(clipped, lines[:MAX_DIFF_LINES])
    if len(lines) > MAX_DIFF_LINES:
        yield f"… {len(lines) - MAX_DIFF_LINES} more lines"


def readable(response: JSON) -> list[str]:
    """A response as lines: texts line by line, and the JSON that is there once more as text left out."""
    result = response.get("result", {})
    if "structuredContent" in result:
        result = {**result, "content": [_without_repetition(block, result) for block in result["content"]]}
        response = {**response, "result": result}
    return json.dumps(_by_lines(response), indent=1, ensure_ascii=False).splitlines()


def _without_repetition(block: JSON, result: JSON) -> JSON:
    return {**block, "text": "<structuredContent>"} if block["text"] == compact(result["structuredContent"]) else block


def _by_lines(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _by_lines(child) for key, child in cast("JSON", value).items()}
    if isinstance(value, list):
        return [_by_lines(child) for child in cast("list[Any]", value)]
    return value.split("\n") if isinstance(value, str) and "\n" in value else value


def _first_difference(before: str, after: str) -> list[str]:
    pairs = zip_longest(before, after)
    at = next(place for place, (old, new) in enumerate(pairs) if old != new)
    window = slice(max(0, at - WINDOW_CHARS), at + WINDOW_CHARS)
    return [f"@@ character {at} @@", f"-{before[window]}", f"+{after[window]}"]


def clipped(line: str) -> str:
    """A line that fits a terminal."""
    return line if len(line) <= MAX_DIFF_COLUMNS else line[: MAX_DIFF_COLUMNS - 1] + "…"
