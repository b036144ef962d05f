"""How documents are cut into chunks: a policy per face, named so that a change of it re-indexes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules that `chunker` follows.

    Attributes:
        name: The face it belongs to.
        max_tokens: The most tokens a chunk may hold, its context counted in.
        version: Rises whenever the chunker cuts the same document differently, or other text of it is embedded.
    """

    name: str
    max_tokens: int
    version: int = 4

    def identity(self, tokenizer: str) -> str:
        """Everything that decides where a document is cut."""
        return f"{self.name}/{self.version}/{self.max_tokens}/{tokenizer}"


def docs(max_tokens: int) -> Policy:
    """The `docs` face: one chunk a section, a longer one split at block borders, no overlap."""
    return Policy("docs", max_tokens)
