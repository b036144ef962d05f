"""The embedder's input for a chunk: its title, its heading and its prose, as sentences."""

import re

from pincite.model.chunk import BREADCRUMB_SEPARATOR, Chunk, text_hash

FULL_STOP_TOKENS = 1
"""Tokens that `embed_text` may add to context and text: the full stop after the context."""

_HEADING_MARKS = "# \t\r\n"
_NUMBER = re.compile(
    r"(?:Appendix|Annex|Chapter|Section)\s+(?:\d+|[A-Z])(?:\.\d+)*\W+|(?:\d{1,2}(?:\.\d+)*|[A-Z](?:\.\d+)+)\.?\s+"
)
"""A heading's number, which carries no meaning for a sentence-embedding model."""


def text_to_embed(chunk: Chunk) -> str:
    """Return the embedder's input for a chunk."""
    return embed_text(chunk.context, chunk.body)


def embed_hash(chunk: Chunk) -> bytes:
    """Return the hash of the embedder's input, by which vectors are kept."""
    return text_hash(text_to_embed(chunk))


def embed_text(context: str, text: str) -> str:
    """Return context and text as sentences, which is what the model was trained on.

    The title and the section's own heading come first, each a sentence without its number. Marks, tags and addresses
    are left out: they carry no meaning and cost as many tokens as words (decision 0005).
    """
    from pincite.text.prose import prose  # noqa: PLC0415 - not at start-up

    body = prose(text)
    title, *headings = context.split(BREADCRUMB_SEPARATOR)
    if headings:
        return f"{_unnumbered(title)}. {_unnumbered(headings[-1])}.\n{body.lstrip(_HEADING_MARKS)}"
    return f"{_unnumbered(title)}.\n{body}" if title else body


def _unnumbered(heading: str) -> str:
    number = _NUMBER.match(heading)
    return heading[number.end() :] or heading if number else heading
