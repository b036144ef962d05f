"""Embeddings of OpenAI, or of a service that speaks its protocol, by the official client (the extra `openai`)."""

import hashlib
import logging
import threading
from collections.abc import Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pincite.embedding.wordpiece import WordPiece
from pincite.errors import (
    AuthError,
    ConfigError,
    ConnectionFailed,
    InternalError,
    InvalidInput,
    PinciteError,
    RateLimited,
    TimeoutExceeded,
    Unsupported,
)
from pincite.model.call import Call
from pincite.runtime.abandonable import abandonable
from pincite.runtime.imports import import_once
from pincite.runtime.retries import log_retry
from pincite.text.excerpt import excerpt, well_formed
from pincite.text.retry_after import seconds_asked

if TYPE_CHECKING:
    import openai
    from pydantic import SecretStr

    from pincite.embedding.base import Tokenizer
    from pincite.model.vector import Vector

log = logging.getLogger("pincite.embedding")

OFFICIAL_URL = "https://api.openai.com/v1"
BILLING_PAGE = "https://platform.openai.com/settings/organization/billing"

NO_KEY = "none"
"""Sent where no key is set: services of one's own often need none, and the client requires one."""

RETRY_SECONDS = (1.0, 2.0, 4.0)
"""Pauses before the retries (contract 2)."""

MAX_RETRY_AFTER_SECONDS = 60.0
"""Longest pause that a service may order; after a longer one the work is left to a later run."""

QUERY_SECONDS, BATCH_SECONDS = 10.0, 60.0
"""Timeouts of a request (contract 2)."""

BATCH_TOKENS = 100_000
"""Maximum tokens of a request: a third of what the service accepts, since they are counted by another tokenizer."""

CHARS_PER_TOKEN = 4
"""Tokens of a text are at least its characters divided by this: our tokenizer takes an unknown long word for one."""

_PROBE = "pincite"
_QUOTA = "insufficient_quota"
_BAD_TEXT = frozenset({400, 413, 422})
"""Statuses that refuse the texts of a request; compatible services use the other two."""
_REFUSED_KEY = frozenset({401, 403})
_TOO_MANY, _SERVER_ERRORS = 429, 500


class OpenAiOptions(Protocol):
    """What the embedder reads of the settings."""

    @property
    def model(self) -> str:
        """The model's name."""
        ...

    @property
    def vector_dimensions(self) -> int:
        """Length of a vector."""
        ...

    @property
    def requested_dimensions(self) -> int | None:
        """Length of a vector to be requested; None for the model's own."""
        ...

    @property
    def openai_key(self) -> "SecretStr | None":
        """Sent with each request; None where a service needs none."""
        ...

    @property
    def openai_url(self) -> str:
        """Address of a compatible service; empty for OpenAI's."""
        ...

    @property
    def batch_size(self) -> int:
        """Maximum number of texts of a request."""
        ...


def build(options: OpenAiOptions, *, cache_dir: Path) -> "OpenAiEmbedder":
    """Return an embedder of the service that the settings name; it keeps no files.

    Raises:
        Unsupported: The client is not installed.
    """
    del cache_dir
    if find_spec("openai") is None:  # its import takes a second
        raise Unsupported("openai needs an optional package: pip install 'pincite[openai]'")
    key = options.openai_key
    return OpenAiEmbedder(
        options.model,
        options.vector_dimensions,
        key=key.get_secret_value() if key else "",
        base_url=options.openai_url,
        batch_size=options.batch_size,
        requested_dimensions=options.requested_dimensions,
        retry_seconds=RETRY_SECONDS,
    )


