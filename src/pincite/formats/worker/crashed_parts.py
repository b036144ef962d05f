"""Files inside documents that ended the process that read them: the documents are read without them."""

import threading
from collections import OrderedDict
from collections.abc import Generator
from contextlib import closing
from dataclasses import replace

from pincite.errors import InvalidInput, ReadingFailed
from pincite.formats.base import MAX_CRASHED_PARTS, Blob, ReadOptions, UnreadPart
from pincite.formats.worker.read import Stream
from pincite.model.call import Call, silent
from pincite.model.document import Head, Page
from pincite.registry import Format

MAX_REMEMBERED_DOCUMENTS = 1000
"""Documents with such files that are remembered; the oldest is forgotten first."""


class CrashedParts:
    """Reads documents without the files inside that end the process. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reasons: OrderedDict[tuple[str, str], dict[int, str]] = OrderedDict()

    def read(self, stream: Stream, row: Format, blob: Blob, options: ReadOptions, call: Call) -> Generator[Head | Page]:
        """Yield the head and pages of a document from a stream, anew for each file inside that ends the process.

        Raises:
            ReadingFailed, InvalidInput: Something else ended it, or the document has too many such files.
        """
        yielded = 0
        while True:
            unread = self._unread(row, blob)
            held: list[Head | Page] = []
            part = 0
            with closing(stream(row, blob, replace(options, unread_parts=unread), call)) as items:
                try:
                    for number, item in enumerate(items):
                        part = (isinstance(item, Page) and item.next_part) or part
                        if part:
                            held.append(item)
                        # What comes before the first file inside is the same in each reading.
                        elif number >= yielded:
                            yielded += 1
                            yield item
                except (ReadingFailed, InvalidInput) as failure:
                    is_known = part in {known.number for known in unread}
                    if not part or is_known or not self._add(row, blob, UnreadPart(part, failure.message)):
                        raise
                    # Progress only increases.
                    call = replace(call, progress=silent)
                    continue
            yield from held
            return

    def _unread(self, row: Format, blob: Blob) -> tuple[UnreadPart, ...]:
        """Return the files inside a document that are not read, by number."""
        with self._lock:
            reasons = self._reasons.get((row.identity, blob.fingerprint), {})
            return tuple(UnreadPart(number, reason) for number, reason in sorted(reasons.items()))

    def _add(self, row: Format, blob: Blob, part: UnreadPart) -> bool:
        """Remember a file inside a document; return False if the document has too many of them."""
        with self._lock:
            reasons = self._reasons.setdefault((row.identity, blob.fingerprint), {})
            if part.number not in reasons and len(reasons) >= MAX_CRASHED_PARTS:
                return False
            reasons[part.number] = part.reason
            while len(self._reasons) > MAX_REMEMBERED_DOCUMENTS:
                self._reasons.popitem(last=False)
            return True
