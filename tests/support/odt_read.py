"""Read OpenDocument texts in tests."""

from collections.abc import Mapping

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import AsideKind, Document
from pincite.registry import FORMATS
from support.archives import odt

ROW = next(row for row in FORMATS if row.name == "odt")


def read_bytes(data: bytes) -> Document:
    """Read a file."""
    return read_document(ROW, Blob("a.odt", data), ReadOptions(), Call())


def read(body: str, styles: str = "", parts: Mapping[str, str | bytes] | None = None) -> Document:
    """Read a text with styles and other parts."""
    return read_bytes(odt(body, styles, parts))


def hidden(document: Document) -> list[tuple[str, str]]:
    """The hidden texts of a document with their reasons."""
    return [(aside.text, aside.reason) for aside in document.asides if aside.kind is AsideKind.HIDDEN]
