"""Vectors of the chunks that have none: embedded in batches, written to the store."""

import logging
import threading
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pincite.errors import TimeoutExceeded
from pincite.index.updating.bulk import GRACE_SECONDS, BulkWork, pause
from pincite.index.updating.pace import Pace
from pincite.model.call import Call, seconds_until
from pincite.store.base import Store
from pincite.text.embed_text import embed_hash, embed_text, text_to_embed

if TYPE_CHECKING:
    from pincite.embedding.base import Embedder
    from pincite.model.vector import Vector


log = logging.getLogger("pincite.embedding")


def log_embedding(embedder: "Embedder", texts: Sequence[str], start: float, call: Call) -> None:
    """Log that texts were embedded since `start` (contract 2); counting their tokens costs time, so only if wanted."""
    if log.isEnabledFor(logging.DEBUG):
        latency_ms = round((time.monotonic() - start) * 1000)
        fields = {"token_count": sum(map(embedder.tokenizer.count, texts)), "latency_ms": latency_ms}
        log.debug("embedding_generated", extra={**fields, "rid": call.request_id})


class Vectorizer:
    """Embeds the chunks of one store. Thread-safe; one thread at a time embeds."""

    def __init__(self, store: Store, bulk: BulkWork) -> None:
        self._store = store
        self._bulk = bulk
        self._lock = threading.Lock()
        self._pace = Pace()

    def embed(self, embedder: "Embedder", call: Call, deadline: float) -> bool:
        """Embed chunks without vectors, until the deadline.

        Returns:
            True if every chunk has a vector.

        Raises:
            WritingFailed: The index cannot be written.
        """
        waiting = self._store.waiting_documents()
        while time.monotonic() < deadline:
            if self._bulk.is_elsewhere(waiting):
                pause(call, deadline)
                waiting = self._store.waiting_documents()
                continue
            if not self._lock.acquire(timeout=seconds_until(deadline)):
                return False
            # Under the lock, so that two threads do not embed the same texts.
            try:
                rows = self._store.missing_vectors(embedder.batch_size)
                if not rows:
                    return True
                start = time.monotonic()
                texts = [embed_text(row.context, row.text) for row in rows]
                vectors = embedder.embed(texts, call)
                self._pace.record(len(rows), time.monotonic() - start)
                log_embedding(embedder, texts, start, call)
                if not self._put_vectors({row.embed_hash: vectors[i] for i, row in enumerate(rows)}, call, deadline):
                    return False
            finally:
                self._lock.release()
        return not self._store.missing_vectors(1)

    def _put_vectors(self, by_hash: "Mapping[bytes, Vector]", call: Call, deadline: float) -> bool:
        """Write vectors; return False if that takes too long for the deadline."""
        # Those of a service have been paid for, and its answer may take longer than a slice.
        late = max(deadline, time.monotonic()) + GRACE_SECONDS
        try:
            self._store.put_vectors(by_hash, deadline=late)
        except TimeoutExceeded:
            call.check()
            return False
        return True

    def can_embed(self, chunks: int, deadline: float) -> bool:
        """Return True if this number of chunks is likely to be embedded by the deadline."""
        return self._pace.seconds_for(chunks) <= seconds_until(deadline)

    def retry_refused(self, embedder: "Embedder", call: Call) -> int:
        """Embed the texts again that a service refused before; return their number.

        Raises:
            PinciteError: See `Embedder.embed` and `Store.put_vectors`.
        """
        with self._store.snapshot(call) as snapshot:
            chunks = [stored.chunk for stored in snapshot.chunks(snapshot.refused())]
        if chunks:
            vectors = embedder.embed(list(map(text_to_embed, chunks)), call)
            self._store.put_vectors(dict(zip(map(embed_hash, chunks), vectors, strict=True)))
        return len(chunks)

    def is_elsewhere(self) -> bool:
        """Return True if another process does the embedding; else acquire the lease if it is bulk work."""
        return self._bulk.is_elsewhere(self._store.waiting_documents())
