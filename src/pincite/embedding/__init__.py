"""Embedders: text in, vectors of length 1 out."""
