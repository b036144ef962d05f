"""Retrieval quality on questions with known answers."""
