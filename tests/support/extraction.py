"""Documents as extraction reads them."""

from pincite.chunking.elements import ElementPolicy
from pincite.model.call import Call
from pincite.model.extraction import Material
from support.markdown_read import document


class WordCounter:
    """Counts words as tokens."""

    def count(self, text: str) -> int:
        return len(text.split())

    def cut(self, text: str, limit: int) -> int:
        return len(text) if self.count(text) <= limit else 1


def material(markdown: str) -> Material:
    """A Markdown document and its chunks."""
    read = document(markdown)
    return Material(read, tuple(ElementPolicy().cut(read, WordCounter(), Call())))
