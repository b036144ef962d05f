"""Readers: one file per format, bytes in, blocks out."""
