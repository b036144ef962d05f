"""Read PowerPoint 97 presentations in tests."""

import lzma
from functools import cache
from pathlib import Path

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import Document
from pincite.registry import FORMATS

ROW = next(row for row in FORMATS if row.name == "ppt")
_TALK = Path(__file__).with_name("talk.ppt.xz")


@cache
def talk() -> bytes:
    """A talk of three slides that LibreOffice 7.4 saved as "PowerPoint 97"; the last is hidden."""
    return lzma.decompress(_TALK.read_bytes())


def read_bytes(data: bytes) -> Document:
    """Read a file."""
    return read_document(ROW, Blob("a.ppt", data), ReadOptions(), Call())
