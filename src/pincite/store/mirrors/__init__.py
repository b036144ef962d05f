"""Mirrors: copies of a collection in other engines, which search it.

Enters: documents and chunks of a library, with vectors.
Leaves: ranked chunk ids, and the documents back, to make a library again.
First: `base`.
Free: one engine at a time; a new one is a row in `registry` and passes `tests/contracts/test_mirror.py`.
Modules: answers, base, chroma, qdrant, qdrant_client, records, sparse.
"""
