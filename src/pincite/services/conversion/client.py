"""Client of a converter: a service that turns a document into Markdown, by the protocol of contract 3."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote

from pincite.errors import ConnectionFailed, TimeoutExceeded
from pincite.formats.base import Blob
from pincite.model.call import Call
from pincite.model.sizes import MEGABYTE
from pincite.runtime.imports import import_once
from pincite.text.excerpt import excerpt, well_formed
from pincite.text.retry_after import seconds_asked

if TYPE_CHECKING:
    import httpx2

VARIABLE = "MARKITDOWN_URL"

POLL_SECONDS = 2.0
"""Interval between two polls of a conversion, by contract 3; from `FIRST_POLL_SECONDS` on it doubles up to this."""

FIRST_POLL_SECONDS = 0.05
"""A page or two are converted in some hundredths of a second."""

CONVERSION_SECONDS = 300.0
"""Maximum time of a conversion, by contract 3."""

IDLE_SECONDS = 30.0
"""Maximum wait for the connection, and for the next bytes of an answer."""

MAX_ANSWER_BYTES = 1_000_000
"""Size of a JSON answer: it has a status and some names."""

RETRIES = 2
"""Repetitions of a request that was refused for now, or whose connection failed: a restart takes seconds."""

RETRY_SECONDS = 1.0
"""Before the first repetition; doubled before the next, or as long as the converter asks for."""

_FOR_NOW = {HTTPStatus.TOO_MANY_REQUESTS, *(status for status in HTTPStatus if status >= 500)}  # noqa: PLR2004
_MAX_SHOWN_CHARS = 300
"""Characters of the reason of a converter that an error shows."""
_RUNNING = ("queued", "running")


@dataclass(frozen=True, slots=True)
class ConverterLimits:
    """What a converter may take.

    Attributes:
        max_bytes: Maximum size of the Markdown.
        seconds: Maximum time of a conversion.
        idle_seconds: Maximum wait for a connection, and for the next bytes of an answer.
        retry_seconds: Wait before the first repetition of a request.
    """

    max_bytes: int
    seconds: float = CONVERSION_SECONDS
    idle_seconds: float = IDLE_SECONDS
    retry_seconds: float = RETRY_SECONDS


class Converter:
    """Converts documents by a service. Thread-safe.

    Args:
        url: Its address.
        token: Bearer token that it wants; empty for none.
        limits: What it may take.
    """

    def __init__(self, url: str, token: str, limits: ConverterLimits) -> None:
        self._url = url.rstrip("/")
        # Nothing is packed: a small answer must not become a large one.
        self._headers = {"accept-encoding": "identity", **({"authorization": f"Bearer {token}"} if token else {})}
        self._limits = limits

    @property
    def identity(self) -> str:
        """A string that differs between converters."""
        return f"converter={self._url}"

    def convert(self, blob: Blob, call: Call) -> str:
        """Return a document as Markdown.

        Args:
            blob: The document. Of its name only the extension is sent.
            call: Checked for cancellation; receives progress in seconds.

        Raises:
            ConnectionFailed: The converter cannot be reached, or failed; the message says how.
            TimeoutExceeded: It took too long, or the call's deadline has passed.
            Cancelled: The call was cancelled.
        """
        import_once("httpx2")
        import httpx2  # noqa: PLC0415 - not at start-up

        # No proxy of the environment: the address is a service of one's own.
        with httpx2.Client(headers=self._headers, timeout=self._limits.idle_seconds, trust_env=False) as client:
            return _Conversion(client, self._url, self._limits, call).markdown(blob)


class _Conversion:
    """The conversion of one document."""

    def __init__(self, client: "httpx2.Client", url: str, limits: ConverterLimits, call: Call) -> None:
        self._client = client
        self._url = url
        self._limits = limits
        self._call = call
        self._began = time.monotonic()

    def markdown(self, blob: Blob) -> str:
        extension = blob.name[blob.name.rfind(".") :] if "." in blob.name else ""
        files = {"file": (f"document{extension.lower()}", blob.data)}
        created = self._json("POST", "/tasks", files=files)
        task = f"/tasks/{quote(_text(created, 'task_id'), safe='')}"
        output = self._output(task)
        content = self._request("GET", f"{task}/files/{quote(output, safe='')}", self._limits.max_bytes)
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise _failed("the Markdown is no UTF-8 text") from None
        if text.lstrip()[:15].lower().startswith(("<!doctype html", "<html")):
            raise _failed("the converter answered a web page where Markdown was expected")
        return text

    def _output(self, task: str) -> str:
        """Return the name of the Markdown file, once the conversion is complete."""
        pause = FIRST_POLL_SECONDS
        while True:
            state = self._json("GET", task)
            status = _text(state, "status")
            if status == "completed":
                return _markdown_name(state)
            if status == "failed":
                reason = state.get("error_message")
                raise _failed(
                    reason if isinstance(reason, str) and reason.strip() else "the converter does not say why"
                )
            if status not in _RUNNING:
                raise _failed(f"the status {excerpt(status)} is not known")
            self._call.progress(time.monotonic() - self._began, None, "seconds of conversion")
            self._wait(pause)
            pause = min(2 * pause, POLL_SECONDS)

    def _json(self, method: str, path: str, **options: Any) -> Mapping[str, Any]:
        content = self._request(method, path, MAX_ANSWER_BYTES, **options)
        try:
            answer: object = json.loads(content)
        except (ValueError, RecursionError):
            raise _failed(f"the converter answered no JSON but {_shown(content)}") from None
        if not isinstance(answer, dict):
            raise _failed("the converter answered JSON that is no object")
        return cast("dict[str, Any]", answer)

    def _request(self, method: str, path: str, max_bytes: int, **options: Any) -> bytes:
        """Return the body of an answer, requested again if it was refused for now."""
        import httpx2  # noqa: PLC0415 - not at start-up

        problem = ""
        for attempt in range(RETRIES + 1):
            pause = self._limits.retry_seconds * 2**attempt
            try:
                with self._client.stream(method, self._url + path, **options) as response:
                    if response.is_success:
                        return self._body(response, max_bytes)
                    problem = f"the converter answered status {response.status_code}"
                    if response.status_code not in _FOR_NOW:
                        raise _failed(problem + _hint(response.status_code))
                    pause = max(pause, seconds_asked(response.headers.get("retry-after", "")) or 0.0)
            except httpx2.TimeoutException:
                raise TimeoutExceeded(
                    f"Conversion failed ({VARIABLE}): the converter sent nothing for {self._limits.idle_seconds:g} s."
                ) from None
            except (httpx2.HTTPError, httpx2.InvalidURL) as error:
                problem = f"the connection to the converter failed ({type(error).__name__})"
            if attempt < RETRIES:
                self._wait(pause)
        raise _failed(problem)

    def _body(self, response: "httpx2.Response", max_bytes: int) -> bytes:
        body = bytearray()
        for part in response.iter_raw():
            self._check()
            body += part
            if len(body) > max_bytes:
                raise _failed(f"the answer is larger than {max_bytes / MEGABYTE:g} MB")
        return bytes(body)

    def _wait(self, seconds: float) -> None:
        self._call.stop.wait(min(seconds, self._left(), self._call.remaining()))
        self._check()

    def _check(self) -> None:
        self._call.check()
        if self._left() <= 0:
            raise TimeoutExceeded(
                f"Conversion failed ({VARIABLE}): the converter was not done after {self._limits.seconds:g} s."
            )

    def _left(self) -> float:
        return max(0.0, self._began + self._limits.seconds - time.monotonic())


def _markdown_name(state: Mapping[str, Any]) -> str:
    """Return the first name of `outputs` that ends in `.md`."""
    outputs = state.get("outputs")
    names: list[object] = cast("list[object]", outputs) if isinstance(outputs, list) else []
    name = next((name for name in names if isinstance(name, str) and name.lower().endswith(".md")), None)
    if name is None:
        raise _failed("the converter names no Markdown file in `outputs`")
    return name


def _text(answer: Mapping[str, Any], name: str) -> str:
    value = answer.get(name)
    # A name of dots alone would lead to another address.
    if not isinstance(value, str) or not value.strip(". "):
        raise _failed(f"the converter's answer has no {name}")
    return value


def _failed(reason: str) -> ConnectionFailed:
    """Return the error of a converter; it may be another one at the next attempt, so that nothing is kept of it."""
    shown = excerpt(" ".join(well_formed(reason).split()), _MAX_SHOWN_CHARS)
    return ConnectionFailed(f"Conversion failed ({VARIABLE}): {shown}.")


def _hint(status: int) -> str:
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        return ": it wants another token (OPENAI_API_TOKEN)"
    return ""


def _shown(content: bytes) -> str:
    start = content[:80].decode("utf-8", "replace")
    return f"text that begins with {excerpt(start, 60)!r}" if start.strip() else "nothing"
