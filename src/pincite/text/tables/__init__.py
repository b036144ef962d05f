"""Grids of text: rows, columns and their names.

Enters: texts of cells.
Leaves: header rows, kinds of columns, cells with spans.
First: `grids`.
Free: rules for names of columns, with the snapshots of readers that use them.
Modules: column_names, columns, grids.
"""
