"""Stamps: what a document's chunks depend on besides its bytes. One with an outdated stamp is read again.

A stamp names the reader and its version, the chunking policy, those limits that cut the document and, if it could
not be read, what another attempt may find changed. So a new version of a reader re-reads the documents of its format
alone, and a raised limit those that it had cut.
"""

import hashlib
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from pincite.errors import InvalidInput, ReadingFailed
from pincite.model.document import READER_PROCESS, Coverage

NO_READER = "none"
"""Stands for the reader of a document that no format reads."""

RETRY_SECONDS = 3600
"""A file that crashed its reader, or took too long, may not do so again: it is tried again at the first start after
at most this time. At each start would let one such file slow down every command."""


@dataclass(frozen=True, slots=True)
class Stamps:
    """Makes stamps, and tells outdated ones.

    Attributes:
        readers: Every reader's identity: name and version.
        policy: The identity of the chunking policy and its tokenizer.
        limits: The values of the readers' limits by name, and the engine of text recognition as `ocr`.
        environment: Returns a string of everything that may let a failed file be read: limits, installed packages.
        now: Returns the time in seconds.
    """

    readers: frozenset[str]
    policy: str
    limits: Mapping[str, object]
    environment: Callable[[], str]
    now: Callable[[], float] = time.time

    def of(self, reader: str, limits_hit: Iterable[str] = ()) -> str:
        """Return the stamp of a document as read.

        Args:
            reader: The identity of its reader.
            limits_hit: `Coverage.limits_hit`. Limits that no setting raises are a part of the reader's version.
        """
        names = set(limits_hit)
        hit = (f"{name}={_word(str(self.limits[name]))}" for name in sorted(names) if name in self.limits)
        tried = self._attempt() if READER_PROCESS in names else ()
        return " ".join((reader, _word(self.policy), *hit, *tried))

    def of_document(self, reader: str, coverage: Coverage) -> str:
        """Return the stamp of a document as read: what it depends on besides its bytes, text recognition included."""
        has_pictures = coverage.ocr or coverage.needs_ocr or coverage.unread_pictures
        return self.of(reader, (*coverage.limits_hit, *(("ocr",) if has_pictures else ())))

    def of_failure(self, reader: str, error: BaseException) -> str:
        """Return the stamp of a document that could not be read.

        A damaged file stays so; a limit, a missing package or a bug may be gone after the next start.
        """
        stamp = self.of(reader)
        if isinstance(error, ReadingFailed):
            return " ".join((stamp, *self._attempt()))
        if isinstance(error, InvalidInput):
            return stamp
        return f"{stamp} environment={self._environment_hash()}"

    def outdated(self, stamps: Iterable[str]) -> list[str]:
        """Return the stamps whose documents have to be read again."""
        return [stamp for stamp in stamps if not self._is_current(stamp)]

    def _is_current(self, stamp: str) -> bool:
        reader, policy, *conditions = stamp.split(" ") if stamp.count(" ") else ("", "")
        if policy != _word(self.policy) or reader not in self.readers | {NO_READER}:
            return False
        for condition in conditions:
            name, _, value = condition.partition("=")
            if name == "environment":
                present = self._environment_hash()
            elif name == "hour":
                present = str(self._hour())
            else:
                present = _word(str(self.limits.get(name)))
            if value != present:
                return False
        return True

    def _attempt(self) -> tuple[str, str]:
        """Return the conditions of something that ended its process, and may not do so again."""
        return f"environment={self._environment_hash()}", f"hour={self._hour()}"

    def _environment_hash(self) -> str:
        return hashlib.sha256(self.environment().encode()).hexdigest()[:8]

    def _hour(self) -> int:
        return int(self.now() // RETRY_SECONDS)


def _word(text: str) -> str:
    return text.replace(" ", "_")
