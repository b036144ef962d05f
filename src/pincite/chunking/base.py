"""The interface of chunking policies."""

from collections.abc import Iterator
from typing import Protocol

from pincite.chunking.tokens import TokenCounter
from pincite.model.call import Call
from pincite.model.chunk import Chunk
from pincite.model.document import Document


class Policy(Protocol):
    """Cuts documents into chunks and tags them. Immutable, thread-safe."""

    @property
    def identity(self) -> str:
        """A string of everything that boundaries, tags and embedded text depend on, except the tokenizer."""
        ...

    def lay_out(self, document: Document) -> Document:
        """Return the document whose text is stored and cut: as given, unless the policy adds lines to its text."""
        ...

    def cut(self, document: Document, tokens: TokenCounter, call: Call) -> Iterator[Chunk]:
        """Yield a document's chunks, in the order of their spans.

        A span belongs to the section that it begins in; spans may overlap, and together they cover the text. What of
        a span is embedded is stated apart from it, by `Chunk.context` and `Chunk.embed_start`. Each locator occurs
        once.

        Args:
            document: As `lay_out` returns it.
            tokens: Counts in the tokens of the model that will embed the chunks.
            call: Checked at least between sections and blocks.

        Raises:
            Cancelled: The call is cancelled.
            TimeoutExceeded: The deadline has passed.
        """
        ...
