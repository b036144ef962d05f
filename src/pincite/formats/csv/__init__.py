"""Delimited text (CSV, TSV)."""
