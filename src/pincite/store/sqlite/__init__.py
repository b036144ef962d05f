"""The store in one SQLite file.

Enters: the calls of the interface in `store.base`.
Leaves: snapshots over FTS5 and vectors in memory.
First: `store`.
Free: statements, and how long one writer waits for another (`store`). A change of tables needs a new version in
    `schema`; a file without our mark is never written.
Modules: connections, lease, opening, ownership, schema, snapshot, store, summary, transfer, writing.
"""
