"""Chunking policies, with an identity by which a change re-indexes the documents."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Policy:
    """The parameters of the chunker.

    Attributes:
        name: The interface it belongs to.
        max_tokens: Maximum number of tokens of a chunk, including its context.
        version: To be incremented when the same document gives other chunks, or other text of it is embedded.
    """

    name: str
    max_tokens: int
    version: int = 4

    def identity(self, tokenizer: str) -> str:
        """Return a string of everything that chunk boundaries depend on."""
        return f"{self.name}/{self.version}/{self.max_tokens}/{tokenizer}"


def docs(max_tokens: int) -> Policy:
    """Return the policy for documentation: one chunk per section, longer ones split between blocks, no overlap."""
    return Policy("docs", max_tokens)
