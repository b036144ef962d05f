"""Grids of text: rows, columns and their names."""
