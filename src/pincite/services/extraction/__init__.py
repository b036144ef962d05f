"""Extraction: a document and a schema in, JSON with verified evidence out."""
