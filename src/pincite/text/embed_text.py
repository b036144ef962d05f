"""What the embedder is given of a chunk: its headings and its prose, as sentences."""

import re

from pincite.model.chunk import BREADCRUMB_SEPARATOR, Chunk

FULL_STOP_TOKENS = 1
"""Tokens that `embed_text` may hold more than context and text: the full stop after the context."""

_HEADING_MARKS = "# \t\r\n"
_NUMBER = re.compile(
    r"(?:Appendix|Annex|Chapter|Section)\s+(?:\d+|[A-Z])(?:\.\d+)*\W+|(?:\d{1,2}(?:\.\d+)*|[A-Z](?:\.\d+)+)\.?\s+"
)
"""What numbers a heading; it means nothing to a model of sentences."""


def text_to_embed(chunk: Chunk) -> str:
    """Return what the embedder is given of a chunk."""
    return embed_text(chunk.context, chunk.text, chunk.embed_start)


def embed_text(context: str, text: str, embed_start: int) -> str:
    """Join context and text the one way in which they are embedded: as the sentences that the model learned from.

    The title and the section's own heading come first, each a sentence without its number; marks, tags and addresses
    say nothing and take as many tokens as words (`docs/measurements.md`: Retrieval).
    """
    from pincite.text.prose import prose  # noqa: PLC0415 - not at start-up

    seen = prose(text[embed_start:])
    title, *headings = context.split(BREADCRUMB_SEPARATOR)
    if headings:
        return f"{_unnumbered(title)}. {_unnumbered(headings[-1])}.\n{seen.lstrip(_HEADING_MARKS)}"
    return f"{_unnumbered(title)}.\n{seen}" if title else seen


def _unnumbered(heading: str) -> str:
    number = _NUMBER.match(heading)
    return heading[number.end() :] or heading if number else heading
