"""A connection whose statements end with the call that they answer, and with a server that does not answer."""

import selectors
import time
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.pq import TransactionStatus

from pincite.model.call import Call

T = TypeVar("T")

CANCEL_SECONDS = 2.0
"""Time for the server to receive a cancellation."""

SILENCE_SECONDS = 5.0
"""Time beyond the statement time-out, by which a server that works has ended the statement itself."""


class WatchedConnection(psycopg.Connection[tuple[Any, ...]]):
    """A connection that looks after its statement every 0.1 s, which is psycopg's interval.

    Attributes:
        call: The call that is answered; a statement is cancelled with it. None outside a call.
        statement_seconds: The statement time-out of the server; infinite without one.
        only_reads: Whether the present transaction is read-only.
        is_ending: Whether a commit was sent whose answer was not read.
    """

    call: Call | None = None
    statement_seconds: float = float("inf")
    only_reads: bool = False
    is_ending: bool = False

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        """Consume a generator of psycopg; see `psycopg.Connection.wait`.

        Raises:
            OperationalError: The server is silent: it did not even end the statement. The connection is closed.
        """
        return super().wait(self._watched(gen), interval, timeout)

    def begin_commit(self) -> None:
        """Send a commit without waiting for its answer.

        Raises:
            OperationalError: The connection is lost.
        """
        self.pgconn.send_query(b"COMMIT")
        self.pgconn.flush()
        self.is_ending = True

    def end_commit(self) -> bool:
        """Read the answer of a commit, if one was sent; return False if the connection is of no use any more."""
        if not self.is_ending:
            return True
        self.is_ending = False
        try:
            while self.pgconn.is_busy():
                if not self.is_readable(SILENCE_SECONDS):
                    return False
                self.pgconn.consume_input()
            while self.pgconn.get_result() is not None:
                pass
        except psycopg.Error:
            return False
        return self.info.transaction_status == TransactionStatus.IDLE

    def is_readable(self, seconds: float) -> bool:
        """Return True if the server has sent something, or ended the connection; wait for it if it has not."""
        with selectors.DefaultSelector() as selector:
            selector.register(self.fileno(), selectors.EVENT_READ)
            return bool(selector.select(seconds))

    def _watched(self, generator: PQGen[T]) -> PQGen[T]:
        latest = time.monotonic() + self.statement_seconds + SILENCE_SECONDS
        is_cancelled = False
        try:
            waiting_for = next(generator)
            while True:
                ready = yield waiting_for
                if not ready:
                    if self.call is not None and self.call.cancelled() and not is_cancelled:
                        is_cancelled = True
                        latest = min(latest, time.monotonic() + SILENCE_SECONDS)
                        self.cancel_safe(timeout=CANCEL_SECONDS)
                    if time.monotonic() > latest:
                        self.pgconn.finish()
                        raise psycopg.OperationalError("the server does not answer")
                waiting_for = generator.send(ready)
        except StopIteration as end:
            result: T = end.value
            return result
