"""Download documents: retries, a cache with revalidation, and one download for many simultaneous requests."""

import logging
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass, replace
from functools import cached_property

from httpcore2 import default_ssl_context
from httpx2 import URL, Headers

from pincite.errors import Cancelled, DownloadFailed, PinciteError, TimeoutExceeded
from pincite.formats.base import Blob
from pincite.formats.detect.decode import as_utf8
from pincite.formats.detect.signature import signature
from pincite.formats.detect.sniff import detect
from pincite.model.call import Call
from pincite.runtime.abandonable import POLL_SECONDS
from pincite.services.documents.fetching import Fetched
from pincite.services.timed_cache import TimedCache
from pincite.sources.url.connection import Resolve, resolve
from pincite.sources.url.locations import host_of, loggable, parse, without_credentials
from pincite.sources.url.names import declared_name, segment_name
from pincite.sources.url.transfer import Transfer, TransferLimits, TransientFailure, transfer
from pincite.text.retry_after import seconds_asked

log = logging.getLogger("pincite.download")

MAX_RETRY_AFTER_SECONDS = 30.0
"""Longest `Retry-After` that a call waits for; a server that asks for more is not called again."""


@dataclass(frozen=True, slots=True)
class DownloadOptions:
    """How documents are downloaded.

    Attributes:
        limits: Limits of each transfer.
        seconds: Time limit of a download with its retries; below the shortest of a tool that downloads (120 s), so
            that a slow server is reported as that.
        delays: Seconds before each retry.
    """

    limits: TransferLimits
    seconds: float
    delays: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Download(Fetched):
    """A downloaded document; its name is the last segment of the URL that was requested, see `Fetched`.

    Attributes:
        answered_by: The URL that it came from, after redirects.
        validators: Headers of a request for it only if it changed.
    """

    answered_by: URL
    validators: Mapping[str, str]


DownloadCache = TimedCache[str, Download]


class Downloads:
    """Downloads documents. Thread-safe.

    Args:
        options: How.
        cache: Where downloads are kept, by URL.
        resolver: Resolves names.
        context: Makes the context that verifies certificates.
    """

    def __init__(
        self,
        options: DownloadOptions,
        cache: DownloadCache,
        *,
        resolver: Resolve = resolve,
        context: Callable[[], ssl.SSLContext] = default_ssl_context,
    ) -> None:
        self._options = options
        self._cache = cache
        self._resolver = resolver
        self._make_context = context
        self._lock = threading.Lock()
        self._running: dict[str, Future[Download]] = {}
        self.waiting = 0
        """Number of calls that wait for the download of another."""

    @cached_property
    def _context(self) -> ssl.SSLContext:
        return self._make_context()

    def fetch(self, url: str, call: Call, *, argument: str = "document_url") -> Download:
        """Return the document at a URL, from the cache while it is valid there.

        A document whose time in the cache is over is compared with the server's, and only transferred if it changed.

        Args:
            url: As the caller wrote it.
            call: Ends the download when it is cancelled or out of time.
            argument: The name of the argument, for messages.

        Raises:
            InvalidInput: It is not an http or https URL.
            DownloadFailed: The document cannot be downloaded, or may not.
            Cancelled, TimeoutExceeded: See `Call.check`.
        """
        location = parse(url, argument)
        # What only our own callers may reach is kept apart from what anybody may.
        key = f"{location} (public)" if call.is_foreign else str(location)
        cached = self._cache.get(key)
        if cached is not None:
            return replace(cached, is_cached=True)
        while True:
            with self._lock:
                running = self._running.get(key)
                own = None if running else self._running.setdefault(key, Future())
            if own is not None:
                return self._lead(key, location, own, call)
            if running is not None and (download := self._share(running, call)):
                return download

    def _share(self, running: Future[Download], call: Call) -> Download | None:
        """Wait for the download of another call; see `_result`."""
        with self._lock:
            self.waiting += 1
        try:
            return _result(running, call)
        finally:
            with self._lock:
                self.waiting -= 1

    def _lead(self, key: str, location: URL, own: Future[Download], call: Call) -> Download:
        """Download for all calls that want this URL now."""
        try:
            download = self._download(key, location, call)
        except BaseException as error:
            own.set_exception(error)
            raise
        else:
            own.set_result(download)
            return download
        finally:
            with self._lock:
                del self._running[key]

    def _download(self, key: str, location: URL, call: Call) -> Download:
        start = time.monotonic()
        seconds = min(self._options.seconds, call.remaining())
        limited = replace(call, deadline=start + seconds) if seconds < float("inf") else call
        known = self._cache.peek(key)
        line: dict[str, object] = {"rid": call.request_id, "url": loggable(location)}
        try:
            received = self._with_retries(location, known, limited, line)
        except TimeoutExceeded:
            call.check()  # of the call, not of the download
            message = f"The download from {host_of(location)} took longer than {self._options.seconds:g} s."
            log.warning("download.failed", extra={**line, "code": "slow"})
            raise DownloadFailed(f"{message} The limit is PINCITE_DOWNLOAD_TIMEOUT.") from None
        download = _kept(known) if received.data is None and known else _download(location, received)
        if "no-store" not in received.headers.get("cache-control", "").lower():
            self._cache.put(key, download)
        event = "download.success" if received.data is not None else "download.unchanged"
        elapsed = round(time.monotonic() - start, 4)
        log.info(event, extra={**line, "bytes": len(download.blob.data), "elapsed": elapsed})
        return download

    def _with_retries(self, location: URL, known: Download | None, call: Call, line: Mapping[str, object]) -> Transfer:
        delays, limits = self._options.delays, self._options.limits
        if call.is_foreign:
            limits = replace(limits, allow_private=False)
        validators = {known.answered_by: known.validators} if known else {}
        attempt = 0
        while True:
            attempt += 1
            try:
                return transfer(
                    location,
                    limits,
                    self._context,
                    call,
                    validators=validators,
                    resolver=self._resolver,
                )
            except TransientFailure as failure:
                wait_seconds = _wait_seconds(failure, delays[attempt - 1]) if attempt <= len(delays) else None
                if wait_seconds is None or wait_seconds >= call.remaining():
                    log.warning("download.failed", extra={**line, "code": failure.reason, "attempt": attempt})
                    tried = f" It was tried {attempt} times." if attempt > 1 else ""
                    raise DownloadFailed(f"{failure.message}{tried} Try again later.") from failure
                about = {"code": failure.reason, "attempt": attempt, "wait": wait_seconds}
                log.warning("download.retry", extra={**line, **about})
                call.stop.wait(wait_seconds)
                call.check()
            except DownloadFailed as failure:
                log.warning("download.failed", extra={**line, "code": "refused", "problem": failure.message})
                raise


