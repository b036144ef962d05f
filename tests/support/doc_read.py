"""Read Word 97 documents in tests."""

import lzma
from functools import cache
from pathlib import Path

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.doc.fib import Fib, read_fib
from pincite.formats.ole.compound import CompoundFile
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import Document
from pincite.registry import FORMATS

ROW = next(row for row in FORMATS if row.name == "doc")
_MANUAL = Path(__file__).with_name("manual.doc.xz")


@cache
def manual() -> bytes:
    """A manual that LibreOffice 7.4 saved as "Word 97", of one page with all that the reader knows."""
    return lzma.decompress(_MANUAL.read_bytes())


def read_bytes(data: bytes) -> Document:
    """Read a file."""
    return read_document(ROW, Blob("a.doc", data), ReadOptions(), Call())


def fib(data: bytes) -> Fib:
    """The head of a document."""
    return read_fib(CompoundFile(data))
