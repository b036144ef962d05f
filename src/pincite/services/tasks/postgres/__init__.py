"""Tasks and their uploads in PostgreSQL, shared by the servers and workers of many machines.

Enters: the calls of the interfaces in `services.tasks.base`.
Leaves: rows, notifications, and uploads in pieces.
First: `queue`.
Free: statements; a change of tables needs a new version in `database`.
Modules: database, queue, uploads.
"""
