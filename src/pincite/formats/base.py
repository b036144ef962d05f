"""What a reader is: bytes in; one `Head`, then pages in order, out."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from pincite.model.call import Call
from pincite.model.document import Head, Page


@dataclass(frozen=True, slots=True)
class Blob:
    """The bytes of a document and what they were called."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class ZipLimits:
    """What a zipped format (DOCX, XLSX, EPUB …) may grow to.

    Attributes:
        entries: Parts that it may hold.
        part_bytes: Size of one part, unpacked.
        total_bytes: Size of all parts, unpacked.
        ratio: How often its packed size a part may be that is larger than 10 MB.
    """

    entries: int = 10_000
    part_bytes: int = 200_000_000
    total_bytes: int = 400_000_000
    ratio: int = 500


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Limits that every reader keeps.

    Attributes:
        max_pages: Pages after which a reader stops and says so.
        max_blocks: Blocks of a page after which the rest of it is one block, and the reader says so.
        max_pixels: Pixels of a picture above which it is refused.
        zip: What the parts of a zipped format may grow to; kept before its reader sees it.
    """

    max_pages: int = 5000
    max_blocks: int = 100_000
    max_pixels: int = 100_000_000
    zip: ZipLimits = ZipLimits()


class Reader(Protocol):
    """A function `read` of one format.

    Yields exactly one `Head` first, then at least one `Page`.

    Raises:
        Unsupported: The bytes are not of this format.
        InvalidInput: They are, but damaged or encrypted, and nothing can be read.
    """

    def __call__(self, blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
        """The head, then the pages."""
        ...
