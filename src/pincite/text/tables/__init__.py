"""Grids of text: rows, columns and their names.

Enters: texts of cells.
Leaves: names and kinds of columns, cells with spans. Header rows are found by `formats/writing/table_headers`.
First: `grids`.
Free: rules for names of columns, with the snapshots of readers that use them.
Modules: column_names, columns, grids, headers.
"""
