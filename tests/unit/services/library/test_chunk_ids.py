"""Ids of chunks that outlive the index."""

import uuid

from pincite.services.library.chunk_ids import chunk_uuid, content_hash


def test_the_same_text_at_the_same_place_has_the_same_id() -> None:
    assert chunk_uuid("a", "h1-c1", "text") == chunk_uuid("a", "h1-c1", "text")
    assert uuid.UUID(chunk_uuid("a", "h1-c1", "text")).version == 5


def test_another_document_place_or_text_has_another_id() -> None:
    ids = {chunk_uuid(*each) for each in [("a", "h1", "t"), ("b", "h1", "t"), ("a", "h2", "t"), ("a", "h1", "u")]}
    assert len(ids) == 4


def test_the_hash_of_a_content_is_sha_256_of_its_text() -> None:
    assert content_hash("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert len(content_hash("\ud800")) == 64
