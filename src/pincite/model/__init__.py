"""Nouns: frozen dataclasses that every layer speaks in. No I/O.

Enters: nothing: no module here imports from pincite but `errors`.
Leaves: types.
First: `document`.
Free: little: a field that is stored needs a new version of its file, and one that is answered is in a contract.
Modules: call, chunk, document, extraction, locator, recognition, schema, search, sizes, status, store, task, vector.
"""
