"""Pictures, read."""

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import Document
from pincite.registry import FORMATS

IMAGE = next(row for row in FORMATS if row.name == "image")


def read(data: bytes, options: ReadOptions | None = None) -> Document:
    return read_document(IMAGE, Blob("a.png", data), options or ReadOptions(), Call())