class OpenAiEmbedder:
    """An `Embedder` that sends the texts to a service. Thread-safe.

    A text that the service refuses gets the zero vector, which is similar to nothing: it is found by its words.

    Args:
        model: The model's name.
        dimensions: Length of a vector.
        key: The key; empty for none.
        base_url: Address of a compatible service; empty for OpenAI's.
        batch_size: Maximum number of texts of a request.
        requested_dimensions: Length of a vector to be requested; None for the model's own.
        retry_seconds: Pauses before the retries.
        query_seconds: Timeout of a query's request.
        batch_seconds: Timeout of a request of passages.
    """

    provider = "openai"

    def __init__(
        self,
        model: str,
        dimensions: int,
        *,
        key: str = "",
        base_url: str = "",
        batch_size: int = 100,
        requested_dimensions: int | None = None,
        retry_seconds: Sequence[float] = RETRY_SECONDS,
        query_seconds: float = QUERY_SECONDS,
        batch_seconds: float = BATCH_SECONDS,
    ) -> None:
        self.model = model
        self.dimensions = dimensions
        self.identity = f"openai/{model}/{dimensions}/v1"
        self.batch_size = batch_size
        self.tokenizer: Tokenizer = WordPiece()
        self._key = key
        self._base_url = base_url or OFFICIAL_URL
        self._requested_dimensions = requested_dimensions
        self._retry_seconds = retry_seconds
        self._query_seconds = query_seconds
        self._batch_seconds = batch_seconds
        self._lock = threading.Lock()
        self._client: openai.OpenAI | None = None
        self._has_answered = False

    @property
    def is_loaded(self) -> bool:
        """See `Embedder.is_loaded`: the client is imported."""
        return self._client is not None

    def load(self, call: Call) -> None:
        """Import the client. No request is made: the first text tells whether the key is accepted."""
        call.check()
        self._loaded()

    def embed(self, texts: Sequence[str], call: Call) -> "Vector":
        """Embed passages in requests of limited size: (n, dimensions).

        Raises:
            AuthError: The service refuses the key.
            RateLimited: The quota is used up, or there are too many requests even after the retries.
            ConfigError: The service does not have the model, or has other dimensions.
            ConnectionFailed, TimeoutExceeded, InternalError: The service failed, even after the retries.
            Cancelled: The call is cancelled; a request in progress is left.
        """
        self._loaded()
        import numpy as np  # noqa: PLC0415 - loaded with the client

        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for start, end in self._batches(texts):
            call.check()
            self._embed_batch([_sendable(text) for text in texts[start:end]], vectors[start:end], call)
        return vectors

    def embed_query(self, text: str, call: Call | None = None) -> "Vector":
        """Embed one question: (dimensions,).

        Raises:
            InvalidInput: The service refuses the text.
            ConfigError: It refuses every text.
            PinciteError: See `embed`.
        """
        self._loaded()
        import numpy as np  # noqa: PLC0415 - loaded with the client

        vector = np.zeros((1, self.dimensions), np.float32)
        call = call or Call()
        try:
            self._request([_sendable(text)], vector, self._query_seconds, call)
        except InvalidInput as error:
            self._check_accepts_any(error, call)
            raise
        return vector[0]

    def _batches(self, texts: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Yield the spans of texts that fit into one request each, by number and by tokens."""
        start = tokens = 0
        for index, text in enumerate(texts):
            count = max(self.tokenizer.count(text), len(text) // CHARS_PER_TOKEN)
            if index > start and (index - start >= self.batch_size or tokens + count > BATCH_TOKENS):
                yield start, index
                start, tokens = index, 0
            tokens += count
        if start < len(texts):
            yield start, len(texts)

    def _embed_batch(self, texts: Sequence[str], vectors: "Vector", call: Call) -> None:
        """Fill in the vectors of one request's texts; find the one that the service refuses by halves."""
        try:
            self._request(texts, vectors, self._batch_seconds, call)
        except InvalidInput as error:
            middle = len(texts) // 2
            if middle:
                self._embed_batch(texts[:middle], vectors[:middle], call)
                self._embed_batch(texts[middle:], vectors[middle:], call)
                return
            self._check_accepts_any(error, call)
            digest = hashlib.sha256(texts[0].encode()).hexdigest()
            fields = {"code": error.code, "problem": error.message, "sha256": digest, "chars": len(texts[0])}
            log.warning("embedding_refused", extra=fields)

    def _check_accepts_any(self, error: InvalidInput, call: Call) -> None:
        """Tell a text that is refused from a service that refuses every text: that is a fault of the settings."""
        if self._has_answered:
            return
        import numpy as np  # noqa: PLC0415 - loaded with the client

        try:
            self._request([_PROBE], np.zeros((1, self.dimensions), np.float32), self._query_seconds, call)
        except InvalidInput:
            raise ConfigError(
                f"The embedding service refuses every text. {error.message} "
                "Check EMBEDDING_MODEL, EMBEDDING_DIMENSIONS and OPENAI_BASE_URL.",
                details=error.details,
            ) from error

    def _request(self, texts: Sequence[str], vectors: "Vector", seconds: float, call: Call) -> None:
        """Fill in the vectors of texts by one request, with retries."""
        for attempt, pause in enumerate((*self._retry_seconds, None), start=1):
            try:
                work = partial(self._ask, texts, seconds)
                # The timeouts of the client are those between two bytes.
                rows = abandonable(work, call, name="pincite-openai", seconds=seconds)
            except TimeoutError:
                failure = _late(seconds)
            except _Failure as error:
                failure = error
            else:
                self._fill(vectors, rows)
                self._has_answered = True
                return
            wait = pause if failure.retry_after is None else failure.retry_after
            if not failure.is_transient or pause is None or wait is None or wait > MAX_RETRY_AFTER_SECONDS:
                raise failure.error from failure
            log_retry(self.provider, attempt, failure.error.message, call)
            call.stop.wait(min(wait, max(0.0, call.remaining())))
            call.check()

    def _ask(self, texts: Sequence[str], seconds: float) -> Sequence[Sequence[float]]:
        """Return the vectors of texts by one request.

        Raises:
            _Failure: It failed.
        """
        import openai  # noqa: PLC0415 - loaded by `load`

        dimensions = openai.omit if self._requested_dimensions is None else self._requested_dimensions
        try:
            answer = self._loaded().embeddings.create(
                input=list(texts), model=self.model, dimensions=dimensions, timeout=seconds
            )
            if sorted(row.index for row in answer.data) != list(range(len(texts))):
                raise ValueError(f"{len(answer.data)} vectors for {len(texts)} texts")  # noqa: TRY301 - see below
            return [row.embedding for row in sorted(answer.data, key=lambda row: row.index)]
        except openai.APIStatusError as error:
            raise self._of_status(error) from error
        except openai.APITimeoutError as error:
            raise _late(seconds) from error
        except openai.APIConnectionError as error:
            details = self._without_key(f"{error} {error.__cause__ or ''}")
            message = "The embedding service cannot be reached, or the connection broke. Check OPENAI_BASE_URL."
            raise _Failure(ConnectionFailed(message, details=details), is_transient=True) from error
        except Exception as error:  # what is no answer of the protocol fails in many ways inside the client
            details = self._without_key(f"{type(error).__name__}: {error}")
            message = "The embedding service sent an answer that is not of OpenAI's protocol. Check OPENAI_BASE_URL."
            raise _Failure(InternalError(message, details=details, recoverable=True), is_transient=True) from error

    def _of_status(self, error: "openai.APIStatusError") -> "_Failure":
        """Return what an HTTP status means (contract 2)."""
        status, text = error.status_code, excerpt(self._without_key(error.message))
        details = f"{status}: {text}"
        if status in _REFUSED_KEY:  # its message has parts of the key
            return _Failure(AuthError("The embedding service refuses the key. Check OPENAI_API_KEY."))
        if status == _TOO_MANY and _QUOTA in {error.code, error.type}:
            message = f"The quota of the embedding service is used up. Look at {BILLING_PAGE}, then run it again."
            return _Failure(
                RateLimited(message, retry_after=MAX_RETRY_AFTER_SECONDS, details=details, recoverable=False)
            )
        retry_after = seconds_asked(error.response.headers.get("retry-after", ""))
        if status == _TOO_MANY:
            message = "The embedding service answers that there are too many requests. Wait, and try again."
            limited = RateLimited(message, retry_after=retry_after or MAX_RETRY_AFTER_SECONDS, details=details)
            return _Failure(limited, is_transient=True, retry_after=retry_after)
        if status >= _SERVER_ERRORS:
            message = f"The embedding service failed ({status}). Try again later."
            failed = InternalError(message, details=details, recoverable=True)
            return _Failure(failed, is_transient=True, retry_after=retry_after)
        if status in _BAD_TEXT:
            return _Failure(InvalidInput(f"The embedding service refuses the text: {text}", details=details))
        message = f"The embedding service answered {status}: {text} Check EMBEDDING_MODEL and OPENAI_BASE_URL."
        return _Failure(ConfigError(message, details=details))

    def _fill(self, vectors: "Vector", rows: Sequence[Sequence[float]]) -> None:
        """Fill in vectors, scaled to length 1.

        Raises:
            ConfigError: They have other dimensions.
            InternalError: They have no length.
        """
        import numpy as np  # noqa: PLC0415 - loaded with the client

        for index, row in enumerate(rows):
            if len(row) != self.dimensions:
                raise ConfigError(
                    f"The model {self.model} returned a vector of {len(row)} dimensions instead of {self.dimensions}. "
                    f"Set EMBEDDING_DIMENSIONS={len(row)}, or correct EMBEDDING_MODEL."
                )
            vector = np.asarray(row, np.float64)
            length = float(np.linalg.norm(vector))
            if not np.isfinite(length) or length == 0.0:
                raise InternalError("The embedding service returned a vector without a length.")
            vectors[index] = vector / length

    def _loaded(self) -> "openai.OpenAI":
        with self._lock:
            if self._client is None:
                import_once("openai")
                import openai  # noqa: PLC0415 - a second that start-up does without

                key = self._key or NO_KEY
                self._client = openai.OpenAI(api_key=key, base_url=self._base_url, max_retries=0)
            return self._client

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, "***") if self._key else text


class _Failure(Exception):
    """A request that failed.

    Args:
        error: What it means.
        is_transient: Whether the same request may succeed later.
        retry_after: Seconds before a retry as the service orders them; None if it orders none.
    """

    def __init__(self, error: PinciteError, *, is_transient: bool = False, retry_after: float | None = None) -> None:
        super().__init__(error.message)
        self.error = error
        self.is_transient = is_transient
        self.retry_after = retry_after


def _late(seconds: float) -> _Failure:
    message = f"The embedding service did not answer within {seconds:g} s."
    return _Failure(TimeoutExceeded(message), is_transient=True)


def _sendable(text: str) -> str:
    """Return a text without lone surrogates; a space for an empty one, which the service refuses."""
    return well_formed(text) or " "
