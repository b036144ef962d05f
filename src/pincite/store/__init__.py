"""Stores: rows, words and vectors of one collection.

Enters: documents with chunks, terms and vectors, in transactions.
Leaves: snapshots, each of one generation, that read and rank.
First: `base`.
Free: one store at a time: the contract tests run against each. A change of tables needs a new version of the schema.
Modules: base, bm25, differences, filters, forward, lease, matching, memory/, mirrors/, postgres/, process_lock,
    rows, snapshot, sqlite/, statements, stems, texts, transfer, writing.
"""
