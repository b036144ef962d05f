"""The commands, one a module: its arguments with their help, and what it does.

Enters: what the parser took from the command line.
Leaves: calls of `app`, and output by `printing`.
First: `search`.
Free: one command; a new one is listed in `program`.
Modules: check, compare, connect, convert, converter, doctor, eval, export, extract, ingest, key, migrate, models,
    read, remove, search, serve, service, status, verify, worker.
"""
