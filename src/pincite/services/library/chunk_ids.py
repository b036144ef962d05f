"""Ids of chunks that outlive the index: UUIDs that the same content gets again."""

import hashlib
import uuid

_NAMESPACE = uuid.UUID("5b1e7a52-6b0c-5f0e-9a0d-0d6d1d0b9c57")
"""Of pincite's chunks alone; made once at random, and part of every id: not to be changed."""


def chunk_uuid(document_id: str, locator: str, text: str) -> str:
    """Return a chunk's UUID: the same for the same text at the same position of the same document.

    The position is a part of it because a text may occur twice in one document.
    """
    return str(uuid.uuid5(_NAMESPACE, "\0".join((document_id, locator, content_hash(text)))))


def content_hash(text: str) -> str:
    """Return SHA-256 of a chunk's text, in hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
