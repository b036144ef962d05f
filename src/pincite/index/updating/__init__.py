"""Updating a collection: what changed is read, cut, embedded and written.

Enters: names that may have changed, from the source.
Leaves: transactions of the store: documents, chunks, vectors.
First: `refresher`.
Free: order, batches and threads. What a chunk depends on is in `index.stamps`.
Modules: builder, bulk, indexer, ingestion, missing, pace, priority, refresher, vectorizer.
"""
