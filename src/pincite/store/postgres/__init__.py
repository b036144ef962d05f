"""A store in PostgreSQL: one schema a collection, shared by many servers.

Enters: the calls of the interface in `store.base`.
Leaves: the same answers as SQLite's, from tables or from a server's copy in memory.
First: `store`.
Free: statements and copies. A change of tables (`postgres.sql`) needs a new `VERSION` in `opening`, and a look at
    `COPIED_SINCE`.
Modules: collection_copy, columns, connections, copied_lists, copy_keeper, lease, near, near_indexes, opening, packed,
    reads, segments, shared, sizes, snapshot, store, transfer, vectors, watched, words, writing.
"""