def _result(running: Future[Download], call: Call) -> Download | None:
    """Return the download of another call; None if that call ended before it, so that this one has to download.

    Raises:
        DownloadFailed: It failed.
    """
    while not wait([running], POLL_SECONDS).done:
        call.check()
    error = running.exception()
    if error is None:
        return running.result()
    if isinstance(error, Cancelled | TimeoutExceeded):
        return None
    if isinstance(error, PinciteError):
        raise DownloadFailed(error.message) from None  # an exception of its own: tracebacks belong to one thread
    raise error


def _download(location: URL, received: Transfer) -> Download:
    headers = received.headers
    name = segment_name(location)
    file_name = declared_name(headers.get("content-disposition", "")) or name
    media_type = headers.get("content-type", "")
    data = as_utf8(received.data or b"", media_type)
    return Download(
        url=without_credentials(location),
        name=name,
        blob=Blob(_with_extension(file_name, data, media_type), data),
        media_type=media_type,
        checked_at=time.time(),
        is_cached=False,
        answered_by=received.url,
        validators=_validators(headers),
    )


def _with_extension(name: str, data: bytes, media_type: str) -> str:
    """Return a file name with the extension of its declared type, if that is a text format that its own is not of.

    Readers know text formats by the extension; contract 4 puts the media type before it, and the content before both.
    """
    declared = media_type.partition(";")[0].strip().lower()
    row = detect("", data, media_type)
    if row is None or declared not in row.media_types or declared == _ANY_TEXT or signature(data) is not None:
        return name
    return name if name.lower().endswith(row.extensions) else name + row.extensions[0]


def _kept(known: Download) -> Download:
    """Return a download whose server says that it has not changed."""
    return replace(known, checked_at=time.time(), is_cached=False)


def _validators(headers: Headers) -> Mapping[str, str]:
    conditions = {"If-None-Match": headers.get("etag"), "If-Modified-Since": headers.get("last-modified")}
    return {name: value for name, value in conditions.items() if value}


def _wait_seconds(failure: TransientFailure, delay: float) -> float | None:
    """Return the seconds before the next attempt; None if the server asks for more than a call waits."""
    seconds = max(delay, seconds_asked(failure.retry_after) or 0.0)
    return seconds if seconds <= max(delay, MAX_RETRY_AFTER_SECONDS) else None


_ANY_TEXT = "text/plain"
"""What servers declare for every text."""
