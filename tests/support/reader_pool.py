"""Readers in processes of their own, and what is known of a process."""

import os
from collections.abc import Callable

from pincite.formats.base import Blob
from pincite.formats.detect.sniff import Sniffed
from pincite.formats.worker.pool import ReaderPool
from pincite.model.call import Call
from pincite.model.document import Document
from support.readers_that_fail import ROWS

MakePool = Callable[..., ReaderPool]


SECONDS = 30.0


def read(pool: ReaderPool, name: str, data: bytes = b"x", call: Call | None = None) -> Document:
    return pool.read(Sniffed(ROWS[name]), Blob(f"a.{name}", data), call or Call())


def render(pool: ReaderPool, name: str, data: bytes = b"x", page: int = 1, call: Call | None = None) -> bytes:
    return pool.render(Sniffed(ROWS[name]), Blob(f"a.{name}", data), page, 100, call or Call())


def process_of(pool: ReaderPool) -> int:
    return int(read(pool, "well").properties["process"])


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
