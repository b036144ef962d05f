"""Delimited text (CSV, TSV).

Enters: decoded text.
Leaves: one table, and paragraphs for the notes above it.
First: `reader`.
Free: all of it.
Modules: dialect, reader.
"""
