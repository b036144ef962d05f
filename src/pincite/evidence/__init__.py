"""Verify quotes: find them in a document, and tell how exactly they match."""
