"""Documents' texts in a store: in pieces, so that a chunk is fetched without the rest of a long text."""

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pincite.store.rows import Malformed, from_text, to_text
from pincite.store.stems import stems
from pincite.text import words
from pincite.text.lexical import DATA_URI_SCHEME

PIECE_CHARS = 2000
"""Characters of a piece: about two chunks of documentation, and a quarter of a page of the file."""

Piece = tuple[int, str | bytes, int]
"""(number from 0, text, checksum)."""


def indexed(text: str) -> str:
    """Return a text for the full-text index: in one spelling, then other spellings and the stems of its words."""
    stemmed = words.folded(" ".join(stems(text)))
    return f"{words.indexed(text)}\n{stemmed}" if stemmed else words.indexed(text)


def indexed_text(text: str | bytes) -> str | bytes:
    """Return a chunk's context or text as it is inserted into the full-text index and later deleted from it."""
    return from_text(indexed(text_to_index(text)))


def text_to_index(text: str | bytes) -> str:
    """Return a chunk's context or text without `data:` URIs."""
    text = to_text(text)
    if DATA_URI_SCHEME in text:
        from pincite.text.prose import without_data  # noqa: PLC0415 - not at start-up

        text = without_data(text)
    return text


def pieces(text: str) -> Iterator[Piece]:
    """Yield the pieces of a text."""
    for number, start in enumerate(range(0, len(text), PIECE_CHARS)):
        piece = from_text(text[start : start + PIECE_CHARS])
        yield number, piece, _checksum(piece)


def first_difference(old: Sequence[Any], new: Sequence[Piece]) -> int:
    """Return the number of the first piece that differs; the number of the shorter text's pieces if none does."""
    common = min(len(old), len(new))
    return next((number for number in range(common) if tuple(old[number]) != new[number]), common)


def joined(rows: Iterable[Any]) -> str:
    """Return the text of consecutive pieces.

    Raises:
        Malformed: A piece is damaged.
    """
    return "".join([_checked(number, piece, checksum) for number, piece, checksum in rows])


def chunk_texts(rows: Iterable[Any], borders: Mapping[int, Sequence[int]]) -> dict[int, str]:
    """Return the text of each chunk.

    Args:
        rows: (chunk id, number, text, checksum) of every piece that a chunk overlaps, a chunk's in order.
        borders: For each chunk id the start and end of its span.

    Raises:
        Malformed: A piece is missing or damaged.
    """
    parts: dict[int, list[Any]] = {}
    for chunk_id, *piece in rows:
        parts.setdefault(chunk_id, []).append(piece)
    return {chunk_id: span_text(parts.get(chunk_id, ()), start, end) for chunk_id, (start, end) in borders.items()}


def span_text(rows: Iterable[Any], start: int, end: int) -> str:
    """Return a span of a text, from the pieces that it overlaps, in order.

    Raises:
        Malformed: A piece is missing or damaged.
    """
    offset = start - start % PIECE_CHARS
    text = joined(rows)[start - offset : end - offset]
    if len(text) != end - start:
        raise Malformed(f"a text has {len(text)} characters of {end - start} from {start}")
    return text


def _checked(number: int, piece: str | bytes, checksum: int) -> str:
    if _checksum(piece) != checksum:
        raise Malformed(f"piece {number} of a text is not the one that was written")
    return to_text(piece)


def _checksum(piece: str | bytes) -> int:
    return zlib.crc32(piece.encode() if isinstance(piece, str) else piece)
