"""Documents made of blocks, cut by counters of words and characters."""

from pincite.chunking.chunker import chunk
from pincite.chunking.policy import docs
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.chunk import Chunk
from pincite.model.document import Document
from pincite.registry import FORMATS


class Words:
    """Every run between white space is a token; a cut keeps whole words, or one character."""

    def count(self, text: str) -> int:
        return len(text.split())

    def cut(self, text: str, limit: int) -> int:
        position = 0
        for word in text.split()[:limit]:
            position = text.index(word, position) + len(word)
        return max(1, len(text) if self.count(text) <= limit else position)


def document(text: str) -> Document:
    return read_document(FORMATS[0], Blob("a.md", text.encode()), ReadOptions(), Call())


def cut(text: str, limit: int) -> list[Chunk]:
    chunks = chunk(document(text), docs(limit), Words())
    assert "".join(part.text for part in chunks) == text
    return chunks


def texts(text: str, limit: int) -> list[str]:
    return [part.text for part in cut(text, limit)]
